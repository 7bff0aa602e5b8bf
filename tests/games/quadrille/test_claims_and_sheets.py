"""Claims, score sheets, adjustments and the end of the match (QUA-11.45 to 11.54)."""

from tests.games.quadrille.tables import Table, at_play, with_six
from tests.games.scripted import cases_of


def claiming(winners="0000", **options):
    return with_six(winners, call="solo", claims=True, **options)


def stopped(**options):
    """A solo stopped after premiers: deltas +6, -2, -2, -2 without matadors, pool 0."""
    hands = {0: "SK", 1: "SA", 2: "CA", 3: "S2"}
    return with_six(call="solo", hands=hands, **options).said(0, "premiers_stop")


test_each_case_of_the_file = cases_of("quadrille/claims_and_sheets.txt", Table, at_play, claiming, stopped, with_six)
