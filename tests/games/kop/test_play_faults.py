"""Wrong plays, gathers, concessions and stops (KOP-11.40 to 11.51)."""

import pytest

from tests.games.cases import assert_cases, case, shown
from tests.games.kop.tables import ALONE, ALONE_PLAY, CICHA, FOUR_QUEENS, ORDINARY, ORDINARY_PLAY, Table, ordinary


def alone(bid="zolo_du", **options):
    return Table(**options).deal_out(ALONE).contract(0, bid)


def test_a_later_lead_by_another_than_the_winner_stands():
    table = ordinary().trick(0, "DT DQ HT HA").played(2, "DA")
    assert table.finding() == ("11.40", 12, 2, [])
    assert table.findings()[0].rule == "KOP-6.12"


def test_a_play_out_of_turn_stands_and_the_seats_expected_follow_the_lead():
    table = ordinary(must_beat=False).played(0, "DT").played(2, "DA").played(1, "DQ").played(3, "HA")
    assert table.found() == [("11.41", 9, 2, []), ("11.41", 10, 1, [])]
    assert table.state().tricks[0].winner == 3
    assert table.deal().status == "open"


def test_a_card_not_held_makes_the_deal_unscorable_and_the_record_goes_on():
    table = ordinary().played(0, "HA")
    assert table.finding() == ("11.42", 8, 0, ["CA", "CJ", "DT", "SQ"])
    assert table.deal().status == "unscorable"
    assert table.played(1, "ST").codes() == ["11.42", "11.44"]


def test_a_card_played_twice_makes_the_deal_unscorable():
    table = ordinary().trick(0, "DT DQ HT HA").played(3, "HA")
    assert table.finding() == ("11.43", 12, 3, ["CQ", "CT", "SA"])
    assert table.deal().status == "unscorable"


def test_a_seat_that_plays_twice_to_a_trick_makes_the_deal_unscorable():
    table = ordinary().played(0, "DT").played(1, "DQ").played(1, "HJ")
    assert table.codes() == ["11.41"]
    assert table.deal().status == "unscorable"


def test_a_second_card_makes_the_deal_unscorable_also_where_its_place_would_be_the_seats():
    table = ordinary(must_beat=False).played(0, "DT").played(3, "HA").played(2, "HT").played(3, "CQ")
    assert table.codes() == ["11.41"]  # KOP-11.5: the cards after the lead are 1's, 2's and 3's, whoever played them
    assert table.deal().status == "unscorable"  # KOP-11.6


def test_a_trump_that_does_not_overtake_another_trump_is_a_failure_to_overtake():
    hands = ("CT CQ SQ DA", "HQ CJ SJ DT", "HJ DJ ST SA", "HA HT DQ CA")
    table = Table().deal_out(hands).contract(0, "zolo").trick(0, "CT HQ HJ")
    assert table.codes() == []  # 2 has no trump that beats HQ
    table = Table().deal_out(hands).contract(0, "zolo").trick(0, "CT CJ HJ CA")
    assert table.codes() == []
    table = Table().deal_out(("CT CQ SQ DA", "HJ CJ SJ DT", "HQ DJ ST SA", *hands[3:])).contract(0, "zolo")
    assert table.trick(0, "CT HJ DJ").finding() == ("11.46", 10, 2, ["HQ"])


def test_a_play_is_judged_on_the_trick_as_it_was_played():
    assert ordinary().played(0, "DT").played(1, "ST").played(2, "HT").played(3, "CQ").codes() == ["11.44", "11.46"]


@pytest.mark.parametrize(
    ("end", "rule"),
    [
        (lambda: ordinary().tricks(ORDINARY_PLAY), "KOP-6.13"),
        (lambda: Table("baska").deal_out(FOUR_QUEENS).calls("0 baska"), "KOP-6.16"),
        (lambda: alone(concessions=True).conceded(0), "KOP-6.13"),
        (lambda: alone().trick(0, "CJ SQ HQ HJ").said(None, "stop"), "KOP-6.15"),
    ],
)
def test_a_play_after_the_end_is_ignored(end, rule):
    table = end()
    before = table.deal().deltas
    table.played(1, "CT")
    assert table.finding() == ("11.47", table.version, 1, [])
    assert table.findings()[0].rule == rule
    assert table.deal().deltas == before


def test_a_deal_left_before_its_last_card_is_unscorable():
    table = ordinary().tricks(ORDINARY_PLAY[:3]).start(0)
    assert table.finding() == ("11.48", table.version - 1, 1, None)
    assert table.deal(1).status == "unscorable"
    assert table.score().deals[0].deltas == [0, 0, 0, 0]


