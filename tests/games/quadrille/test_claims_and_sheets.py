"""Claims, score sheets, adjustments and the end of the match (QUA-11.45 to 11.54)."""

from tests.games.quadrille.tables import Table, at_play, with_six
from tests.games.scripted import cases_of


def claiming(winners="0000", **options):
    return with_six(winners, call="solo", claims=True, **options)


def stopped(**options):
    """A solo stopped after premiers: deltas +6, -2, -2, -2 without matadors, pool 0."""
    hands = {0: "SK", 1: "SA", 2: "CA", 3: "S2"}
    return with_six(call="solo", hands=hands, **options).said(0, "premiers_stop")


SHEETS = {
    "wrong deltas": ("QUA-11.47", stopped().claimed(deltas=[5, -1, -2, -2]), True),
    "a wrong pool": ("QUA-11.48", stopped().claimed(pool=1), False),
    "a sum that is not zero": ("QUA-11.49", stopped().claimed(deltas=[6, -2, -2, -2], pool=1), True),
    "such a sum of a deal that has no score": (
        "QUA-11.49",
        at_play().trick(0, "HK HQ").claimed(deltas=[1, 1, 1, 1], pool=4).start(0),
        False,
    ),
    "wrong balances": ("QUA-11.50", stopped().claimed(totals=[5, -1, -2, -2]), True),
    "a false bonus": ("QUA-11.51", stopped().claimed(bonuses=["premiers", "matadors"]), False),
    "a missed bonus": ("QUA-11.52", stopped().claimed(bonuses=[]), False),
}
"""For `tests/games/test_sheets_in_words.py`."""


test_each_case_of_the_file = cases_of("quadrille/claims_and_sheets.txt", Table, at_play, claiming, stopped, with_six)
