"""A table opened in a session that is closed: a warning of the audit, never refused (contract 5)."""

from __future__ import annotations

import json

import pytest

from ledger.log.memory import MemoryStore
from ledger.recording.importing import import_content
from ledger.table.answers import Finding
from ledger.table.audit import audit_answer
from ledger.table.lookup import AS_CORRECTED, ReadAs, fold_table
from ledger.text.audit import audit_text

SESSION = ("session/spring", {"type": "session_opened", "title": "Spring", "date": "2026-03-01"})
CLOSED = ("session/spring", {"type": "session_closed"})
UNCLOSED = ("session/spring", {"type": "corrected", "version": 2, "action": "strike", "reason": "too early"})
TABLE = ("table/t", {"type": "table_opened", "game": "kop", "players": ["A", "B", "C", "D"], "session": "spring"})
STARTED = ("table/t", {"type": "deal_started", "deal": 1, "dealer": 0})


def recorded(*told: tuple[str, dict[str, object]]) -> MemoryStore:
    store = MemoryStore()
    for stream, event in told:
        line = json.dumps({"stream": stream, "event": event}).encode()
        import_content(store, line, "file", recorded_by="test", strict=True)
    return store


def findings(store: MemoryStore, read_as: ReadAs = AS_CORRECTED, lang: str = "en") -> list[Finding]:
    return audit_answer("t", fold_table(store, "t", read_as), lang).findings


def test_a_table_opened_in_a_closed_session_is_a_warning_at_its_opening() -> None:
    (found,) = findings(recorded(SESSION, CLOSED, TABLE, STARTED))
    assert (found.code, found.rule, found.severity) == ("SESSION-CLOSED", "SESSION-CLOSED", "warning")
    assert (found.deal, found.version, found.seat, found.legal) == (None, 1, None, None)
    assert found.message == "the table was opened in the session spring, which had been closed"


def test_it_is_said_in_japanese() -> None:
    (found,) = findings(recorded(SESSION, CLOSED, TABLE), lang="ja")
    assert found.message == "すでに終了したセッションspringで卓が開かれた"


def test_the_director_reads_it_without_a_rule_of_any_book() -> None:
    fold = fold_table(recorded(SESSION, CLOSED, TABLE), "t")
    told = list(audit_text(audit_answer("t", fold), fold, "en"))
    assert told[1:-1] == [
        "  warning SESSION-CLOSED  entry 1: the table was opened in the session spring, which had been closed"
    ]


@pytest.mark.parametrize(
    "told",
    [
        (SESSION, TABLE, CLOSED, STARTED),  # closed later
        (SESSION, CLOSED, UNCLOSED, TABLE),  # closed by mistake
        (SESSION, CLOSED, TABLE, UNCLOSED),  # found out later
        (TABLE, SESSION, CLOSED),
    ],
)
def test_a_table_opened_while_its_session_was_open_is_no_finding(told: tuple[tuple[str, dict[str, object]]]) -> None:
    assert findings(recorded(*told)) == []


def test_the_record_as_first_written_still_has_the_closing_that_was_struck() -> None:
    store = recorded(SESSION, CLOSED, UNCLOSED, TABLE)
    assert [found.code for found in findings(store, ReadAs(recorded=True))] == ["SESSION-CLOSED"]


def test_it_is_found_without_the_rulings_too() -> None:
    store = recorded(SESSION, CLOSED, TABLE)
    assert [found.code for found in findings(store, ReadAs(without_rulings=True))] == ["SESSION-CLOSED"]


@pytest.mark.parametrize(
    ("told", "findings"),
    [
        ([SESSION, CLOSED, TABLE, STARTED], 1),
        ([SESSION, TABLE, CLOSED, STARTED], 0),
        ([SESSION, CLOSED, UNCLOSED, TABLE], 0),
        ([SESSION, CLOSED, TABLE, UNCLOSED], 0),
        ([TABLE, SESSION, CLOSED], 0),
    ],
)
@pytest.mark.parametrize("split", range(3))
def test_an_import_counts_it_wherever_the_session_was_closed(
    told: list[tuple[str, dict[str, object]]], findings: int, split: int
) -> None:
    """The first lines are in the ledger already, or come in the same file; `strict` refuses nothing."""
    store = recorded(*told[:split])
    lines = [json.dumps({"stream": stream, "event": event}).encode() for stream, event in told[split:]]
    report = import_content(store, b"\n".join(lines), "file", recorded_by="test", strict=True)
    assert report.findings == (findings if TABLE in told[split:] else 0)