class TestConcessions:  # 11.50 concessions
    def test_a_concession_gives_the_rest_to_the_other_side(self):
        table = ordinary(concessions=True).trick(0, "DT DQ HT HA").conceded(0, 3)
        outcome = table.fold().deals[0].outcome
        assert (outcome.card_points, outcome.tricks, outcome.winning_side) == ((34, 70), (1, 3), "defenders")
        assert table.codes() == []
        table = ordinary(concessions=True).conceded(1, 2)
        assert table.deal().deltas == [3, -3, -3, 3]

    @pytest.mark.parametrize("seats", [(0,), (0, 1), (0, 1, 3), (), (0, 1, 2, 3)])
    def test_only_all_seats_of_one_side_concede(self, seats):
        table = ordinary(concessions=True)
        table.conceded(*seats, by=seats[0] if seats else 0)
        assert table.finding() == ("11.50", 8, 0, None)
        assert table.state().phase == "play"

    def test_every_seat_may_begin_a_concession(self):
        assert ordinary(concessions=True).legal["announced"] == ["1:concede", "2:concede", "3:concede", "concede"]


# --- 11.51 stop -------------------------------------------------------------------------------------------------------


def test_a_lost_du_contract_may_be_stopped_and_pays_the_same():
    lost = alone().trick(0, "CJ SQ HQ HJ")
    assert lost.legal["announced"] == ["stop"]
    lost.said(None, "stop")
    assert (lost.codes(), lost.deal().status, lost.deal().deltas) == ([], "complete", [-30, 10, 10, 10])
    assert lost.fold().deals[0].outcome.stopped


CASES = [
    case("a lead by the wrong seat stands", ordinary().played(2, "HT"), ("11.40", 2, []), rule="KOP-6.1", turn=3),
    shown("who has played is not due", ordinary(must_beat=False).played(0, "DT").played(2, "DA"), turn=None),
    case(
        "a revoke stands", ordinary().played(0, "DT").played(1, "ST"), ("11.44", 1, ["DJ", "DQ", "HJ"]), status="open"
    ),
    case("a failure to trump", ordinary().trick(0, "DT DQ HT HA").trick(3, "SA CA"), ("11.45", 0, ["CJ", "SQ"])),
    case("no duty to trump", ordinary(must_trump=False).trick(0, "DT DQ HT HA").trick(3, "SA CA")),
    case("a failure to overtake", ordinary().trick(0, "DT DQ HT CQ"), ("11.46", 3, ["HA"]), winner=2),
    case("no duty to overtake", ordinary(must_beat=False).trick(0, "DT DQ HT CQ")),
    case("an order fault and a revoke are two", ordinary().played(0, "DT").played(3, "SA"), "11.41", "11.44"),
    case("a deal in progress is open", ordinary().tricks(ORDINARY_PLAY[:3]), status="open"),
    case("left then, it is unfinished", ordinary().tricks(ORDINARY_PLAY[:3]).closed(), "11.48"),
    case("an unfinished deal counts in a match", ordinary(match_deals=1).start(0), "11.48", "11.71"),
    case("the deal passes on", ordinary().start(0), "11.48"),
    case("a wrong gather", ordinary().trick(0, "DT DQ HT HA").gathered(2), ("11.49", 2, None), turn=3),
    case("the winner gathers", ordinary().trick(0, "DT DQ HT HA").gathered(3)),
    case("gathering too early", ordinary().trick(0, "DT DQ").gathered(3), "11.49"),
    case("gathering after the last trick", ordinary().tricks(ORDINARY_PLAY).gathered(2)),
    # 11.50 concessions
    case(
        "a lone declarer need not name his side", alone(concessions=True).said(0, "concede"), deltas=[-30, 10, 10, 10]
    ),
    case("a seat does not concede for the others", ordinary(concessions=True).conceded(0, 3, by=1), "11.50"),
    case("no concession where the table has none", ordinary().conceded(0, 3), "11.50", rule="KOP-6.19"),
    case(
        "no concession before the play",
        Table(concessions=True).deal_out(ORDINARY).conceded(0, 3),
        "11.50",
        rule="KOP-6.17",
    ),
    case("nor after the play", ordinary(concessions=True).tricks(ORDINARY_PLAY).conceded(0, 3), "11.50"),
    # 11.51 stop
    case("a stop in a zolo", alone("zolo").trick(0, "CJ SQ HQ HJ").said(None, "stop"), ("11.51", None, None)),
    case("before a trick is lost", alone().tricks(ALONE_PLAY[:1]).said(None, "stop"), ("11.51", None, None)),
    case("before a trick is lost, left", alone().tricks(ALONE_PLAY[:1]).said(None, "stop").start(0), "11.48", "11.51"),
    case("a stop before the play", Table().deal_out(CICHA).said(None, "stop"), "11.51"),
]


def test_each_case_is_as_its_row_says():
    assert_cases(CASES)
