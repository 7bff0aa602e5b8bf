"""Sessions as they are recorded: what reopens one, and what programs get from the functions of the package."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

import ledger
from ledger.errors import ConflictError, MalformedError, NotFoundError, UsageError
from ledger.events import Corrected, SessionClosed, SessionOpened, TableClosed
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
    with pytest.raises(MalformedError, match="date: '2026-02-30'; expected a day"):
        ledger.amend_session(store, "friday", date="2026-02-30", reason="x", recording=ME)


def test_amending_goes_on_from_what_was_amended_and_keeps_the_record() -> None:
    store = friday()
    ledger.amend_session(store, "friday", place="Leiden", reason="forgotten", recording=ME)
    ledger.amend_session(store, "friday", club="The Matadors", reason="forgotten", recording=ME)
    first, *corrections = (row.event() for row in store.read_stream("session/friday"))
    assert first == SessionOpened(title="Friday", date="2026-01-30")
    assert isinstance(corrections[-1], Corrected) and corrections[-1].events == (
        SessionOpened(title="Friday", date="2026-01-30", club="The Matadors", place="Leiden"),
    )


def test_a_session_is_named_by_slug_or_stream() -> None:
    store = friday()
    assert ledger.close_session(store, "session/friday", recording=ME).session == "friday"
    with pytest.raises(NotFoundError, match="there is no session monday; the ledger has friday"):
        ledger.close_session(store, "monday", recording=ME)
    with pytest.raises(NotFoundError, match="the ledger has no session yet"):
        ledger.close_session(MemoryStore(), "monday", recording=ME)


def test_only_open_tables_of_the_session_keep_it_from_being_closed() -> None:
    store = friday()
    for table, session in (("a", "friday"), ("b", "friday"), ("c", "monday"), ("d", None)):
        opened = {"type": "table_opened", "game": "ombre", "players": ["Ann", "Ben", "Cleo"]}
        imported(store, opened | ({} if session is None else {"session": session}), stream=f"table/{table}")
    ledger.close_table(store, "a", recording=ME)
    with pytest.raises(UsageError, match="still open: b;") as refused:
        ledger.close_session(store, "friday", recording=ME)
    assert refused.value.code == "confirm_required" and refused.value.values["known"] == ("b",)
    closed = ledger.close_session(store, "friday", confirm=True, recording=ME)
    assert (closed.open_tables, closed.event) == (("b",), SessionClosed())


def test_an_id_of_the_opening_is_no_id_of_a_closing() -> None:
    store, id = MemoryStore(), "0193f2a0-5c1e-7d3b-8a4f-2b6c9d0e1f23"
    opening = ledger.Recording(by="Ann", id=id)
    first = ledger.open_session(store, "friday", title="Friday", date="2026-01-30", recording=opening)
    again = ledger.open_session(store, "friday", title="Friday", date="2026-01-30", recording=opening)
    assert (first.version, again.version, again.already_recorded) == (1, 1, True)
    with pytest.raises(ConflictError, match="the id opened the session"):
        ledger.close_session(store, "friday", recording=opening)


def test_a_table_that_was_reopened_can_be_closed_and_is_paid_out_once() -> None:
    store = MemoryStore()
    outcome = {"ombre": 0, "contract": "entrada", "trump": "S", "tricks": [5, 2, 2]}
    imported(
        store,
        {"type": "table_opened", "game": "ombre", "players": ["Ann", "Ben", "Cleo"]},
        {"type": "deal_started", "deal": 1, "dealer": 2},
        {"type": "result_recorded", "outcome": outcome},
        stream="table/t",
    )
    first = ledger.close_table(store, "t", recording=ME)
    ledger.correct(store, "t", "strike", reason="they play on", recording=ME)
    second = ledger.close_table(store, "t", reason="late", recording=ME)
    assert second.event == TableClosed(reason="late")
    assert second.change.totals_after == first.change.totals_after == ledger.score(store, "t").totals
