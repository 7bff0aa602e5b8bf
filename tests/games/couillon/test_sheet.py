"""Score sheets against the computed result (COU-11.40 to 11.45): compared, never believed."""

import pytest

from ledger.errors import MalformedError
from tests.games.cases import assert_cases, case
from tests.games.couillon.tables import Table


def bars():
    """Team 0 wins 15 to 9 over team 1, which had made trumps: [0,0,0,0] and [1,0,0,0,0]."""
    return Table().start(3).result(15, 9, (3, 1), maker=1)


def points():
    return Table("mit4").start(3).result(20, 10, (3, 2), maker=0)


RIGHT_BARS = {
    "card_points": [15, 9],
    "tricks": [3, 1],
    "winner": 0,
    "bars": [4, 5],
    "circles": [0, 1],
    "draw_mark": False,
    "deltas": [1, -1, 1, -1],
    "totals": [1, -1, 1, -1],
    "pool": 0,
}


@pytest.mark.parametrize(
    ("sheet", "code", "rule"),
    [
        ({"card_points": [16, 9]}, "11.40", "7.1"),
        ({"tricks": [2, 2]}, "11.40", "7.38"),
        ({"card_points": [16, 9], "tricks": [2, 2]}, "11.40", "7.1"),
        ({"winner": 1}, "11.41", "7.3"),
        ({"winner": None}, "11.41", "7.3"),
        ({"bars": [3, 5]}, "11.42", "7.9"),
        ({"circles": [0, 0]}, "11.42", "7.9"),
        ({"bars": [4, 6], "circles": [0, 1]}, "11.42", "7.9"),
        ({"deltas": [1, 0, 1, 0]}, "11.42", "7.9"),
        ({"totals": [2, -1, 2, -1]}, "11.42", "7.9"),
        ({"pool": 1}, "11.42", "7.9"),
        ({"bars": [4, 5], "circles": [0, 2], "deltas": [0, 0, 0, 0]}, "11.42", "7.9"),
        ({"bars": [4, 6], "circles": [0, 0]}, "11.43", "7.18"),
        ({"draw_mark": True}, "11.44", "7.15"),
        ({"draw_mark": 2}, "11.44", "7.15"),
    ],
)
def test_each_wrong_field_of_a_board_is_one_finding_at_the_sheet(sheet, code, rule):
    table = bars().claimed(**sheet)
    assert table.breach() == (code, rule, table.version, None)
    assert table.carried["need"] == [4, 6]


def test_another_picture_is_worth_noting_beside_wrong_progress():
    assert bars().claimed(bars=[4, 6], circles=[0, 0], deltas=[1, 0, 1, 0]).codes() == ["11.42", "11.43"]


def test_the_winner_of_a_tie_is_wrong_by_the_rule_that_decides_ties():
    table = Table(tie_rule="makers_lose").start(0).result(14, 14, maker=1, trump="S").claimed(winner=None)
    assert table.breach() == ("11.41", "7.5", table.version, None)


def test_a_missing_draw_mark_and_a_missed_draw_are_found():
    table = Table().start(3).result(12, 12).claimed(winner=0, draw_mark=0)
    assert [(f.code, f.rule) for f in table.findings()] == [("COU-11.41", "COU-7.4"), ("COU-11.44", "COU-7.12")]
    assert Table().start(3).result(12, 12).claimed(winner=None, draw_mark=1).codes() == []


@pytest.mark.parametrize("sheet", [{"gp": [11, 13]}, {"deltas": [2, 0, 2, 0]}, {"totals": [0, 0, 0, 0]}])
def test_wrong_game_points_are_one_finding(sheet):
    table = points().claimed(**sheet)
    assert table.breach() == ("11.45", "7.32", table.version, None)


def left_with_stock():
    """The stock is worth 6: 34 are in play."""
    return Table().start(3).dealt(stock="HJ HQ HT H9 DT D9 DQ CJ").turned("HJ")


class TestDealsWithoutAComputedResult:
    @pytest.mark.parametrize(
        ("claimed", "is_right"), [([20, 14], True), ([20, 15], False), ([30, 11], False), ([3, 3], False)]
    )
    def test_of_a_deal_that_cannot_be_scored_the_sum_of_card_points_is_checked(self, claimed, is_right):
        """COU-7.37."""
        table = left_with_stock().claimed(card_points=claimed)
        version = table.version
        found = [(f.code, f.rule, f.version) for f in table.closed().findings() if f.code != "COU-11.37"]
        assert found == ([] if is_right else [("COU-11.40", "COU-7.37", version)])

    def test_where_the_stock_is_not_known_only_impossible_sums_are_found(self):
        def codes(first, second):
            return Table().start(3).dealt().claimed(card_points=[first, second], tricks=[1, 1]).closed().codes()

        assert codes(20, 20) == ["11.37"]
        assert codes(21, 20) == codes(6, 5) == ["11.37", "11.40"]

    @pytest.mark.parametrize("sheet", [{"winner": 2}, {"card_points": [41, 0]}, {"bars": [-1, 0]}, {"point": [1, 2]}])
    def test_a_sheet_that_no_table_could_write_is_refused(self, sheet):
        with pytest.raises(MalformedError, match=next(iter(sheet))):
            bars().claimed(**sheet).shaped()


def awarded():
    return Table().start(3).result(15, 9).ruled("award", winner=1, strength=1)


def awarded_in_points():
    return Table("mit4").start(3).result(20, 10, (3, 2), maker=0).ruled("award", winner=1, v=2)


class TestAfterARuling:  # after a ruling (contract 5)
    def test_a_sheet_that_shows_the_board_of_an_award_is_no_finding(self):
        sheet = {"winner": 1, "bars": [5, 4], "circles": [0, 0], "draw_mark": False, "card_points": [9, 15]}
        assert awarded().claimed(deltas=[0, 1, 0, 1], **sheet).codes() == []

    @pytest.mark.parametrize(
        ("sheet", "code"), [({"bars": [4, 5]}, "11.42"), ({"winner": 0}, "11.41"), ({"draw_mark": True}, "11.44")]
    )
    def test_a_sheet_that_shows_another_board_than_an_award_makes_is_found(self, sheet, code):
        assert awarded().claimed(**sheet).codes() == [code]

    def test_a_sheet_before_the_award_is_held_to_the_cards(self):
        table = Table().start(3).result(15, 9).claimed(bars=[5, 4])
        assert table.ruled("award", winner=1, strength=1).codes() == ["11.42"]


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


CASES = [
    case("a right sheet is no finding", bars().claimed(**RIGHT_BARS)),
    case("of points", points().claimed(gp=[12, 13], winner=0, deltas=[1, 0, 1, 0], totals=[1, 0, 1, 0])),
    case("an empty one", bars().claimed()),
    case("bars know no gp", bars().claimed(gp=[1, 1])),
    case("points know no bars", points().claimed(bars=[1, 1], draw_mark=1)),
    case("totals are those of all deals", bars().start().result(15, 9, maker=0).claimed(totals=[2, -1, 2, -1])),
    case("of a voided deal nothing is compared", Table().start(3).claimed(card_points=[40, 40]).voided()),
    case("of one voided by ruling", bars().claimed(winner=1).ruled("void")),
    # after a ruling (contract 5)
    case("the game points of an award", awarded_in_points().claimed(winner=1, gp=[13, 11])),
    case("other points than awarded", awarded_in_points().claimed(gp=[12, 13]), "11.45"),
]


def test_each_case_is_as_its_row_says():
    assert_cases(CASES)
