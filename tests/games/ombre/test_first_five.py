"""The first five tricks, stopping and the vole (OMB-6.17 to 6.21), and wrong stops (OMB-11.41)."""

import pytest

from tests.games.ombre.tables import Record, with_winners
from tests.games.scripted import cases_of


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


def test_stopping_before_the_play_is_found():
    record = with_winners("")
    del record.entries[-3:]  # the exchanges
    assert record.said(0, "stop").codes() == ["11.41"]


def test_a_defender_may_not_stop():
    record = with_winners("").said(0, "surrender").said(1, "defend")
    record = with_winners("000").said(0, "surrender").said(1, "decline_defence").said(2, "defend").said(2, "stop")
    assert record.finding() == ("11.41", record.version, 2, None)
    assert record.findings()[0].rule == "OMB-6.30"


test_each_case_of_the_file = cases_of("ombre/first_five.txt", Record, with_winners)
