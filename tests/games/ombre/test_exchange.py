"""The exchange (OMB-5.8 to 5.19, example 18) and its faults (OMB-11.23 to 11.29)."""

import pytest

from tests.games.ombre.tables import HANDS, STOCK, Record
from tests.games.scripted import cases_of


def exchanging(call="entrada", ombre=0, trump="S", stock=STOCK, hands=HANDS, **options):
    record = Record(**options).start(2).dealt(hands, stock).won_by(ombre, call)
    return record.turned(stock.split()[0]) if call == "vuelta" else record.trump(ombre, trump)


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


class TestYielding:
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


class TestExchangeOutOfOrder:  # 11.25 exchange_out_of_order
    def test_what_cannot_be_carried_out_is_fatal_though_only_the_order_is_reported(self):
        record = exchanging().exchanged(1, "SA")
        assert record.finding() == ("11.25", record.version, 1, None)
        machine = record.fold().deal(1).machine
        assert (machine.status, machine.view().phase, machine.legal()) == ("unscorable", "unscorable", {})


class TestExchangeMissing:  # 11.29 exchange_missing
    def test_a_missing_exchange_counts_as_none_and_is_found_at_the_first_card(self):
        record = exchanging().exchanged(0).played(0, "SA")
        found = [(f.code, f.version, f.seat, f.severity) for f in record.findings()]
        assert found == [("OMB-11.29", record.version, seat, "warning") for seat in (1, 2)]
        assert (record.state().phase, record.state().turn) == ("play", 1)


test_each_case_of_the_file = cases_of("ombre/exchange.txt", Record, exchanging)
