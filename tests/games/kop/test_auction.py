"""Both auctions: who calls, what is admissible, when it ends, what it comes to (KOP section 4)."""

import pytest

from tests.games.cases import assert_cases, case, shown
from tests.games.kop.tables import ALONE, CICHA, FOUR_QUEENS, ORDINARY, Table, free

ALL_BUT_WESELE = ["kontra", "pass", "zolo", "zolo_du"]


def bidding(hands=ORDINARY, game="kop", **options):
    return Table(game, **options).deal_out(hands)


def calls(*parts):
    return [f"{seat} {call}" for seat, call in zip(parts[::2], parts[1::2], strict=True)]


def test_the_leader_may_call_last():
    table = bidding(auction_first="after_leader")
    assert table.state().turn == 1
    table.calls("1 pass", "2 pass", "3 pass", "0 pass")
    assert (table.state().phase, table.state().turn, table.codes()) == ("play", 0, [])


def test_only_the_holder_of_both_old_queens_may_bid_wesele_and_he_may_not_open_the_ladder():
    assert bidding(CICHA).legal == {"bid_made": ["pass", "wesele", "zolo", "zolo_du"]}
    assert bidding(CICHA).calls("0 pass").legal == {"bid_made": ALL_BUT_WESELE}


def test_the_holder_of_both_old_queens_may_answer_a_kontra():
    table = bidding(CICHA).calls("0 pass", "1 kontra", "2 pass", "3 pass")
    assert table.legal == {"bid_made": ["pass", "re", "wesele", "zolo", "zolo_du"]}


def test_baska_adds_its_bids():
    assert bidding(game="baska").legal == {"bid_made": ["grand", "grand_du", "kontra", "pass", "zolo", "zolo_du"]}
    assert "baska" in bidding(FOUR_QUEENS, "baska").legal["bid_made"]


def test_a_bid_must_be_stronger_and_cancels_the_doublings():
    table = bidding(game="baska").calls("0 grand", "1 kontra", "2 re")
    assert table.legal == {"bid_made": ["bok", "grand_du", "pass", "zolo", "zolo_du"]}
    table.calls("3 zolo")
    assert table.legal == {"bid_made": ["grand_du", "kontra", "pass", "zolo_du"]}


def test_the_bidder_may_raise_his_own_bid_but_not_double_it():
    table = bidding().calls("0 zolo", "1 pass", "2 kontra", "3 pass")
    assert table.legal == {"bid_made": ["pass", "re", "zolo_du"]}
    table.calls("0 zolo_du", "1 pass", "2 pass", "3 pass")
    assert table.state().contract == "zolo_du"
    assert table.state().phase == "play"


def test_the_ladder_ends_at_the_highest_rung():
    assert bidding(max_doublings=2).calls("0 kontra", "1 re").legal == {"bid_made": ["pass", "zolo", "zolo_du"]}
    assert bidding(max_doublings=0).legal == {"bid_made": ["pass", "zolo", "zolo_du"]}
    high = bidding(max_doublings=8)
    for place, call in enumerate(("kontra", "re", "bok", "slup", "d5", "d6", "d7", "d8")):
        assert call in high.legal["bid_made"]
        high.calls(f"{place % 4} {call}")
    assert high.codes() == []


def test_four_opening_passes_end_the_auction_and_three_after_a_call():
    assert bidding().calls("0 pass", "1 pass", "2 pass").state().phase == "auction"
    assert bidding().passed_out().state().phase == "play"
    assert bidding().calls("0 pass", "1 pass", "2 pass", "3 kontra", "0 pass", "1 pass").state().phase == "auction"
    assert bidding().calls("0 kontra", "1 pass", "2 pass", "3 pass").state().phase == "play"


def test_a_table_may_ask_for_four_passes_so_that_the_bidder_may_double_his_own_wesele():
    table = bidding(CICHA, passes_to_end=4, kontra_own_wesele=True)
    table.calls("0 wesele", "1 pass", "2 pass", "3 pass")
    assert table.legal == {"bid_made": ["kontra", "pass", "zolo", "zolo_du"]}
    assert table.calls("0 pass").state().phase == "play"
    assert table.codes() == []


@pytest.mark.parametrize(("bid", "option"), [("zolo", True), ("wesele", False)])
def test_no_other_bid_of_ones_own_may_be_doubled(bid, option):
    table = bidding(CICHA, passes_to_end=4, kontra_own_wesele=option)
    assert "kontra" not in table.calls(f"0 {bid}", "1 pass", "2 pass", "3 pass").legal["bid_made"]


