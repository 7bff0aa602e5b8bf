"""The exchange (OMB-5.8 to 5.19, example 18) and its faults (OMB-11.23 to 11.29)."""

import pytest

from tests.builders import cards
from tests.games.cases import assert_cases, case, shown
from tests.games.ombre.tables import HANDS, STOCK, Record


def exchanging(call="entrada", ombre=0, trump="S", stock=STOCK, hands=HANDS, **options):
    record = Record(**options).start(2).dealt(hands, stock).won_by(ombre, call)
    return record.turned(stock.split()[0]) if call == "vuelta" else record.trump(ombre, trump)


def counts(record):
    return record.legal["cards_exchanged"]


def upto(most):
    return list(range(most + 1))


class TestOrderAndLimits:
    def test_in_entrada_the_ombre_then_right_then_left_neighbour_exchange(self):
        record = exchanging(ombre=1)
        turns = [record.state().turn]
        for seat in (1, 2, 0):
            record.exchanged(seat)
            turns.append(record.state().turn)
        assert turns == [1, 2, 0, 0]  # and forehand leads
        assert record.state().phase == "play"
        assert record.codes() == []

    def test_the_cards_put_aside_leave_the_hand_and_the_top_of_the_stock_comes(self):
        state = exchanging().exchanged(0, "D7 D6 H3").state()
        assert sorted(state.hands[0]) == sorted(cards("SA S2 SK CK HK HQ CA D3 C6"))
        assert state.stock == STOCK.split()[3:]

    def test_the_solo_limit_is_an_option(self):
        assert counts(exchanging("solo", solo_first_exchange_max=0)) == [0]


class TestYielding:
    def test_the_right_neighbour_may_yield_once_the_ombre_has_exchanged(self):
        record = exchanging()
        assert "announced" not in record.legal
        record.exchanged(0)
        assert record.legal["announced"] == ["yield_exchange"]
        record.said(1, "yield_exchange")
        assert (record.state().turn, "announced" in record.legal) == (2, False)
        assert record.exchanged(2).exchanged(1).codes() == []

    def test_in_solo_the_right_neighbour_may_yield_at_once(self):
        assert exchanging("solo").legal["announced"] == ["yield_exchange"]

    @pytest.mark.parametrize(
        ("call", "go_on", "rule"),
        [
            ("entrada", lambda record: record.said(1, "yield_exchange"), "OMB-5.11"),  # too early
            ("entrada", lambda record: record.said(2, "yield_exchange"), "OMB-5.10"),  # another seat
            ("entrada", lambda record: record.exchanged(0).said(2, "yield_exchange"), "OMB-5.10"),
            ("entrada", lambda record: record.exchanged(0).said(0, "yield_exchange"), "OMB-5.10"),
            ("solo", lambda record: record.exchanged(1).said(1, "yield_exchange"), "OMB-5.10"),  # too late
            ("solo", lambda record: record.exchanged(1).exchanged(2).said(1, "yield_exchange"), "OMB-5.10"),
            (
                "solo",
                lambda record: record.exchanged(1).exchanged(2).played(0, "SA").said(1, "yield_exchange"),
                "OMB-5.10",
            ),
        ],
    )
    def test_an_illegal_yield_is_found_and_void(self, call, go_on, rule):
        record = go_on(exchanging(call))
        turn = record.state().turn
        assert [(f.code, f.rule, f.version) for f in record.findings()] == [("OMB-11.23", rule, record.version)]
        record.entries.pop()
        assert record.state().turn == turn

    def test_yielding_twice_is_found(self):
        record = exchanging("solo").said(1, "yield_exchange").said(1, "yield_exchange")
        assert record.finding() == ("11.23", record.version, 1, None)
        assert record.state().turn == 2

    def test_yielding_can_be_forbidden(self):
        record = exchanging("solo", exchange_yield=False)
        assert "announced" not in record.legal
        assert record.said(1, "yield_exchange").codes() == ["11.23"]


class TestExchangeNotEntitled:  # 11.24 exchange_not_entitled
    def test_the_ombre_of_a_solo_may_not_exchange(self):
        record = exchanging("solo").exchanged(0, "D7")
        assert record.finding() == ("11.24", record.version, 0, None)
        assert record.findings()[0].rule == "OMB-5.9"
        assert "D7" in record.state().hands[0]

    def test_a_second_exchange_is_void(self):
        record = exchanging().exchanged(0, "D7").exchanged(0, "D6")
        assert record.finding() == ("11.24", record.version, 0, None)
        assert "D6" in record.state().hands[0]

    def test_an_exchange_after_the_first_lead_is_void(self):
        record = exchanging().exchanged(0).exchanged(1).exchanged(2).played(0, "CK").exchanged(1, "C7")
        assert record.finding() == ("11.24", record.version, 1, None)


