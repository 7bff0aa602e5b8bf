"""Reading a ledger file in bulk equals reading any store row by row."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ledger.events import Corrected, Noted
from ledger.history import catch_up
from ledger.log import Batch, MemoryStore, NewEntry, SqliteStore
from ledger.log.bulk import BulkReader
from ledger.log.sqlite_bulk import SqliteBulkReader
from tests.history.helpers import Club, opening, record, select, table_rows

STRANGE = 'Zoë "\\" \x1f\n\t\x1e 鈴木 ☂\''


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        yield store


def test_in_bulk_as_row_by_row(store: SqliteStore) -> None:
    Club(store, 5).do(30)
    record(store, "table/old", opening(), happened_at="1911-12-24T20:00:00.000000Z")
    bulk, rows, head = SqliteBulkReader(store), BulkReader(store), store.head().position
    for after, until in ((0, head), (7, head), (7, head - 5), (head, head)):
        assert bulk.streams(after, until) == rows.streams(after, until)
        assert b"".join(bulk.lines(after, until)) == b"".join(rows.lines(after, until))
    for stream in [*bulk.streams(0, head), "table/unknown"]:
        for until in (head, head // 2):
            events = bulk.events(stream, until)
            assert events == [row.event() for row in store.read_stream(stream, until_position=until)]
            assert b"".join(bulk.lines_of(stream, 7, until)) == b"".join(rows.lines_of(stream, 7, until))
            versions = range(1, len(events) + 1, 3)
            assert bulk.places(stream, versions) == rows.places(stream, versions)
    bulk.close()


def test_the_same_log_makes_the_same_rows_in_memory(tmp_path: Path, store: SqliteStore) -> None:
    memory = MemoryStore(clock=lambda: datetime(2026, 1, 5, tzinfo=UTC))
    Club(memory, 8).do(30)
    store.append_envelopes(row.envelope() for row in memory.read())
    catch_up(memory, tmp_path / "memory.duckdb")
    catch_up(store, tmp_path / "file.duckdb")
    of_memory, of_file = table_rows(tmp_path / "memory.duckdb"), table_rows(tmp_path / "file.duckdb")
    assert of_memory.pop("meta") != of_file.pop("meta"), "only a file has an id"
    assert of_memory == of_file


def test_strange_names_and_very_long_entries_come_through(tmp_path: Path, store: SqliteStore) -> None:
    remark = Noted(text="鈴" * 10_000)
    long = Corrected(version=1, action="insert_after", reason="forgotten", events=(remark,) * 120)
    store.append(Batch("table/t", 0, (NewEntry(opening()), NewEntry(Noted(text=STRANGE)))), recorded_by=STRANGE)
    store.append(Batch("table/t", 2, (NewEntry(long),)), recorded_by="recorder-1")
    history = tmp_path / "h.duckdb"
    catch_up(store, history)
    assert select(history, "SELECT recorded_by FROM entries ORDER BY version") == [
        (STRANGE,),
        (STRANGE,),
        ("recorder-1",),
    ]
    assert select(history, "SELECT event ->> 'text' FROM entries WHERE version = 2") == [(STRANGE,)]
    assert select(
        history, "SELECT strlen(event) > 3_000_000, len(event -> '$.events[*].text') FROM entries WHERE version = 3"
    ) == [(True, 120)]
