"""Measures how often the 95 % intervals of means hold the true mean, and writes the table in docs/statistics.md.

    python -m tools.coverage

Deals of every game are played by people of one skill. Samples of these are drawn again and again; the mean of all is
the true one. Needs the extra `bench`, and some minutes.
"""
