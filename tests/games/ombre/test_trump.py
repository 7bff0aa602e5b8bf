"""Fixing trumps (OMB-5.1 to 5.7) and its faults (OMB-11.19 to 11.22)."""

from tests.games.ombre.tables import HANDS, STOCK, Record
from tests.games.scripted import cases_of


def after_auction(call="entrada", stock=STOCK, hands=HANDS, **options):
    return Record(**options).start(2).dealt(hands, stock).won_by(0, call)


class TestTurnedCard:
    def test_all_see_the_turned_card_on_the_stock_and_in_the_hand_that_drew_it(self):
        record = after_auction("vuelta").turned("CA")
        assert record.state(seat=1).stock == ["CA", *["??"] * 12]
        record.exchanged(0, "D7 D6")
        assert record.state(seat=1).hands[0].count("CA") == 1
        assert record.state(seat=1).stock == ["??"] * 11


test_each_case_of_the_file = cases_of("ombre/trump.txt", Record, after_auction)
