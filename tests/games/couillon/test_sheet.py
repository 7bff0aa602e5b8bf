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


@pytest.mark.parametrize("sheet", [{"winner": 2}, {"card_points": [41, 0]}, {"bars": [-1, 0]}, {"point": [1, 2]}])
def test_a_sheet_that_no_table_could_write_is_refused(sheet):
    with pytest.raises(MalformedError, match=next(iter(sheet))):
        bars().claimed(**sheet).shaped()


def awarded():
    return Table().start(3).result(15, 9).ruled("award", winner=1, strength=1)


def awarded_in_points():
    return Table("mit4").start(3).result(20, 10, (3, 2), maker=0).ruled("award", winner=1, v=2)


test_each_case_of_the_file = cases_of("couillon/sheet.txt", Table, awarded, awarded_in_points, bars, points)
