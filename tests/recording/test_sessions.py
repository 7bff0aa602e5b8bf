"""Sessions as they are recorded: what reopens one, and what programs get from the functions of the package."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

import ledger
from ledger.errors import MalformedError, NotFoundError
from ledger.log.memory import MemoryStore
from ledger.recording.importing import import_content

OPENED = {"type": "session_opened", "title": "Friday", "date": "2026-01-30"}
CLOSED = {"type": "session_closed"}
UNCLOSED = {"type": "corrected", "version": 2, "action": "strike", "reason": "too early"}
ME = ledger.Recording(by="Ann")


def imported(store: MemoryStore, *events: dict[str, Any], stream: str = "session/friday") -> None:
    lines = b"\n".join(json.dumps({"stream": stream, "event": event}).encode() for event in events)
    import_content(store, lines, "file", recorded_by="test")


def friday() -> MemoryStore:
    store = MemoryStore()
    ledger.open_session(store, "friday", title="Friday", date=date(2026, 1, 30), recording=ME)
    return store


def test_an_import_closes_a_session_again_that_was_reopened() -> None:
    store = MemoryStore()
    imported(store, OPENED, CLOSED, UNCLOSED, CLOSED)
    with pytest.raises(MalformedError, match="the session is closed already"):
        imported(store, CLOSED)


def test_an_import_finds_a_session_closed_where_the_closing_is_put_back() -> None:
    store = MemoryStore()
    restored = {"type": "corrected", "version": 2, "action": "replace", "reason": "it was", "events": [CLOSED]}
    with pytest.raises(MalformedError, match="the session is closed already"):
        imported(store, OPENED, CLOSED, UNCLOSED, restored, CLOSED)


def test_a_day_may_be_a_date_or_a_text() -> None:
    store = friday()
    added = ledger.amend_session(store, "friday", date="2026-01-31", reason="after midnight", recording=ME)
    assert added.before is not None and (added.before.date, added.after.date) == ("2026-01-30", "2026-01-31")
    with pytest.raises(MalformedError, match="no such day: '2026-02-30'; expected 2026-02-01 to"):
        ledger.amend_session(store, "friday", date="2026-02-30", reason="x", recording=ME)


def test_a_session_is_named_by_slug_or_stream() -> None:
    store = friday()
    assert ledger.close_session(store, "session/friday", recording=ME).session == "friday"
    with pytest.raises(NotFoundError, match="there is no session monday; the ledger has friday"):
        ledger.close_session(store, "monday", recording=ME)
    with pytest.raises(NotFoundError, match="the ledger has no session yet"):
        ledger.close_session(MemoryStore(), "monday", recording=ME)
