"""Of several rows that fit one event only the first is reported (OMB-11.2), and how the rows meet each other."""

from tests.games.ombre.tables import Record, in_play, with_winners
from tests.games.scripted import cases_of


def asked():
    return with_winners("000").said(0, "surrender")


def test_void_events_change_nothing_whatever_they_are():
    record = asked()
    before = record.state()
    record.calls("1 solo").trump(1, "H").said(1, "yield_exchange").exchanged(2, 3).said(2, "decline_defence")
    after = record.state()
    assert (after.turn, after.trump, after.hands, after.legal) == (
        before.turn,
        before.trump,
        before.hands,
        before.legal,
    )
    assert len(record.findings()) == 5


test_each_case_of_the_file = cases_of("ombre/precedence.txt", Record, asked, in_play)
