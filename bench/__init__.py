"""How fast it is, beside others: each module measures one thing, `python -m bench` runs them all.

A module has `main(folder)`, which answers its figures by name: rates in something per second, or ratios.
"""
