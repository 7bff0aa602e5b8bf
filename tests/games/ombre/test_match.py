"""Across deals (OMB section 8): the pool, the end of the match, its closing (example 22), and what comes after it."""

from ledger.events import Noted
from tests.games.ombre.tables import Record, with_winners
from tests.games.scripted import cases_of


def test_a_remark_is_not_the_last_event_of_a_deal():
    record = with_winners("0001")
    last = record.version
    assert record.add(Noted(text="the lamp went out")).start().finding()[1] == last


test_each_case_of_the_file = cases_of("ombre/match.txt", Record, with_winners)
