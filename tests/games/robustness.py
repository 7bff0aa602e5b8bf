"""Reads a table, however wrong its record is, in every way in which it can be read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import structs

from ledger.events import DealStarted, Event, RulingGiven
from ledger.table.answers import Finding, ScoreAnswer
from ledger.table.audit import audit_answer
from ledger.table.corrections import corrected_reading
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from ledger.table.steps import replay_answer, replay_steps
from tests.games.section_11 import assert_as_in_the_table


def read_in_full(
    events: Iterable[Event], seats: Sequence[int | None] = (None, 0)
) -> tuple[TableFold, ScoreAnswer, list[Finding]]:
    """Folds the events and asks for every answer, for these seats; deals are numbered as in a log."""
    fold = TableFold(corrected_reading(list(enumerate(_numbered(events), start=1))))
    score = score_answer("t", fold)
    findings = audit_answer("t", fold).findings
    for finding in findings:
        assert_as_in_the_table(finding)
    audit_answer("t", fold, "ja")
    for record in fold.deals:
        for seat in seats:
            for step in replay_steps(fold, record.number, seat):
                answer = replay_answer("t", record.number, step)
                assert all(answer.legal.values())
    return fold, score, findings


def _numbered(events: Iterable[Event]) -> list[Event]:
    numbered: list[Event] = []
    deals = 0
    for event in events:
        if isinstance(event, DealStarted):
            deals += 1
            numbered.append(structs.replace(event, deal=deals))
        elif isinstance(event, RulingGiven):
            numbered.append(structs.replace(event, deal=min(event.deal, deals)))
        else:
            numbered.append(event)
    return numbered
