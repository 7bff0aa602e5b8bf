"""The first five tricks, stopping and the vole (OMB-6.17 to 6.21), and wrong stops (OMB-11.41)."""

import pytest

from tests.games.ombre.tables import with_winners


def test_the_ombre_with_the_first_five_tricks_may_stop():
    record = with_winners("00000")
    assert "stop" in record.legal["announced"]
    record.said(0, "stop")
    deal = record.deal()
    assert (deal.status, deal.outcome["result"], deal.outcome["ending"]) == ("complete", "SACADA", "stopped")
    assert deal.outcome["primeras"]
    assert record.codes() == []


@pytest.mark.parametrize("winners", ["", "0000", "00010", "000000", "11111"])
def test_without_exactly_the_first_five_tricks_there_is_no_stop(winners):
    record = with_winners(winners)
    assert "stop" not in record.legal.get("announced", [])
    record.said(0, "stop")
    assert record.finding() == ("11.41", record.version, 0, None)
    assert record.deal().status == "open"


def test_the_lead_to_trick_six_undertakes_the_vole():
    record = with_winners("00000").trick(0, "C7")
    assert "announced" not in record.legal
    assert record.said(0, "stop").codes() == ["11.41"]


@pytest.mark.parametrize("seat", [1, 2])
def test_only_the_ombre_may_stop(seat):
    record = with_winners("00000").said(seat, "stop")
    assert record.finding() == ("11.41", record.version, seat, None)


def test_stopping_after_the_end_is_found():
    assert with_winners("00000").said(0, "stop").said(0, "stop").codes() == ["11.41"]


def test_stopping_before_the_play_is_found():
    record = with_winners("")
    del record.entries[-3:]  # the exchanges
    assert record.said(0, "stop").codes() == ["11.41"]


def test_a_defender_may_not_stop():
    record = with_winners("").said(0, "surrender").said(1, "defend")
    record = with_winners("000").said(0, "surrender").said(1, "decline_defence").said(2, "defend").said(2, "stop")
    assert record.finding() == ("11.41", record.version, 2, None)
    assert record.findings()[0].rule == "OMB-6.30"


@pytest.mark.parametrize(
    ("winners", "result", "primeras"),
    [
        ("000000000", "SACADA_VOLE", True),
        ("000000010", "SACADA_VOLE_FAILED", True),
        ("000001111", "SACADA_VOLE_FAILED", True),
        ("100000000", "SACADA", False),
        ("000010000", "SACADA", False),
    ],
)
def test_the_vole_is_made_with_all_nine_and_fails_with_the_first_trick_lost(winners, result, primeras):
    outcome = with_winners(winners).deal().outcome
    assert (outcome["result"], outcome["primeras"]) == (result, primeras)


def test_opponents_make_no_primeras():
    outcome = with_winners("111110000").deal().outcome
    assert (outcome["result"], outcome["primeras"]) == ("CODILLE", False)