class TestExchangeOutOfOrder:  # 11.25 exchange_out_of_order
    def test_an_exchange_before_its_turn_stands(self):
        record = exchanging().exchanged(1, "C7 C3")
        assert record.finding() == ("11.25", record.version, 1, None)
        assert {"CA", "D3"} <= set(record.state().hands[1])
        assert record.state().turn == 0

    def test_what_cannot_be_carried_out_is_fatal_though_only_the_order_is_reported(self):
        record = exchanging().exchanged(1, "SA")
        assert record.finding() == ("11.25", record.version, 1, None)
        machine = record.fold().deal(1).machine
        assert (machine.status, machine.view().phase, machine.legal()) == ("unscorable", "unscorable", {})


class TestDiscardNotHeld:  # 11.26 discard_not_held
    @pytest.mark.parametrize("discarded", ["SQ", "D7 D7", "CA", "D7 HJ"])
    def test_putting_aside_a_card_not_held_or_twice_is_fatal(self, discarded):
        record = exchanging().exchanged(0, discarded)
        assert record.finding() == ("11.26", record.version, 0, None)
        assert record.deal().status == "unscorable"

    def test_more_unknown_cards_than_are_hidden_cannot_be_put_aside(self):
        hands = {0: "SA S2 SK CK HK HQ D7 D6 ??"}
        assert exchanging(hands=hands, stock="?? " * 13).exchanged(0, "H3 H4").codes() == ["11.26"]
        assert exchanging(hands=hands, stock="?? " * 13).exchanged(0, "H3 D7").codes() == []


class TestExchangeTooMany:  # 11.27 exchange_too_many
    def test_too_many_cards_stand_if_the_stock_has_them(self):
        record = exchanging("solo").exchanged(1, HANDS[1])
        assert record.finding() == ("11.27", record.version, 1, None)
        assert record.findings()[0].rule == "OMB-5.14"
        assert record.state().stock == STOCK.split()[9:]
        assert record.deal().status == "open"

    def test_more_cards_than_the_stock_has_are_fatal(self):
        record = exchanging().exchanged(0, HANDS[0]).exchanged(1, "SQ SJ S7 DK DQ")
        assert record.finding() == ("11.27", record.version, 1, None)
        assert record.findings()[0].rule == "OMB-5.13"
        assert record.deal().status == "unscorable"


class TestDrawMismatch:  # 11.28 draw_mismatch
    def test_cards_drawn_that_are_not_the_top_of_the_stock_are_fatal(self):
        record = exchanging().exchanged(0, "D7 D6", drawn="D3 CA")
        assert record.finding() == ("11.28", record.version, 0, None)
        assert record.deal().status == "unscorable"

    @pytest.mark.parametrize("drawn", ["CA D3", "?? D3", "?? ??"])
    def test_the_right_cards_drawn_are_no_fault(self, drawn):
        assert exchanging().exchanged(0, "D7 D6", drawn=drawn).codes() == []

    @pytest.mark.parametrize("drawn", ["SQ C5", "C5 C5"])
    def test_of_an_unknown_stock_only_impossible_cards_are_found(self, drawn):
        assert exchanging(stock="?? " * 13).exchanged(0, "D7 D6", drawn=drawn).codes() == ["11.28"]

    def test_cards_drawn_from_an_unknown_stock_become_known(self):
        record = exchanging(stock="?? " * 13).exchanged(0, "D7 D6", drawn="C5 H4")
        assert record.codes() == []
        assert {"C5", "H4"} <= set(record.state().hands[0])


class TestExchangeMissing:  # 11.29 exchange_missing
    def test_a_missing_exchange_counts_as_none_and_is_found_at_the_first_card(self):
        record = exchanging().exchanged(0).played(0, "SA")
        found = [(f.code, f.version, f.seat, f.severity) for f in record.findings()]
        assert found == [("OMB-11.29", record.version, seat, "warning") for seat in (1, 2)]
        assert (record.state().phase, record.state().turn) == ("play", 1)

    def test_a_card_of_the_seat_that_sits_out_shows_missing_exchanges_too(self):
        record = Record(4).start(3).dealt().won_by(0, "solo").trump(0, "S").played(3, "SA")
        assert record.codes() == ["11.29", "11.29", "11.32"]


CASES = [
    # order and limits
    shown("in solo the ombre does not exchange", exchanging("solo", ombre=1), turn=2),
    shown("the play begins after two", exchanging("solo", ombre=1).exchanged(2).exchanged(0), phase="play"),
    # 11.24 exchange_not_entitled
    case(
        "who sits out may not", Record(4).start(3).dealt().won_by(0).trump(0, "S").exchanged(3, 1), ("11.24", 3, None)
    ),
    # 11.25 exchange_out_of_order
    case("only the order is reported, if too many", exchanging("solo").exchanged(2, HANDS[2]), "11.25", turn=1),
    # 11.29 exchange_missing
    case("missing ones beside a wrong card", exchanging().exchanged(0).exchanged(1).played(1, "SQ"), "11.29", "11.32"),
]


def test_each_case_is_as_its_row_says():
    assert_cases(CASES)
