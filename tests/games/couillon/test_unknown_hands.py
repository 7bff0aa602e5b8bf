"""Hands that nobody wrote down: what later cards prove, and what cannot be known (COU-11.33, 11.34, 7.1)."""

from tests.games.couillon.tables import Table
from tests.games.scripted import cases_of


def hidden(**options):
    """basic4, dealer 3, nothing known but that seat 0 took the upcard HJ."""
    return Table(**options).start(3).dealt().turned("HJ").calls("0 take")


test_each_case_of_the_file = cases_of("couillon/unknown_hands.txt", Table, hidden)
