"""Ledgers in which deals are open: where everybody's sight ends, and what is left without what lies beyond."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path

import duckdb
from msgspec import json

from ledger.log import Batch, LogStore, MemoryStore, NewEntry
from ledger.log.cut import Cut
from ledger.table.hiding import hidden_in
from ledger.table.lookup import TABLE_PREFIX

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
OF_POSITIONS = ("log_position", "first_position", "last_position")
OF_SERVICE = ("meta", "held_back", "last_entry")


def timeless_store() -> MemoryStore:
    """A ledger whose entries are all recorded at the same moment."""
    return MemoryStore(clock=lambda: NOON)


def cut_of(store: LogStore) -> Cut:
    """Held back is what belongs to open deals."""
    held_back = {}
    for head in store.streams(TABLE_PREFIX):
        rows = store.read_stream(head.stream)
        hidden = hidden_in([(row.version, row.event()) for row in rows])
        if hidden is not None:
            held_back[head.stream] = rows[hidden.version - 1].position
    return Cut(store.head(), held_back)


def without_held_back(store: LogStore, cut: Cut) -> MemoryStore:
    """The ledger in which what is held back was never recorded."""
    other = timeless_store()
    for row in store.read():
        if row.position < cut.held_back.get(row.stream, row.position + 1):
            other.append(
                Batch(row.stream, "any", (NewEntry(row.event(), row.id, row.happened_at),)), recorded_by=row.recorded_by
            )
    return other


def rows_of(history: Path, *, but: Collection[str] = OF_SERVICE) -> dict[str, list[str]]:
    """Every row of every table, apart from positions, in an order that does not depend on how it was made."""
    with duckdb.connect(history, read_only=True) as connection:
        found = {}
        for (table,) in connection.execute("SHOW TABLES").fetchall():
            if table not in but:
                left_out = [name for name in connection.table(table).columns if name in OF_POSITIONS]
                columns = f"* EXCLUDE ({', '.join(left_out)})" if left_out else "*"
                found[table] = sorted(
                    str(row) for row in connection.execute(f"SELECT {columns} FROM {table}").fetchall()
                )
        return found


def bytes_of(history: Path) -> bytes:
    """All that the tables and views say, positions and what is held back included; a view has its rows in no order."""
    with duckdb.connect(history, read_only=True) as connection:
        tables = [table for (table,) in connection.execute("SHOW TABLES").fetchall()]
        return b"\n".join(
            json.encode([table, sorted(list(map(str, row)) for row in connection.execute(f"FROM {table}").fetchall())])
            for table in tables
        )
