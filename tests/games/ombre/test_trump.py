"""Fixing trumps (OMB-5.1 to 5.7) and its faults (OMB-11.19 to 11.22)."""

from tests.games.ombre.tables import HANDS, STOCK, Record
from tests.games.scripted import cases_of


def after_auction(call="entrada", stock=STOCK, hands=HANDS, **options):
    return Record(**options).start(2).dealt(hands, stock).won_by(0, call)


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


class TestTurnedCard:
    def test_all_see_the_turned_card_on_the_stock_and_in_the_hand_that_drew_it(self):
        record = after_auction("vuelta").turned("CA")
        assert record.state(seat=1).stock == ["CA", *["??"] * 12]
        record.exchanged(0, "D7 D6")
        assert record.state(seat=1).hands[0].count("CA") == 1
        assert record.state(seat=1).stock == ["??"] * 11


test_each_case_of_the_file = cases_of("ombre/trump.txt", Record, after_auction)
