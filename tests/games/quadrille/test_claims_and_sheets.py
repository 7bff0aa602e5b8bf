"""Claims, score sheets, adjustments and the end of the match (QUA-11.45 to 11.54)."""

import pytest

from tests.games.quadrille.tables import Table, at_play, with_six
from tests.games.scripted import cases_of


def claiming(winners="0000", **options):
    return with_six(winners, call="solo", claims=True, **options)


def test_playing_on_refuses_the_claim():
    table = claiming().said(1, "claim_ombre")
    table.played(0, table.state().hands[0][0])
    assert table.faults() == ["11.45"]
    assert len(table.state().tricks[-1].cards) == 1


def stopped(**options):
    """A solo stopped after premiers: deltas +6, -2, -2, -2 without matadors, pool 0."""
    hands = {0: "SK", 1: "SA", 2: "CA", 3: "S2"}
    return with_six(call="solo", hands=hands, **options).said(0, "premiers_stop")


class TestScoreSheet:
    @pytest.mark.parametrize(
        ("sheet", "codes"),
        [
            ({"deltas": [5, -1, -2, -2]}, ["11.47"]),
            ({"pool": 1}, ["11.48"]),
            ({"deltas": [6, -2, -2, -2], "pool": 4}, ["11.48", "11.49"]),
            ({"totals": [5, -2, -2, -2]}, ["11.50"]),
            ({"bonuses": ["premiers", "matadors"]}, ["11.51"]),
            ({"bonuses": []}, ["11.52"]),
            ({"bonuses": ["solo_bonus"]}, ["11.51", "11.52"]),
        ],
    )
    def test_a_wrong_sheet_is_found_and_not_believed(self, sheet, codes):
        table = stopped().claimed(**sheet)
        assert table.faults() == codes
        assert {(f.version, f.seat) for f in table.findings()} == {(table.version, None)}
        assert table.deal().deltas == [6, -2, -2, -2]


class TestAdjustmentsAndEnd:
    def test_an_adjustment_in_mid_deal_follows_its_settlement_and_never_changes_p(self):
        table = with_six(call="solo", hands={0: "SK", 1: "SA", 2: "CA", 3: "S2"}).ruled(
            "adjust", deltas=[-4, 0, 0, 0], pool=4
        )
        table.said(0, "premiers_stop").claimed(totals=[6, -2, -2, -2], pool=0)
        assert table.faults() == []
        assert table.score().totals == [2, -2, -2, -2]
        assert table.score().state == {"pool": 4}

    def test_what_comes_after_the_match_is_found_and_ignored(self):
        table = Table(all_pass="throw_in", match_deals=4)
        for dealer in (0, 1, 2, 3, 0):
            table.start(dealer).dealt().calls(*(f"{(dealer + step) % 4} pass" for step in range(1, 5)))
        assert table.faults() == ["11.54"]
        score = table.score()
        assert score.match.over
        assert score.totals == [0, 0, 0, 0]
        assert score.deals[4].deltas == [0, 0, 0, 0]

    def test_a_pool_that_is_left_may_stay_where_it_is(self):
        table = Table(all_pass="throw_in", final_pool="leave", starting_counters=10).start(3).dealt()
        table.calls("0 pass", "1 pass", "2 pass", "3 pass").closed()
        assert table.score().totals == [9] * 4
        assert table.score().state == {"pool": 4}

    def test_a_voided_deal_keeps_its_antes_and_gives_back_the_vole_stakes(self):
        table = at_play(call="vole").voided()
        assert table.deal().deltas == [-1] * 4
        table.start(3)
        assert table.faults() == []
        assert table.score().state == {"pool": 4}


SHEETS = {
    "wrong deltas": ("QUA-11.47", stopped().claimed(deltas=[5, -1, -2, -2]), True),
    "a wrong pool": ("QUA-11.48", stopped().claimed(pool=1), False),
    "a sum that is not zero": ("QUA-11.49", stopped().claimed(deltas=[6, -2, -2, -2], pool=1), True),
    "such a sum of a deal that has no score": (
        "QUA-11.49",
        at_play().trick(0, "HK HQ").claimed(deltas=[1, 1, 1, 1], pool=4).start(0),
        False,
    ),
    "wrong balances": ("QUA-11.50", stopped().claimed(totals=[5, -1, -2, -2]), True),
    "a false bonus": ("QUA-11.51", stopped().claimed(bonuses=["premiers", "matadors"]), False),
    "a missed bonus": ("QUA-11.52", stopped().claimed(bonuses=[]), False),
}
"""For `tests/games/test_sheets_in_words.py`."""


test_each_case_of_the_file = cases_of("quadrille/claims_and_sheets.txt", Table, at_play, claiming, stopped, with_six)
