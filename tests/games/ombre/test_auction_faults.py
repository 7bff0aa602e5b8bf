"""Wrong calls (OMB-11.13 to 11.17): what is found, and that a void call changes nothing."""

import pytest

from tests.games.cases import assert_cases, case
from tests.games.ombre.tables import Record


def bidding(players=3, dealer=2, **options):
    return Record(players, **options).start(dealer).dealt()


class TestCallAfterEnd:  # 11.13 call_after_end
    def test_a_call_after_the_auction_is_found_and_void(self):
        record = bidding().won_by(0).calls("1 solo")
        assert record.finding() == ("11.13", record.version, 1, [])
        assert (record.state().declarer, record.state().contract) == (0, "entrada")

    def test_a_call_after_all_passed_is_found(self):
        record = bidding().calls("0 pass", "1 pass", "2 pass", "0 entrada")
        assert record.codes() == ["11.13"]
        assert record.deal().status == "complete"


class TestCallOutOfTurn:  # 11.15 call_out_of_turn
    def test_a_call_out_of_turn_is_found_and_void(self):
        record = bidding().calls("1 entrada")
        assert record.finding() == ("11.15", record.version, 1, [])
        state = record.state()
        assert (state.turn, state.auction) == (0, [])

    def test_a_call_by_the_seat_that_sits_out_is_out_of_turn(self):
        record = bidding(4, dealer=3).calls("3 pass")
        (finding,) = record.findings()
        assert (finding.code, finding.rule, finding.seat) == ("OMB-11.15", "OMB-2.7", 3)


class TestIllegalCall:  # 11.16 illegal_call
    @pytest.mark.parametrize("call", ["entrada_favour", "solo_favour"])
    def test_a_favour_call_without_a_favourite_suit_is_illegal(self, call):
        record = bidding().calls(f"0 {call}")
        assert record.finding() == ("11.16", record.version, 0, ["entrada", "pass", "solo", "vuelta"])

    def test_an_illegal_call_is_void_and_the_seat_may_call_again(self):
        record = bidding().calls("0 vuelta", "1 entrada", "1 solo")
        assert record.codes() == ["11.16"]
        assert [call.call for call in record.state().auction] == ["vuelta", "solo"]

    def test_an_illegal_call_as_the_last_entry_of_a_deal_counts_as_a_pass(self):
        record = bidding().calls("0 pass", "1 pass", "2 solo_favour").start()
        assert record.codes() == ["11.16"]
        assert record.deal(1).outcome["result"] == "ALL_PASS"

    def test_while_an_illegal_call_may_still_be_replaced_the_seat_is_in_turn(self):
        record = bidding().calls("0 vuelta", "1 entrada")
        assert record.state().turn == 1
        assert record.legal == {"bid_made": ["pass", "solo"]}


class TestAuctionUnfinished:  # 11.17 auction_unfinished
    @pytest.mark.parametrize(
        "go_on",
        [
            lambda record: record.trump(0, "S"),
            lambda record: record.played(0, "SA"),
            lambda record: record.exchanged(0),
            lambda record: record.said(0, "yield_exchange"),
            lambda record: record.said(0, "surrender"),
            lambda record: record.gathered(0),
        ],
    )
    def test_anything_but_a_call_before_the_auction_is_over_is_fatal(self, go_on):
        record = go_on(bidding().calls("0 entrada", "1 pass"))
        assert record.finding() == ("11.17", record.version, 0, None)
        assert record.deal().status == "unscorable"

    def test_after_a_fatal_fault_the_deal_is_not_audited(self):
        record = bidding().calls("0 entrada").trump(0, "S").calls("0 pass").played(2, "SA").said(1, "stop").start()
        assert record.codes() == ["11.17"]

    def test_an_auction_left_open_is_incomplete(self):
        record = bidding().calls("0 entrada").start()
        assert record.finding() == ("11.43", record.version - 1, 0, None)
        assert record.deal(1).status == "unscorable"

    def test_a_deal_voided_after_an_illegal_call_stays_void(self):
        record = bidding().calls("0 pass", "1 pass", "2 solo_favour").voided().start(dealer=2)
        assert record.codes() == ["11.16", "11.52"]
        assert record.deal(1).status == "voided"


CASES = [
    # 11.13 call_after_end
    case("after the end only the end is reported", bidding().won_by(0).calls("1 pass"), "11.13"),
    case("a call after a recorded result", Record().start(dealer=2).result().calls("0 pass"), "11.13"),
    # 11.14 call_after_pass
    case("by a seat that has passed, void", bidding().calls("0 pass", "0 entrada"), ("11.14", 0, []), turn=1),
    case("a second pass", bidding().calls("0 pass", "1 entrada", "0 pass"), "11.14"),
    # 11.15 call_out_of_turn
    case("illegal and out of turn", bidding().calls("0 solo", "2 entrada"), "11.15"),
    # 11.16 illegal_call
    case("below the standing bid", bidding().calls("0 vuelta", "1 entrada"), ("11.16", 1, ["pass", "solo"])),
    case("the same by a lower priority", bidding().calls("0 vuelta", "1 vuelta"), "11.16"),
    case("the same by the higher is legal", bidding().calls("0 entrada", "1 vuelta", "2 pass", "0 vuelta")),
    case("again, found again", bidding().calls("0 vuelta", "1 entrada", "1 vuelta"), "11.16", "11.16"),
    case("passed when another calls", bidding().calls("0 vuelta", "1 entrada", "2 solo", "1 solo"), "11.16", "11.14"),
    case("a call of another is out of turn", bidding().calls("0 vuelta", "2 pass").calls("1 pass", "2 pass"), "11.15"),
    case("naming ends it", bidding().calls("0 solo", "1 pass", "2 entrada").trump(0, "S"), "11.16", trump="S"),
    case("the pass ends the auction", bidding().calls("0 solo", "1 pass", "2 vuelta", "1 solo"), "11.16", "11.13"),
    # 11.17 auction_unfinished
    case("a score sheet meanwhile", bidding().calls("0 entrada").claimed(pool=5), ("11.17", None, None)),
    case("voided meanwhile", bidding().calls("0 entrada").voided().start(dealer=2), "11.52"),
]


def test_each_case_is_as_its_row_says():
    assert_cases(CASES)
