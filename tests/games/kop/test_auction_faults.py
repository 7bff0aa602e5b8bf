"""Wrong calls: what is found, and what the call counts for (KOP-11.20 to 11.35)."""

import pytest

from tests.games.cases import assert_cases, case, shown
from tests.games.kop.tables import CICHA, FOUR_QUEENS, ORDINARY, Table, free, ordinary

OPEN = ["kontra", "pass", "zolo", "zolo_du"]


def bidding(hands=ORDINARY, game="kop", **options):
    return Table(game, **options).deal_out(hands)


@pytest.mark.parametrize("bid", ["zolo", "wesele"])
def test_a_bid_that_is_not_stronger_counts_as_a_pass(bid):
    table = bidding(CICHA).calls("0 zolo", "1 " + bid)
    assert table.finding() == ("11.22", 5, 1, ["kontra", "pass", "zolo_du"])
    assert table.auction_of() == ["0 zolo", "1 pass"]
    assert table.calls("2 pass", "3 pass").state().phase == "play"


@pytest.mark.parametrize("call", ["grand", "grand_du"])
def test_a_bid_of_baska_is_unknown_in_kop(call):
    table = bidding().calls(f"0 {call}")
    assert table.finding() == ("11.25", 4, 0, OPEN)
    assert table.auction_of() == ["0 pass"]


@pytest.mark.parametrize("word", ["ask", "close_auction"])
def test_only_the_leader_of_a_free_auction_asks_and_closes(word):
    table = bidding().said(0, word)
    assert table.finding() == ("11.25", 4, 0, [])
    assert table.state().turn == 0
    table = free().said(1, word)
    assert table.finding() == ("11.25", 4, 1, [])
    assert table.state().phase == "auction"
    assert free().said(0, "close_auction").said(0, word).codes() == ["11.21"]


def test_a_rung_above_the_highest_counts_as_a_pass():
    table = bidding(max_doublings=1).calls("0 kontra", "1 re")
    assert table.finding() == ("11.27", 5, 1, ["pass", "zolo", "zolo_du"])
    assert table.calls("2 pass", "3 pass").state().phase == "play"


def test_nobody_doubles_his_own_doubling():
    table = bidding().calls("0 kontra", "1 pass", "2 pass").calls("3 pass")
    assert table.codes() == []
    table = free().calls("0 kontra", "0 re")
    assert table.finding() == ("11.28", 5, 0, ["pass", "zolo", "zolo_du"])
    assert table.auction_of() == ["0 kontra"]


@pytest.mark.parametrize("bid", ["zolo", "zolo_du"])
def test_the_bidder_does_not_double_his_own_contract(bid):
    assert free().calls(f"0 {bid}", "0 kontra").codes() == ["11.29"]


def test_a_wesele_of_ones_own_may_be_doubled_where_the_table_allows_it():
    assert Table(auction_order="free").deal_out(CICHA).calls("0 wesele", "0 kontra").codes() == ["11.29"]
    table = Table(auction_order="free", kontra_own_wesele=True).deal_out(CICHA)
    assert table.calls("0 wesele", "0 kontra").codes() == []


def test_the_holder_of_both_old_queens_does_not_open_the_ladder():
    assert bidding(CICHA).calls("0 kontra").finding() == ("11.30", 4, 0, ["pass", "wesele", "zolo", "zolo_du"])
    assert bidding(CICHA).calls("0 pass", "1 zolo", "2 pass", "3 pass", "0 kontra").codes() == []  # on a bid he may


def test_a_late_wesele_counts_as_a_pass():
    table = bidding(CICHA, wesele_timing="first_call").calls("0 pass", "1 kontra", "2 pass", "3 pass", "0 wesele")
    assert table.finding() == ("11.32", 8, 0, ["pass", "re", "zolo", "zolo_du"])
    assert table.state().contract == "cicha"


def test_an_inadmissible_call_in_turn_is_an_earlier_call():
    table = bidding(CICHA, wesele_timing="first_call").calls("0 kontra", "1 kontra", "2 pass", "3 pass", "0 wesele")
    assert table.codes() == ["11.30", "11.32"]


def test_the_announced_jack_is_the_highest_that_the_bidder_lacks():
    def table():
        return bidding(CICHA, announce_wesele_jack=True)

    assert table().named(0, "wesele", "CJ").codes() == []
    for wrong in (table().named(0, "wesele", "SJ"), table().calls("0 wesele"), table().named(0, "wesele", "SA")):
        assert wrong.finding() == ("11.33", 4, 0, ["CJ"])
        assert wrong.calls("1 pass", "2 pass", "3 pass").state().partner == 1
    assert bidding(CICHA).named(0, "wesele", "DJ").codes() == []  # the table announces no jack


def test_a_solo_of_the_leader_who_has_asked_is_ignored():
    table = free(ask_bars_leader_solo=True).said(0, "ask").calls("0 zolo")
    assert table.finding() == ("11.34", 5, 0, ["kontra", "pass"])
    assert table.auction_of() == []


def test_a_card_before_the_end_of_the_auction_ends_it_with_passes():
    table = bidding().calls("0 zolo", "1 kontra").played(0, "DT")
    assert table.finding() == ("11.35", 6, 0, None)
    assert (table.state().contract, table.state().turn) == ("zolo", 1)
    assert bidding().played(0, "DT").findings()[0].rule == "KOP-4.25"


def test_an_auction_left_open_is_a_deal_without_play():
    table = bidding().calls("0 zolo").start(0)
    assert table.finding() == ("11.48", 4, 0, None)
    assert table.deal(1).status == "unscorable"


CASES = [
    case("out of turn, ignored", bidding().calls("1 zolo"), ("11.20", 1, []), turn=0, auction=[]),
    case("after four passes, 4.25", ordinary().calls("0 zolo"), ("11.21", 0, []), rule="KOP-4.25"),
    shown("after a bid, 4.27", bidding().contract(0, "zolo").calls("1 kontra"), rule="KOP-4.27"),
    shown("after a baska, 4.26", bidding(FOUR_QUEENS, "baska").calls("0 baska", "1 kontra"), rule="KOP-4.26"),
    shown("in the play, 6.14", ordinary().played(0, "DT").calls("1 kontra"), rule="KOP-6.14"),
    case("after a closing", free().said(0, "close_auction").calls("1 kontra"), "11.21"),
    case("a false wesele is a pass", bidding().calls("0 wesele"), ("11.23", 0, OPEN), auction=["0 pass"]),
    shown("it ends the auction", bidding().calls("0 wesele").calls("1 pass", "2 pass", "3 pass"), contract="normal"),
    case("a false baska counts as a pass", bidding(game="baska").calls("0 baska"), "11.24", turn=1),
    # the first of the list that fits (KOP-11.75)
    case("a baska in kop is false", bidding().calls("0 baska"), "11.24"),
    case("or unknown", bidding(FOUR_QUEENS).calls("0 baska"), "11.25"),
    case("a rung skipped", bidding().calls("0 re"), ("11.26", 0, OPEN)),
    case("a rung repeated", bidding().calls("0 kontra", "1 kontra"), "11.26"),
    case("no blame for its jack as well", bidding(announce_wesele_jack=True).named(0, "wesele", "SJ"), "11.23"),
    case("a wrong seat that leads early has two faults", bidding().played(2, "HT"), "11.35", "11.40"),
]


def test_each_case_is_as_its_row_says():
    assert_cases(CASES)
