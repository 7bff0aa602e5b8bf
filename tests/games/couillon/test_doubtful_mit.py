"""A Mit' of a seat whose cards nobody wrote down: what is certain at once, and what comes of it later (COU-5.2)."""

from tests.games.couillon.tables import Table
from tests.games.scripted import cases_of


def doubtful(hands=None):
    """mit4, dealer 2, diamonds; seat 1 has called Mit' and nobody knows whether it holds SQ. Entry 5 is the call."""
    return Table("mit4").start(2).dealt(hands).trump(3, "D").said(1, "mit")


test_each_case_of_the_file = cases_of("couillon/doubtful_mit.txt", Table, doubtful)
