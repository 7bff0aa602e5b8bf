"""Who was dealt SA must play when all pass (OMB-4.21, 4.22, example 23 e)."""

import pytest

from tests.games.cases import assert_cases, case, shown
from tests.games.ombre.tables import Record

HANDS = {0: "S2 SK SQ CK HK HQ D7 D6 H3", 1: "SJ S7 DK DQ DJ C7 C3 H2 HA", 2: "SA CJ C4 H7 H5 D5 D4 D2 C2"}
STOCK = "CA D3 C6 S5 S4 S6 S3 C5 H6 H4 CQ HJ DA"


def all_passed(hands=HANDS, stock=STOCK):
    record = Record(all_pass="spadille_forced").start(dealer=2).dealt(hands, stock)
    return record.calls("0 pass", "1 pass", "2 pass")


def with_spadille_in_the_stock():
    return all_passed({**HANDS, 2: HANDS[2].replace("SA", "CA")}, STOCK.replace("CA", "SA"))


def test_the_seat_that_was_dealt_spadille_is_ombre_in_entrada():
    state = all_passed().state()
    assert (state.phase, state.turn, state.declarer, state.contract) == ("trump", 2, 2, "entrada")
    assert state.legal == {"trump_named": ["C", "D", "H", "S"]}


def test_the_forced_ombre_exchanges_and_may_surrender():
    record = all_passed().trump(2, "C")
    assert record.state().turn == 2
    record.exchanged(2).exchanged(0).exchanged(1)
    assert record.legal["announced"] == ["2:surrender"]
    assert record.said(2, "surrender").codes() == []


def test_with_redeal_nobody_is_forced():
    assert Record().start(dealer=2).dealt(HANDS, STOCK).calls("0 pass", "1 pass", "2 pass").deal().status == "complete"


def test_the_others_do_not_see_who_is_forced_before_trumps_are_named():
    record = all_passed()
    assert record.state(seat=0).declarer is None
    assert record.state(seat=0).turn is None
    assert record.state(seat=2).turn == 2
    assert record.trump(2, "S").state(seat=0).declarer == 2


class TestHandsThatAreNotKnown:
    def test_with_unknown_hands_the_seat_that_names_trumps_held_spadille(self):
        record = all_passed({}, None).trump(1, "H")
        assert record.codes() == []
        state = record.state()
        assert (state.declarer, state.contract) == (1, "entrada")
        assert "SA" in state.hands[1]

    def test_with_unknown_hands_and_no_trumps_the_deal_was_passed_out(self):
        record = all_passed({}, None).start()
        assert record.codes() == []
        assert record.deal(1).outcome["result"] == "ALL_PASS"

    def test_spadille_in_none_of_three_known_hands_is_in_the_stock_that_nobody_wrote_down(self):
        record = all_passed({**HANDS, 2: HANDS[2].replace("SA", "CA")}, None)
        assert (record.deal().status, record.deal().outcome["result"]) == ("complete", "ALL_PASS")  # OMB-4.22
        assert record.legal == {}
        assert record.trump(0, "S").codes() == ["11.20"]
        assert record.deal().status == "complete"

    def test_spadille_not_in_the_stock_nor_in_two_known_hands_is_in_the_third(self):
        record = all_passed({0: HANDS[0], 1: HANDS[1]}, STOCK)
        state = record.state()
        assert (state.declarer, state.turn) == (2, 2)
        assert "SA" in state.hands[2]
        assert record.trump(2, "C").codes() == []

    def test_of_a_stock_known_in_part_spadille_may_be_the_card_not_written_down(self):
        record = all_passed({0: HANDS[0], 1: HANDS[1]}, STOCK.replace("DA", "??"))
        assert record.state().declarer is None
        assert record.start().codes() == []
        assert record.deal(1).outcome["result"] == "ALL_PASS"

    def test_with_spadille_not_in_the_stock_somebody_must_have_played(self):
        record = all_passed({}, STOCK)
        last = record.version
        assert record.start().finding()[:2] == ("11.43", last)

    @pytest.mark.parametrize("seat", [0, 1])
    def test_a_seat_that_cannot_have_held_spadille_names_trumps_wrongly(self, seat):
        known = {0: HANDS[0], 1: HANDS[1]}
        record = all_passed(known, None).trump(seat, "H")
        assert record.finding() == ("11.21", record.version, seat, None)

    def test_the_only_seat_that_can_have_held_spadille_is_the_ombre_whoever_names_trumps(self):
        record = all_passed({0: HANDS[0], 1: HANDS[1]}, None).trump(0, "H")
        assert (record.state().declarer, record.state().trump) == (2, "H")
        assert record.findings()[0].message == "Belinda named trumps, but Sir Plume is the Ombre"

    def test_where_two_others_may_have_held_spadille_who_was_forced_cannot_be_known(self):
        record = all_passed({0: HANDS[0]}, None).trump(0, "H")
        assert record.finding() == ("11.21", record.version, 0, None)
        assert record.findings()[0].message == "Belinda named trumps, but nobody is the Ombre"
        machine = record.fold().deal(1).machine
        assert (machine.status, machine.view().phase) == ("unscorable", "unscorable")
        assert record.start().codes() == ["11.21"]

    @pytest.mark.parametrize(
        ("halted", "code"),
        [
            (lambda record: record.played(0, "HK"), "11.19"),
            (lambda record: record.exchanged(0, 2), "11.19"),
            (lambda record: record.said(0, "yield_exchange"), "11.19"),
            (lambda record: record.dealt(), "11.10"),
        ],
        ids=["a card", "an exchange", "a yield", "cards again"],
    )
    def test_what_halts_the_deal_before_trumps_leaves_it_unscorable(self, halted, code):
        """OMB-11.5: that nobody named trumps afterwards does not show that all had passed."""
        record = halted(all_passed({}, None))
        assert record.codes() == [code]
        record.start()
        assert record.codes() == [code]
        assert record.deal(1).status == "unscorable"

    def test_the_seat_that_sits_out_cannot_be_forced(self):
        record = Record(4, all_pass="spadille_forced").start(dealer=3).dealt()
        record.calls("0 pass", "1 pass", "2 pass").trump(3, "H")
        assert record.finding() == ("11.21", record.version, 3, None)


CASES = [
    shown("Spadille in the stock", with_spadille_in_the_stock(), phase="settled", outcome={"result": "ALL_PASS"}),
    # hands that are not known
    case("a sheet says all had passed", all_passed({}, None).claimed(deltas=[0, 0, -5], pool=5), status="complete"),
    case(
        "left after trumps, unfinished", all_passed({}, None).trump(1, "H").start(), "11.43", first_status="unscorable"
    ),
    case("voided before trumps it stays void", all_passed({}, None).voided().start(2), "11.52", first_status="voided"),
    case("trumps by another seat stand", all_passed().trump(0, "H"), ("11.21", 0, None), trump="H", declarer=2),
]


def test_each_case_is_as_its_row_says():
    assert_cases(CASES)
