"""Wrong cards and wrong turns (OMB-11.31 to 11.38): what is found, and how the play goes on."""

from copy import deepcopy

import pytest

from tests.games.cases import assert_cases, case
from tests.games.ombre.tables import Record, in_play, with_winners

# Trump spades. Seat 0 leads; all follow hearts once, seat 1 holds two.
HANDS = {0: "HK HQ SA S2 CK", 1: "HJ HA S3 DK", 2: "H2 S4 DQ"}


def playing(**options):
    return in_play("S", HANDS, avoid={0: "HS", 1: "HS", 2: "HS"}, **options)


# --- 11.31 play_after_end ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ended", "rule"),
    [
        (with_winners("000110022"), "OMB-6.16"),
        (with_winners("00000").said(0, "stop"), "OMB-6.18"),
        (with_winners("00", call="vuelta").said(0, "surrender"), "OMB-6.24"),
        (with_winners("00", defend_allowed=False).said(0, "surrender"), "OMB-6.25"),
        (with_winners("000001").said(2, "throw_in"), "OMB-6.33"),
        (Record().start(2).dealt().calls("0 pass", "1 pass", "2 pass"), "OMB-6.16"),
        (Record().start(2).result(), "OMB-6.16"),
        (with_winners("00").voided(), "OMB-6.16"),
    ],
)
def test_a_card_after_the_end_is_found_and_void(ended, rule):
    record = deepcopy(ended)  # made once, though the test may run again
    before = record.deal()
    record.played(1, "SA").played(0, "SA")
    found = [f for f in record.findings() if f.code != "OMB-11.52"]
    assert [(f.code, f.rule, f.seat) for f in found] == [("OMB-11.31", rule, 1), ("OMB-11.31", rule, 0)]
    assert record.deal() == before


class TestWrongLead:  # 11.32 wrong_lead
    def test_a_lead_by_the_wrong_seat_stands_and_the_trick_runs_from_there(self):
        record = playing().played(1, "HJ")
        assert record.finding() == ("11.32", record.version, 1, [])
        assert record.findings()[0].rule == "OMB-6.1"
        assert record.state().turn == 2
        record.played(2, "H2").played(0, "HK")
        state = record.state()
        assert (state.tricks[0].leader, state.tricks[0].winner, state.turn) == (1, 0, 0)
        assert record.codes() == ["11.32"]

    def test_a_lead_by_another_than_the_winner_cites_the_winner_leads(self):
        assert [finding.rule for finding in playing().trick(0, "HK HJ H2").played(2, "DQ").findings()] == ["OMB-6.15"]

    def test_a_lead_by_the_seat_that_sits_out_is_void(self):
        record = in_play("S", {0: "SA"}, dealer=3, players=4).played(3, "HK")
        assert record.finding() == ("11.32", record.version, 3, [])
        assert (record.state().turn, record.state().tricks) == (0, [])


class TestPlayOutOfTurn:  # 11.33 play_out_of_turn
    def test_a_card_out_of_turn_stands_and_the_skipped_seat_is_due(self):
        record = playing().played(0, "HK").played(2, "H2")
        assert record.finding() == ("11.33", record.version, 2, [])
        assert record.state().turn == 1
        state = record.played(1, "HJ").state()
        assert [len(trick.cards) for trick in state.tricks] == [3]
        assert state.tricks[0].winner == 0
        assert record.codes() == ["11.33"]

    def test_a_second_card_to_the_same_trick_is_void(self):
        record = playing().played(0, "HK").played(0, "HQ")
        assert record.finding() == ("11.33", record.version, 0, [])
        assert "HQ" in record.state().hands[0]
        assert record.state().turn == 1

    def test_a_card_of_the_seat_that_sits_out_is_void(self):
        record = in_play("S", {0: "SA"}, dealer=3, players=4).played(0, "SA").played(3, "HK")
        assert record.finding() == ("11.33", record.version, 3, [])
        assert record.state().turn == 1


class TestCardPlayedTwice:  # 11.34 card_played_twice
    def test_a_card_played_before_counts_but_leaves_no_hand(self):
        record = playing().trick(0, "HK HJ H2").played(0, "CK").played(1, "HK")
        found = record.findings()[0]
        assert (found.code, found.version, found.seat) == ("OMB-11.34", record.version, 1)
        assert len(record.state().hands[1]) == 8
        assert record.state().tricks[1].cards == ["CK", "HK"]

    def test_what_was_played_before_is_not_offered(self):
        assert "H2" not in playing().played(0, "HK").played(1, "H2").legal["card_played"]


def with_the_only_heart_of_seat_2_played_by_seat_1():
    return playing().trick(0, "SA H2 S4").trick(0, "HK HJ")


