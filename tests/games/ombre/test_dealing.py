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


class TestAntesAndDealers:
    def test_the_dealer_antes_before_the_deal(self):
        deal = deal_of(HANDS).deal()
        assert (deal.status, deal.deltas, deal.pool_before, deal.pool_after) == ("open", [0, 0, -5], 0, 5)
        (line,) = deal.lines
        assert (line.rule, line.source, line.target, line.amount) == ("OMB-3.4", 2, "pool", 5)

    def test_an_ante_of_nothing_is_no_payment(self):
        assert Record(ante=0).start(1).dealt().deal().lines == []

    def test_the_totals_hold_the_ante_of_a_deal_in_progress(self):
        score = deal_of(HANDS).score()
        assert (score.totals, score.state) == ([0, 0, -5], {"pool": 5})  # OMB-8.3, 8.5

    def test_after_a_voided_deal_the_same_dealer_deals_again_without_an_ante(self):
        record = Record().start(2).voided().start(2).result()
        assert record.codes() == ["11.52"]
        assert [deal.deltas for deal in record.score().deals] == [[0, 0, -5], [0, 0, 0]]
        assert record.score().state == {"pool": 5}


def dealing_order():
    """The forty cards as they are dealt: three rounds of three to each seat, then the stock."""
    packets = [cards(HANDS[seat])[3 * packet : 3 * packet + 3] for packet in range(3) for seat in range(3)]
    return (*(card for packet in packets for card in packet), *cards(STOCK))


class TestDeal:
    def test_a_right_deal_has_no_finding_and_opens_the_auction(self):
        record = deal_of(HANDS)
        assert record.codes() == []
        state = record.state()
        assert (state.phase, state.turn) == ("auction", 0)
        assert [len(hand) for hand in state.hands] == [9, 9, 9]
        assert state.stock == list(cards(STOCK))

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

    @pytest.mark.parametrize(
        ("hand", "rule"),
        [("SA S2 SK CK HK HQ D7 D6", "OMB-3.7"), ("SA S2 SK CK HK HQ D7 D6 H3 H4", "OMB-3.7"), ("", "OMB-3.7")],
    )
    def test_a_hand_without_nine_cards_is_a_bad_deal(self, hand, rule):
        record = deal_of({**HANDS, 0: hand}, None)
        assert record.finding() == ("11.10", record.version, 0, None)
        assert record.findings()[0].rule == rule
        assert record.deal().status == "unscorable"

    @pytest.mark.parametrize(("hands", "stock"), [({**HANDS, 2: HANDS[2].replace("S6", "SA")}, STOCK), (HANDS, None)])
    def test_a_repeated_card_is_a_bad_deal(self, hands, stock):
        stock = stock or STOCK.replace("DA", "SA")
        record = deal_of(hands, stock)
        assert record.finding() == ("11.10", record.version, None, None)
        assert "♠A" in record.findings()[0].message

    def test_a_deal_known_by_its_result_is_settled(self):
        record = Record().start(2).result(ombre=1, contract="solo", trump="H", tricks=[2, 5, 2])
        view = record.fold().deal(1).machine.view()
        assert (view.phase, view.turn, view.declarer, view.contract, view.trump) == ("settled", None, 1, "solo", "H")
        assert view.trick_counts == [2, 5, 2]

    def test_a_deal_may_be_nothing_but_its_calls_and_its_play(self):
        record = Record().start(2).calls("0 pass")
        state = record.state()
        assert (state.phase, state.turn, [len(hand) for hand in state.hands]) == ("auction", 1, [9, 9, 9])
        assert state.stock == ["??"] * 13
        record.calls("1 solo", "2 pass").trump(1, "S").exchanged(2, 1).exchanged(0, 0).trick(0, "HK HQ HJ")
        assert record.codes() == []
        assert record.state().trick_counts == [1, 0, 0]


def test_a_right_dealing_order_beside_the_hands_is_in_order():
    assert Record().start(2).dealt(HANDS, STOCK, deck=dealing_order()).codes() == []


test_each_case_of_the_file = cases_of("ombre/dealing.txt", Record, deal_of)
