"""What was turned and said before the cards stand in the record (COU-11.11, 11.16, 11.23 to 11.25, 11.49)."""

import pytest

from tests.games.couillon.tables import Table

PASSES = ("0 pass", "1 pass", "2 pass", "3 pass")


def found_in(table):
    return [(f.code.removeprefix("COU-"), f.rule.removeprefix("COU-"), f.version, f.legal) for f in table.findings()]


def upcard():
    """basic4, dealer 3: CA is turned before any cards were dealt."""
    return Table().start(3).turned("CA")


def bottom():
    """The same, and D9 after all have passed."""
    return upcard().calls(*PASSES).turned("D9")


def deferred():
    """mit4, dealer 3: forehand has deferred, and HA is turned before any cards were dealt."""
    return Table("mit4").start(3).calls("0 defer").turned("HA")


def test_a_card_turned_before_the_deal_is_found_by_the_rule_of_its_procedure():
    assert found_in(upcard().dealt()) == [("11.49", "4.7", 3, None)]
    assert found_in(deferred().dealt()) == [("11.49", "4.13", 4, None)]


def test_a_card_turned_too_early_on_two_counts_is_found_once():
    assert found_in(Table("mit4").start(3).turned("HA").dealt()) == [("11.49", "4.13", 3, None)]
    assert found_in(upcard().turned("D9").dealt()) == [("11.49", "4.7", 3, None), ("11.49", "4.7", 4, None)]


@pytest.mark.parametrize("stock", [None, "CA ?? ?? ?? ?? ?? ?? D9"])
def test_cards_that_came_from_their_places_break_nothing_else(stock):
    table = bottom().dealt({0: "SA HA S9 H9"}, stock)
    assert found_in(table) == [("11.49", "4.7", 3, None), ("11.49", "4.7", 8, None)]
    assert (table.state().trump, table.state().stock) == ("D", ["CA", *["??"] * 6, "D9"])


def test_an_upcard_that_does_not_lie_on_top_of_the_stock_is_wrong():
    table = upcard().dealt(stock="HJ ?? ?? ?? ?? ?? ?? D9")
    assert found_in(table) == [("11.16", "3.16", 3, ["HJ"]), ("11.49", "4.7", 3, None)]
    assert table.calls("0 take").state().trump == "C"


def test_a_bottom_card_that_does_not_lie_at_the_bottom_is_wrong():
    table = bottom().dealt(stock="CA ?? ?? ?? ?? ?? ?? DT")
    assert found_in(table) == [("11.49", "4.7", 3, None), ("11.16", "4.7", 8, ["DT"]), ("11.49", "4.7", 8, None)]


def test_a_card_that_is_not_the_first_of_forehands_second_packet_is_wrong():
    table = deferred().dealt({0: "SK HQ HT SJ HA"})
    assert found_in(table) == [("11.16", "4.14", 4, ["SJ"]), ("11.49", "4.13", 4, None)]
    assert deferred().dealt({0: "SK HQ HT HA SJ"}).codes() == ["11.49"]


def test_the_card_turned_goes_to_forehand_though_his_hand_is_not_known():
    table = deferred().dealt()
    assert table.state().hands[0] == ["HA", "??", "??", "??", "??"]
    assert table.played(0, "HA").codes() == ["11.49"]


def test_a_card_turned_that_was_dealt_to_somebody_is_a_bad_pack_and_blocks_the_deal():
    for table in (upcard().dealt({0: "CA HA S9 H9"}), deferred().dealt({1: "SK HQ HT SJ HA"})):
        assert table.codes() == ["11.11", "11.49"]
        assert table.findings()[0].message.startswith(table.findings()[1].message[:2])
        assert table.played_out().deal().status == "unscorable"


def test_a_card_turned_before_the_deal_lies_in_no_hand():
    assert upcard().dealt().calls("0 take").played(0, "CA").codes() == ["11.49", "11.31"]


def test_the_deal_is_scored_where_nothing_but_the_moment_was_wrong():
    hands = {0: "SA HA DK C9", 1: "SK HK DQ CK", 2: "SQ S9 DJ CQ", 3: "SJ ST DA CJ"}
    table = Table().start(3).turned("HJ").dealt(hands, "HJ HQ HT H9 DT D9 CT CA").calls("0 take")
    assert table.played_out().deal().status == "complete"
    assert table.codes() == ["11.49"]


HANDS = {0: "SA SK HA HK D9", 1: "CA CK SQ CJ CT", 2: "HQ DK DQ DJ DT", 3: "S9 H9 DA C9 ST"}


def said_early():
    """mit4, dealer 2: D is named, and a Mit', a Kontra and a Re are called before any cards were dealt."""
    return Table("mit4").start(2).trump(3, "D").said(1, "mit").said(0, "kontra").said(3, "re")


class TestSaid:
    def test_calls_before_the_deal_are_void_each_by_its_rule_and_may_be_made_again(self):
        table = said_early().dealt(HANDS, "HJ HT SJ CQ")
        found = [(f.code, f.rule, f.version, f.seat) for f in table.findings()]
        assert found == [
            ("COU-11.23", "COU-5.1", 4, 1),
            ("COU-11.24", "COU-5.8", 5, 0),
            ("COU-11.25", "COU-5.10", 6, 3),
        ]
        assert table.state().contract == "plain"
        table.said(1, "mit").said(2, "kontra")
        assert (table.state().contract, len(table.codes())) == ("kontra", 3)

    def test_an_answer_that_nobody_gave_is_not_found(self):
        assert Table("mit4").start(2).trump(3, "D").said(1, "mit").dealt(HANDS).codes() == ["11.23"]
        assert Table("mit4").start(2).trump(3, "D").said(1, "mit").said(0, "kontra").dealt(HANDS).codes() == [
            "11.23",
            "11.24",
        ]

    def test_a_call_that_was_void_anyhow_is_found_once(self):
        table = Table("mit4").start(2).trump(3, "D").said(1, "mit").said(0, "mit").dealt(HANDS)
        assert [(f.code, f.version) for f in table.findings()] == [("COU-11.23", 4), ("COU-11.23", 5)]
        assert Table("mit4").start(2).trump(3, "D").said(0, "kontra").dealt(HANDS).codes() == ["11.24"]

    def test_where_the_cards_stand_first_the_moment_is_right(self):
        table = Table("mit4").start(2).dealt(HANDS, "HJ HT SJ CQ").trump(3, "D").said(1, "mit").said(0, "kontra")
        assert (table.said(3, "re").codes(), table.state().contract) == ([], "re")