class TestCardNotHeld:  # 11.35 card_not_held
    def test_a_card_not_held_counts_in_the_trick_but_leaves_no_hand(self):
        record = playing().played(0, "HQ").played(1, "HK")
        assert record.finding() == ("11.35", record.version, 1, ["HA", "HJ"])
        assert len(record.state().hands[1]) == 9
        assert record.played(2, "H2").state().tricks[0].winner == 1

    def test_a_card_that_another_has_played_need_not_be_followed_with_by_its_holder(self):
        record = with_the_only_heart_of_seat_2_played_by_seat_1()
        legal = record.legal["card_played"]
        assert "DQ" in legal
        assert "H2" not in legal
        assert record.played(2, "DQ").codes() == ["11.35"]

    def test_its_holder_plays_it_a_second_time(self):
        record = with_the_only_heart_of_seat_2_played_by_seat_1()
        legal = record.legal["card_played"]
        found = record.played(2, "H2").findings()[-1]
        assert (found.code, found.seat, found.legal) == ("OMB-11.34", 2, legal)

    def test_of_a_hand_known_in_part_it_proves_no_revoke_either(self):
        table = Record().start(2).dealt({2: "H2 ?? ?? ?? ?? ?? ?? ?? ??"}).won_by(0, "solo").trump(0, "S")
        table.exchanged(1, 0).exchanged(2, 0).trick(0, "SA H2 S4").trick(0, "HK HJ DQ")
        assert table.codes() == ["11.35"]

    def test_a_card_that_was_put_aside_is_not_held(self):
        record = Record().start(2).dealt({0: "SA S2 SK CK HK HQ D7 D6 H3"}).won_by(0).trump(0, "S")
        record.exchanged(0, "D7").exchanged(1, 0).exchanged(2, 0).played(0, "D7")
        assert record.codes() == ["11.35"]


class TestIllegalExemptionAndRevoke:  # 11.36 illegal_exemption, 11.37 revoke
    def test_matadors_that_are_not_all_higher_give_no_exemption(self):
        record = in_play("S", {0: "S2", 1: "SA CA DK"}, avoid={1: "S"}).trick(0, "S2 DK")
        assert record.finding() == ("11.36", record.version, 1, ["CA", "SA"])

    def test_with_a_small_trump_in_hand_it_is_a_revoke(self):
        record = in_play("S", {0: "S2", 1: "SA S3 DK"}, avoid={1: "S"}).trick(0, "S2 DK")
        assert record.finding() == ("11.37", record.version, 1, ["S3", "SA"])
        assert record.findings()[0].rule == "OMB-6.7"

    def test_refusing_a_plain_suit_is_a_revoke_and_stands(self):
        record = playing().played(0, "HK").played(1, "S3")
        assert record.finding() == ("11.37", record.version, 1, ["HA", "HJ"])
        assert record.findings()[0].rule == "OMB-6.5"
        assert record.played(2, "H2").state().tricks[0].winner == 1  # the trump wins, though it is a revoke

    def test_a_deal_with_a_revoke_is_scored_as_it_was_played(self):
        record = with_winners("000110022")
        version, event = record.entries[12]
        assert record.deal().status == "complete"
        record.corrected(version, "replace", type(event)(seat=event.seat, card="SA"))
        assert "11.35" in record.codes()
        assert record.deal().status == "complete"


# --- 11.38 wrong_gather -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [1, 2])
def test_a_wrong_gatherer_is_found_and_the_winner_keeps_the_lead(seat):
    record = playing().trick(0, "HK HJ H2").gathered(seat)
    assert record.finding() == ("11.38", record.version, seat, None)
    assert record.state().turn == 0


CASES = [
    # 11.31 play_after_end
    case("the last card is not after the end", with_winners("000110022")),
    # 11.32 wrong_lead
    case("a wrong lead with a card not held", playing().played(1, "HK"), "11.32"),
    # 11.33 play_out_of_turn
    case("a revoke out of turn is only that", playing().played(0, "HK").played(2, "DQ"), "11.33"),
    # 11.34 card_played_twice
    case(
        "a card shown by another is gone", playing().played(0, "HK").played(1, "H2").played(2, "H2"), "11.35", "11.34"
    ),
    # 11.36 illegal_exemption, 11.37 revoke
    case("basto under spadille", in_play("S", {0: "SA", 1: "CA DK"}, avoid={1: "S"}).trick(0, "SA DK"), "11.36"),
    case("punto gives no exemption", in_play("H", {0: "H3", 1: "HA DK"}, avoid={1: "H"}).trick(0, "H3 DK"), "11.37"),
    case("spadille is no plain spade", in_play("H", {0: "SK", 1: "SA DK"}, avoid={1: "SH"}).trick(0, "SK DK")),
    # 11.38 wrong_gather
    case("the winner gathers without a finding", playing().trick(0, "HK HJ H2").gathered(0)),
    case(
        "gathering before the third card is found", playing().trick(0, "HK HJ").gathered(0), ("11.38", 0, None), turn=2
    ),
    case("gathering before the first trick is found", playing().gathered(0), "11.38"),
    case("gathered after the end", with_winners("000110022").gathered(2)),
    case("by another", with_winners("000110022").gathered(0), "11.38"),
]


def test_each_case_is_as_its_row_says():
    assert_cases(CASES)
