"""Claims, score sheets, adjustments and the end of the match (QUA-11.45 to 11.54)."""

import pytest

from tests.games.quadrille.tables import Table, at_play, with_six


def claiming(winners="0000", **options):
    return with_six(winners, call="solo", claims=True, **options)


def test_without_the_option_there_are_no_claims():
    table = with_six("0000", call="solo").said(1, "claim_ombre")
    assert table.finding() == ("11.45", table.version, 1, None)
    assert table.findings()[0].rule == "QUA-6.29"


def test_no_claim_before_the_first_trick_or_with_a_card_on_the_table():
    assert at_play(claims=True).said(1, "claim_ombre").faults() == ["11.45"]
    assert at_play(claims=True).trick(0, "HK HQ H4 H6").played(0, "H2").said(1, "claim_ombre").faults() == ["11.45"]


def test_no_claim_while_a_choice_is_due():
    assert claiming("000000").said(1, "claim_ombre").faults() == ["11.45"]


def test_a_refused_claim_has_no_effect():
    table = claiming().said(1, "claim_ombre").said(0, "claim_accept").said(2, "claim_refuse")
    assert table.faults() == []
    assert "card_played" in table.legal


def test_the_claimer_does_not_answer_and_nobody_answers_twice():
    table = claiming().said(1, "claim_ombre").said(1, "claim_accept")
    assert table.finding() == ("11.45", table.version, 1, None)
    assert claiming().said(1, "claim_ombre").said(0, "claim_accept").said(0, "claim_accept").faults() == ["11.45"]


def test_playing_on_refuses_the_claim():
    table = claiming().said(1, "claim_ombre")
    table.played(0, table.state().hands[0][0])
    assert table.faults() == ["11.45"]
    assert len(table.state().tricks[-1].cards) == 1


def test_a_claim_against_the_holder_of_the_highest_trump_is_false_and_stands():
    table = claiming(hands={0: "SA"}).said(1, "claim_opponents")
    version = table.version
    for seat in (0, 2):
        table.said(seat, "claim_accept")
    assert "3:claim_accept" not in table.legal["announced"]
    table.said(3, "claim_accept")
    assert table.finding() == ("11.46", version, 1, None)
    assert table.deal().outcome["claimed_for"] == "opponents"
    assert table.deal().outcome["result"] == "codille"


def stopped(**options):
    """A solo stopped after premiers: deltas +6, -2, -2, -2 without matadors, pool 0."""
    hands = {0: "SK", 1: "SA", 2: "CA", 3: "S2"}
    return with_six(call="solo", hands=hands, **options).said(0, "premiers_stop")


class TestScoreSheet:
    def test_the_deal_comes_to_what_the_sheets_below_say(self):
        assert stopped().deal().deltas == [6, -2, -2, -2]

    def test_a_right_sheet_has_no_fault(self):
        sheet = {"deltas": [6, -2, -2, -2], "pool": 0, "totals": [6, -2, -2, -2], "bonuses": ["premiers", "pool_win"]}
        assert stopped().claimed(**sheet).faults() == []

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

    def test_the_sheet_of_a_halted_deal_is_skipped(self):
        table = at_play().trick(0, "HK HA").claimed(deltas=[1, 1, 1, 1], pool=4)  # QUA-11.3
        assert table.faults() == ["11.30"]
        assert table.closed().claimed(deltas=[1, 1, 1, 1], pool=4).faults() == ["11.30"]

    def test_the_sheet_of_a_deal_that_is_only_left_afterwards_is_compared(self):
        assert at_play().trick(0, "HK HQ").claimed(deltas=[1, 1, 1, 1], pool=4).start(0).faults() == ["11.36", "11.49"]

    def test_a_sheet_that_writes_down_what_a_ruling_ordered_has_no_fault(self):
        ruled = stopped().ruled("replace", deltas=[-3, 1, 1, 1], pool=0)
        assert ruled.claimed(deltas=[-3, 1, 1, 1], pool=0, totals=[-3, 1, 1, 1], bonuses=["matadors"]).faults() == []
        assert ruled.claimed(deltas=[6, -2, -2, -2], pool=0).faults() == ["11.47"]

    def test_a_halted_deal_is_compared_with_the_ruling_that_settles_it(self):
        table = at_play().trick(0, "HK HA").ruled("replace", deltas=[0, 0, 0, 0], pool=0)
        assert table.claimed(deltas=[0, 0, 0, 0], pool=0).faults() == ["11.30"]
        assert table.claimed(deltas=[1, 1, -1, -1], pool=0).faults() == ["11.30", "11.47"]


class TestAdjustmentsAndEnd:
    def test_an_adjustment_in_mid_deal_follows_its_settlement_and_never_changes_p(self):
        table = with_six(call="solo", hands={0: "SK", 1: "SA", 2: "CA", 3: "S2"}).ruled(
            "adjust", deltas=[-4, 0, 0, 0], pool=4
        )
        table.said(0, "premiers_stop").claimed(totals=[6, -2, -2, -2], pool=0)
        assert table.faults() == []
        assert table.score().totals == [2, -2, -2, -2]
        assert table.score().state == {"pool": 4}

    @pytest.mark.parametrize(("deltas", "pool"), [([0, 0, 0, 0], 0), ([5, 0, 0, 0], -5)])
    def test_an_adjustment_that_cannot_be_is_ignored(self, deltas, pool):
        table = stopped().ruled("adjust", deltas=deltas, pool=pool)
        assert table.finding() == ("11.53", table.version, None, None)
        assert table.score().totals == [6, -2, -2, -2]

    def test_an_adjustment_may_take_what_the_pool_holds(self):
        assert Table(initial_pool=5).start(3).dealt().ruled("adjust", deltas=[5, 0, 0, 0], pool=-5).faults() == []

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

    def test_the_dealer_may_stake_for_all(self):
        assert Table(ante_by="dealer", ante=2).start(2).dealt().deal().deltas == [0, 0, -8, 0]

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
