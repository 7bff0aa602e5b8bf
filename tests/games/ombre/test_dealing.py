"""Seats, antes and the deal (OMB-2.1 to 2.12, 3.1 to 3.13), wrong deals and dealers (OMB-11.10, 11.11)."""

import pytest

from ledger.errors import MalformedError
from ledger.games.ombre import make_options
from ledger.games.ombre.pack import active_seats, neighbours
from tests.builders import cards
from tests.games.ombre.tables import HANDS, STOCK, Record
from tests.games.scripted import cases_of


def deal_of(hands, stock=STOCK, players=3, dealer=2):
    return Record(players).start(dealer).dealt(hands, stock)


class TestSeats:
    def test_with_three_all_seats_are_active_from_forehand_on(self):
        assert active_seats(3, dealer=1) == (2, 0, 1)

    def test_with_four_the_dealer_sits_out(self):
        assert active_seats(4, dealer=1) == (2, 3, 0)

    def test_right_and_left_neighbour_leave_out_the_dealer(self):
        assert neighbours(active_seats(4, dealer=2), 1) == (3, 0)  # example 18 e
        assert neighbours(active_seats(3, dealer=2), 2) == (0, 1)

    @pytest.mark.parametrize("players", [2, 5])
    def test_the_table_has_three_or_four_players(self, players):
        with pytest.raises(MalformedError, match="3 or 4 names"):
            make_options({}, players)


def dealing_order():
    """The forty cards as they are dealt: three rounds of three to each seat, then the stock."""
    packets = [cards(HANDS[seat])[3 * packet : 3 * packet + 3] for packet in range(3) for seat in range(3)]
    return (*(card for packet in packets for card in packet), *cards(STOCK))


class TestDeal:
    def test_hands_follow_from_the_dealing_order(self):
        state = Record().start(2).dealt(deck=dealing_order()).state()
        assert state.hands == deal_of(HANDS).state().hands
        assert state.stock == list(cards(STOCK))

    @pytest.mark.parametrize("told", [({}, None), (HANDS, STOCK)])
    def test_a_dealing_order_without_forty_cards_is_a_bad_deal(self, told):
        record = Record().start(2).dealt(*told, deck=dealing_order()[:39])
        assert record.finding() == ("11.10", record.version, None, None)
        assert record.findings()[0].message == "the dealing order has 39 cards instead of 40"
        assert record.deal().status == "unscorable"

    @pytest.mark.parametrize("told", [({}, None), (HANDS, STOCK)])
    def test_a_dealing_order_with_a_repeated_card_is_a_bad_deal(self, told):
        record = Record().start(2).dealt(*told, deck=(*dealing_order()[:39], "SA"))
        assert record.finding() == ("11.10", record.version, None, None)
        assert "♠A" in record.findings()[0].message

    @pytest.mark.parametrize("hand", ["SA S2 SK CK HK HQ D7 D6", "SA S2 SK CK HK HQ D7 D6 H3 H4", ""])
    def test_a_hand_without_nine_cards_is_a_bad_deal(self, hand):
        record = deal_of({**HANDS, 0: hand}, None)
        assert record.finding() == ("11.10", record.version, 0, None)
        assert record.findings()[0].rule == "OMB-3.7"
        assert record.deal().status == "unscorable"

    def test_a_deal_known_by_its_result_is_settled(self):
        record = Record().start(2).result(ombre=1, contract="solo", trump="H", tricks=[2, 5, 2])
        view = record.machine().view()
        assert (view.phase, view.turn, view.declarer, view.contract, view.trump) == ("settled", None, 1, "solo", "H")
        assert view.trick_counts == [2, 5, 2]


def test_a_right_dealing_order_beside_the_hands_is_in_order():
    assert Record().start(2).dealt(HANDS, STOCK, deck=dealing_order()).codes() == []


test_each_case_of_the_file = cases_of("ombre/dealing.txt", Record, deal_of)
