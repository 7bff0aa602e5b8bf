"""Both auctions: who calls, what is admissible, when it ends, what it comes to (KOP section 4)."""

from tests.games.kop.tables import ORDINARY, Table, free
from tests.games.scripted import cases_of


def bidding(hands=ORDINARY, game="kop", **options):
    return Table(game, **options).deal_out(hands)


def calls(*parts):
    return [f"{seat} {call}" for seat, call in zip(parts[::2], parts[1::2], strict=True)]


def test_the_ladder_ends_at_the_highest_rung():
    assert bidding(max_doublings=2).calls("0 kontra", "1 re").legal == {"bid_made": ["pass", "zolo", "zolo_du"]}
    assert bidding(max_doublings=0).legal == {"bid_made": ["pass", "zolo", "zolo_du"]}
    high = bidding(max_doublings=8)
    for place, call in enumerate(("kontra", "re", "bok", "slup", "d5", "d6", "d7", "d8")):
        assert call in high.legal["bid_made"]
        high.calls(f"{place % 4} {call}")
    assert high.codes() == []


def test_a_doubling_of_the_own_side_is_void_and_uses_up_its_rung():
    table = bidding().calls("0 kontra", "1 pass", "2 pass", "3 re", "0 pass", "1 bok", "2 pass", "3 pass", "0 pass")
    assert table.finding() == ("11.31", 7, 3, None)
    assert table.findings()[0].severity == "info"
    assert table.fold().deals[0].machine.auction.effective_doublings() == 2


test_each_case_of_the_file = cases_of("kop/auction.txt", Table, bidding, free)
