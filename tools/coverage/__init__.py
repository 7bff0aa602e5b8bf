"""Measure how often the 95 % intervals of statistics contain the true value; write the tables of that page.

    python -m tools.coverage

Two clubs play every game and every form of Couillon: an even one, whose members play alike, and a mixed one of strong
and weak players, careful and bold callers. Samples of their deals are drawn repeatedly; the mean of all deals is the
true value. Takes a quarter of an hour on two cores.
"""
