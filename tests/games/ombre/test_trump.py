"""Fixing trumps (OMB-5.1 to 5.7) and its faults (OMB-11.19 to 11.22)."""

import pytest

from tests.games.cases import assert_cases, case
from tests.games.ombre.tables import HANDS, STOCK, Record


def after_auction(call="entrada", stock=STOCK, hands=HANDS, **options):
    return Record(**options).start(2).dealt(hands, stock).won_by(0, call)


@pytest.mark.parametrize("call", ["entrada", "solo"])
def test_the_ombre_names_any_suit(call):
    record = after_auction(call)
    assert record.state().turn == 0
    assert record.legal == {"trump_named": ["C", "D", "H", "S"]}


def test_in_vuelta_the_top_card_of_the_stock_is_turned():
    record = after_auction("vuelta")
    assert record.legal == {"card_turned": ["CA"]}
    state = record.turned("CA").state()
    assert state.trump == "C"  # OMB-5.5
    assert state.stock[0] == "CA"  # OMB-5.6
    assert record.codes() == []


def test_a_turned_spadille_makes_spades_trumps():
    hands = {**HANDS, 0: HANDS[0].replace("SA", "CA")}
    assert after_auction("vuelta", STOCK.replace("CA", "SA"), hands).turned("SA").state().trump == "S"


def test_of_an_unknown_stock_no_card_is_listed_and_any_may_turn_up():
    record = after_auction("vuelta", None)
    assert record.legal == {}
    assert record.turned("H4").codes() == []
    assert (record.state().trump, record.state().stock[0]) == ("H", "H4")


class TestTrumpMissing:  # 11.19 trump_missing
    @pytest.mark.parametrize(
        "go_on",
        [
            lambda record: record.exchanged(0, "D7"),
            lambda record: record.said(0, "yield_exchange"),
            lambda record: record.played(0, "SA"),
        ],
    )
    def test_going_on_without_trumps_is_fatal(self, go_on):
        record = go_on(after_auction())
        assert record.finding() == ("11.19", record.version, 0, None)
        assert record.deal().status == "unscorable"

    def test_after_a_void_naming_trumps_are_still_missing(self):
        assert after_auction("solo_favour", favourite_suit="H").trump(0, "S").exchanged(1).codes() == ["11.20", "11.19"]


class TestTrumpNotAllowed:  # 11.20 trump_not_allowed
    @pytest.mark.parametrize("call", ["entrada", "solo"])
    def test_turning_a_card_in_entrada_or_solo_is_void(self, call):
        record = after_auction(call).turned("CA")
        assert record.finding() == ("11.20", record.version, None, None)
        assert record.state().trump is None

    def test_a_second_naming_is_void(self):
        record = after_auction().trump(0, "S").trump(0, "H")
        assert record.finding() == ("11.20", record.version, 0, None)
        assert record.findings()[0].rule == "OMB-5.7"
        assert record.state().trump == "S"

    @pytest.mark.parametrize("call", ["entrada_favour", "solo_favour"])
    def test_another_suit_than_the_favourite_after_a_favour_call_is_void(self, call):
        record = after_auction(call, favourite_suit="H").trump(0, "S")
        assert record.finding() == ("11.20", record.version, 0, None)
        assert record.findings()[0].rule == "OMB-5.2"
        assert record.trump(0, "H").state().trump == "H"

    def test_naming_trumps_when_all_passed_is_void(self):
        record = Record().start(2).dealt(HANDS, STOCK).calls("0 pass", "1 pass", "2 pass").trump(0, "S")
        assert record.finding() == ("11.20", record.version, 0, None)


class TestTurnedCard:
    def test_all_see_the_turned_card_on_the_stock_and_in_the_hand_that_drew_it(self):
        record = after_auction("vuelta").turned("CA")
        assert record.state(seat=1).stock == ["CA", *["??"] * 12]
        record.exchanged(0, "D7 D6")
        assert record.state(seat=1).hands[0].count("CA") == 1
        assert record.state(seat=1).stock == ["??"] * 11

    def test_a_card_turned_from_an_unknown_stock_stays_its_top_card(self):
        record = after_auction("vuelta", None).turned("H4")
        assert record.state().stock == ["H4", *["??"] * 12]  # OMB-5.6
        assert record.exchanged(0, "D7 D6", drawn="H4 C5").codes() == []
        assert {"H4", "C5"} <= set(record.state().hands[0])

    @pytest.mark.parametrize("drawn", ["H4 SQ", "H4 H4", "C5 H4"])
    def test_what_lies_elsewhere_is_not_drawn_behind_a_card_turned_from_an_unknown_stock(self, drawn):
        assert after_auction("vuelta", None).turned("H4").exchanged(0, "D7 D6", drawn=drawn).codes() == ["11.28"]

    def test_a_card_of_the_known_stock_is_in_no_hidden_hand(self):
        record = after_auction("solo", STOCK, {0: HANDS[0]}).trump(0, "S").exchanged(1, 0).exchanged(2, 0)
        assert "HA" not in record.played(0, "HK").legal["card_played"]
        assert record.played(1, "HA").codes() == ["11.35"]

    def test_a_turned_card_is_in_no_hidden_hand(self):
        record = after_auction("vuelta", None, {0: HANDS[0]}).turned("H4").exchanged(0).exchanged(1, 0).exchanged(2, 0)
        record.played(0, "HK").played(1, "H4")
        assert record.codes() == ["11.35"]


CASES = [
    # 11.20 trump_not_allowed
    case("naming in vuelta is void", after_auction("vuelta").trump(0, "S"), ("11.20", 0, None), trump=None),
    case("a second turning is void", after_auction("vuelta").turned("CA").turned("D3"), "11.20", trump="C"),
    case("a second naming by another seat", after_auction().trump(0, "S").trump(1, "H"), "11.20"),
    # 11.21 trump_by_wrong_seat
    case("named by another, it stands", after_auction().trump(1, "H"), ("11.21", 1, None), trump="H", declarer=0),
    case("a wrong suit by another seat", after_auction("entrada_favour", favourite_suit="H").trump(1, "S"), "11.20"),
    # 11.22 wrong_upcard
    case("a wrong upcard is overruled", after_auction("vuelta").turned("D3"), ("11.22", None, ["CA"]), trump="C"),
    case("a card of a hand turned up", after_auction("vuelta", None).turned("HK"), ("11.22", None, None)),
    case("the right upcard is no fault", after_auction("vuelta").turned("CA")),
]


def test_each_case_is_as_its_row_says():
    assert_cases(CASES)
