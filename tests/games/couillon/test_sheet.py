"""Score sheets against the computed result (COU-11.40 to 11.45): compared, never believed."""

import pytest

from ledger.errors import MalformedError
from tests.games.couillon.tables import Table
from tests.games.scripted import cases_of


def bars():
    """Team 0 wins 15 to 9 over team 1, which had made trumps: [0,0,0,0] and [1,0,0,0,0]."""
    return Table().start(3).result(15, 9, (3, 1), maker=1)


def points():
    return Table("mit4").start(3).result(20, 10, (3, 2), maker=0)


def left_with_stock():
    """The stock is worth 6: 34 are in play."""
    return Table().start(3).dealt(stock="HJ HQ HT H9 DT D9 DQ CJ").turned("HJ")


@pytest.mark.parametrize("sheet", [{"winner": 2}, {"card_points": [41, 0]}, {"bars": [-1, 0]}, {"point": [1, 2]}])
def test_a_sheet_that_no_table_could_write_is_refused(sheet):
    with pytest.raises(MalformedError, match=next(iter(sheet))):
        bars().claimed(**sheet).shaped()


def awarded():
    return Table().start(3).result(15, 9).ruled("award", winner=1, strength=1)


def awarded_in_points():
    return Table("mit4").start(3).result(20, 10, (3, 2), maker=0).ruled("award", winner=1, v=2)


SHEETS = {
    "a draw that was none": ("COU-11.41", bars().claimed(winner=None), False),
    "another NEED and a pool": ("COU-11.42", bars().claimed(bars=[3, 5], pool=1), True),
    "wrong card points": ("COU-11.40", bars().claimed(card_points=[16, 9]), True),
    "wrong tricks": ("COU-11.40", bars().claimed(tricks=[2, 2]), True),
    "card points that are too many": ("COU-11.40", left_with_stock().claimed(card_points=[20, 15]).closed(), False),
    "card points that cannot be": ("COU-11.40", Table().start(3).dealt().claimed(card_points=[21, 20]).closed(), False),
    "a wrong winner": ("COU-11.41", bars().claimed(winner=1), False),
    "a missed draw": ("COU-11.41", Table().start(3).result(12, 12).claimed(winner=0), False),
    "another winner than awarded": ("COU-11.41", awarded().claimed(winner=0), False),
    "another NEED": ("COU-11.42", bars().claimed(bars=[3, 5]), True),
    "wrong deltas": ("COU-11.42", bars().claimed(deltas=[1, 0, 1, 0]), True),
    "another picture": ("COU-11.43", bars().claimed(bars=[4, 6], circles=[0, 0]), True),
    "a draw mark too many": ("COU-11.44", bars().claimed(draw_mark=True), False),
    "a missing draw mark": ("COU-11.44", Table().start(3).result(12, 12).claimed(draw_mark=False), False),
    "other game points": ("COU-11.45", points().claimed(gp=[13, 13]), True),
}
"""For `tests/games/test_sheets_in_words.py`."""


test_each_case_of_the_file = cases_of("couillon/sheet.txt", Table, awarded, awarded_in_points, bars, points)