def test_a_wesele_may_have_to_be_the_first_call():
    later = bidding(CICHA, wesele_timing="first_call").calls("0 pass", "1 kontra", "2 pass", "3 pass")
    assert "wesele" not in later.legal["bid_made"]
    assert "wesele" in bidding(CICHA, wesele_timing="first_call").legal["bid_made"]


def test_an_admissible_baska_ends_the_deal_at_once():
    table = bidding(FOUR_QUEENS, "baska").calls("0 baska")
    assert (table.state().phase, table.legal, table.deal().deltas) == ("settled", {}, [30, -10, -10, -10])
    assert table.said(0, "show_baska").codes() == []


def test_a_doubling_of_the_own_side_is_void_and_uses_up_its_rung():
    table = bidding().calls("0 kontra", "1 pass", "2 pass", "3 re", "0 pass", "1 bok", "2 pass", "3 pass", "0 pass")
    assert table.finding() == ("11.31", 7, 3, None)
    assert table.findings()[0].severity == "info"
    assert table.fold().deals[0].machine.auction.effective_doublings() == 2


def test_doublings_lapse_with_the_next_bid_and_are_not_void_then():
    assert bidding().calls("0 kontra", "1 pass", "2 pass", "3 re", "0 zolo", "1 pass", "2 pass", "3 pass").codes() == []


def test_a_table_may_forbid_to_double_the_own_side():
    table = bidding(same_side_doubling="illegal").calls("0 kontra", "1 pass", "2 pass")
    assert table.legal == {"bid_made": ["pass", "zolo", "zolo_du"]}
    table.calls("3 re")
    assert table.finding() == ("11.31", 7, 3, ["pass", "zolo", "zolo_du"])
    assert table.findings()[0].severity == "error"
    assert table.state().phase == "play"  # it counts as the third pass


def test_the_partner_holds_the_highest_jack_that_the_bidder_lacks():
    state = bidding(CICHA).contract(0, "wesele").state()
    assert (state.contract, state.declarer, state.partner) == ("wesele", 0, 1)
    hands = ("CQ SQ CJ SJ", "DA DT HA HT", "HJ HQ CA CT", "DJ DQ SA ST")
    assert bidding(hands).contract(0, "wesele").state().partner == 2


class TestFreeAuction:
    def test_in_the_free_auction_every_seat_may_call_and_nobody_is_in_turn(self):
        table = free()
        legal = table.legal
        assert table.state().turn is None
        assert legal["bid_made"] == sorted(f"{seat}:{call}" for seat in range(4) for call in ALL_BUT_WESELE)
        assert legal["announced"] == ["0:ask", "0:close_auction"]
        assert legal["card_played"] == ["CA", "CJ", "DT", "SQ"]

    def test_the_free_auction_ends_when_the_leader_closes_it(self):
        table = free().calls("2 kontra", "3 re").said(0, "ask").said(0, "close_auction")
        assert (table.codes(), table.state().phase, table.state().turn) == ([], "play", 0)

    def test_a_pass_is_a_call_before_a_wesele_in_the_free_auction_too(self):
        table = Table(auction_order="free", wesele_timing="first_call").deal_out(CICHA).calls("0 pass")
        assert "0:wesele" not in table.legal["bid_made"]

    def test_an_ignored_call_is_none_before_a_wesele(self):
        table = Table(auction_order="free", wesele_timing="first_call").deal_out(CICHA).calls("0 kontra", "0 wesele")
        assert table.codes() == ["11.30"]
        assert table.state().contract == "wesele"

    def test_a_leader_who_has_asked_may_be_barred_from_a_solo(self):
        table = free(ask_bars_leader_solo=True).said(0, "ask")
        assert "0:zolo" not in table.legal["bid_made"]
        assert "1:zolo" in table.legal["bid_made"]
        assert "0:zolo" in free().said(0, "ask").legal["bid_made"]


CASES = [
    shown("the leader calls first", bidding(), turn=0, legal={"bid_made": ALL_BUT_WESELE}),
    shown("without a bid, ordinary", bidding().passed_out(), contract="normal"),
    shown("or cicha", bidding(CICHA).passed_out(), contract="cicha"),
    # the free auction
    case("it ends with the first card", free().calls("2 kontra").played(0, "DT"), phase="play", turn=1),
    shown("passes do not end it", free().calls("0 pass", "1 pass", "2 pass", "3 pass", "0 pass"), phase="auction"),
    shown("the standing bid is shown", bidding(ALONE).calls("0 zolo"), contract="zolo", declarer=0),
]


def test_each_case_is_as_its_row_says():
    assert_cases(CASES)
