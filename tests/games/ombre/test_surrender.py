"""Surrender and defence (OMB-6.22 to 6.32) and their faults (OMB-11.30, 11.39, 11.40)."""

from copy import deepcopy

import pytest

from ledger.events import CardPlayed
from tests.games.ombre.tables import Record, with_winners
from tests.games.scripted import cases_of

CARD = "HA"  # the fourth trick's, of seat 0


def surrendered(winners="000", **options):
    return with_winners(winners, **options).said(0, "surrender")


class TestWhen:
    @pytest.mark.parametrize("winners", ["", "0", "111", "012"])
    def test_the_ombre_may_surrender_before_trick_four(self, winners):
        said = with_winners(winners).legal["announced"]
        assert "surrender" in said or "0:surrender" in said
        assert surrendered(winners).codes() == []

    @pytest.mark.parametrize(
        ("record", "rule"),
        [
            (with_winners("0001").said(0, "surrender"), "OMB-6.23"),  # too late
            (with_winners("").said(1, "surrender"), "OMB-6.22"),  # another seat
            (with_winners("", call="solo").said(0, "surrender"), "OMB-6.22"),
            (with_winners("", surrender_allowed=False).said(0, "surrender"), "OMB-6.22"),
            (with_winners("000").played(0, CARD).said(0, "surrender"), "OMB-6.23"),  # with a trick in progress
            (with_winners("000").said(0, "surrender").said(1, "defend").said(0, "surrender"), "OMB-6.30"),
            (with_winners("000").said(0, "surrender").said(1, "defend").said(1, "surrender"), "OMB-6.30"),
            (with_winners("", call="vuelta").said(0, "surrender").said(0, "surrender"), "OMB-6.23"),  # twice
        ],
    )
    def test_an_illegal_surrender_is_found_and_void(self, record, rule):
        (finding,) = record.findings()
        assert (finding.code, finding.rule, finding.version) == ("OMB-11.39", rule, record.version)
        before = deepcopy(record)
        before.entries.pop()
        assert record.deal().status == before.deal().status

    def test_a_surrender_before_the_last_exchange_is_too_early(self):
        record = with_winners("")
        record.entries.pop()
        assert record.said(0, "surrender").codes() == ["11.39"]


def played_on(before, after, defender=1):
    """The deal of `with_winners(before + after)` with a surrender after the first tricks."""
    record = with_winners(before + after)
    place = len(record.entries) - 3 * len(after)
    rest = [event for _, event in record.entries[place:]]
    del record.entries[place:]
    record.said(0, "surrender")
    if defender == 2:
        record.said(1, "decline_defence")
    assert all(isinstance(event, CardPlayed) for event in rest)
    return record.said(defender, "defend").add(*rest)


class TestEnd:
    def test_with_four_the_dealer_is_not_asked(self):
        record = with_winners("", ombre=2, dealer=1, players=4).said(2, "surrender")
        assert [record.state().turn, record.said(3, "decline_defence").state().turn] == [3, 0]

    def test_a_defended_deal_is_played_on_with_the_defender_in_place_of_the_ombre(self):
        record = surrendered("012").said(1, "defend")
        state = record.state()
        assert (state.trump, state.turn, state.trick_counts) == ("S", 2, [1, 1, 1])  # OMB-6.29
        assert "announced" not in record.legal
        record = played_on("012", "111000")
        outcome = record.deal().outcome
        assert (outcome["result"], outcome["defender"], outcome["tricks"]) == ("DEFENDED_DOUBLE_PUESTA", 1, (4, 4, 1))
        assert record.codes() == []

    @pytest.mark.parametrize(
        ("before", "after", "defender", "result"),
        [
            ("012", "111122", 1, "DEFENDED_WON"),
            ("012", "222221", 1, "DEFENDED_CODILLE"),
            ("012", "222211", 2, "DEFENDED_WON"),
            ("000", "011122", 1, "DEFENDED_SAVED"),
            ("000", "112200", 2, "DEFENDED_SAVED"),
            ("", "000111222", 1, "DEFENDED_DOUBLE_PUESTA"),
        ],
    )
    def test_the_tricks_decide_a_defended_deal(self, before, after, defender, result):
        assert played_on(before, after, defender).deal().outcome["result"] == result

    def test_a_defended_deal_has_no_primeras_and_no_vole(self):
        outcome = played_on("000", "000000").deal().outcome
        assert (outcome["result"], outcome["primeras"]) == ("DEFENDED_SAVED", False)
        outcome = played_on("", "111111111").deal().outcome
        assert outcome["result"] == "DEFENDED_WON"

    def test_a_defended_deal_may_be_thrown_in(self):
        record = played_on("", "11111")
        assert "throw_in" in record.legal["announced"]
        assert record.said(0, "throw_in").deal().outcome["result"] == "DEFENDED_WON"


# --- 11.40 illegal_defence --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["defend", "decline_defence"])
@pytest.mark.parametrize(
    ("record", "seat", "rule"),
    [
        (surrendered(), 2, "OMB-6.26"),  # not being asked yet
        (surrendered(), 0, "OMB-6.26"),
        (surrendered().said(1, "decline_defence"), 1, "OMB-6.26"),  # asked before
        (with_winners("000"), 1, "OMB-6.25"),  # without a surrender
        (with_winners("00", call="vuelta"), 1, "OMB-6.24"),
        (surrendered().said(1, "defend"), 2, "OMB-6.25"),  # answered already
    ],
)
def test_an_answer_by_a_seat_that_is_not_asked_is_void(record, seat, rule, word):
    entries = list(record.entries)
    turn = record.state().turn
    record.said(seat, word)
    (finding,) = record.findings()
    assert (finding.code, finding.rule, finding.seat) == ("OMB-11.40", rule, seat)
    assert record.state().turn == turn
    record.entries[:] = entries


test_each_case_of_the_file = cases_of("ombre/surrender.txt", Record, played_on, surrendered, with_winners)
