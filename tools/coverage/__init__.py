"""Measures how often the 95 % intervals of statistics hold the true figure; writes the tables in docs/statistics.md.

    python -m tools.coverage

Two clubs play every game and every form of Couillon: an even one, whose members are alike, and a mixed one of strong
and weak players, careful and bold callers. Samples of their deals are drawn again and again; the mean of all deals is
the true one. Takes a quarter of an hour of two cores.
"""
