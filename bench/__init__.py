"""Benchmarks, with peers measured in the same run: each module measures one thing; `python -m bench` runs them all.

A module has a function `main(folder)` that returns its figures by name: rates per second, ratios, or values whose name
gives the unit.
"""
