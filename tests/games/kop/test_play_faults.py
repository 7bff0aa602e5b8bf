"""Wrong plays, gathers, concessions and stops (KOP-11.40 to 11.51)."""

import pytest

from tests.games.kop.tables import ALONE, FOUR_QUEENS, ORDINARY_PLAY, Table, ordinary
from tests.games.scripted import cases_of


def alone(bid="zolo_du", **options):
    return Table(**options).deal_out(ALONE).contract(0, bid)


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


# --- 11.51 stop -------------------------------------------------------------------------------------------------------


def test_a_lost_du_contract_may_be_stopped_and_pays_the_same():
    lost = alone().trick(0, "CJ SQ HQ HJ")
    assert lost.legal["announced"] == ["stop"]
    lost.said(None, "stop")
    assert (lost.codes(), lost.deal().status, lost.deal().deltas) == ([], "complete", [-30, 10, 10, 10])
    assert lost.fold().deals[0].outcome.stopped


test_each_case_of_the_file = cases_of("kop/play_faults.txt", Table, alone, ordinary)
