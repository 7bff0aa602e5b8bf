"""Projection of new log entries into a read model: it folds the tables that have changed, and replaces their rows.

All changes and the new position are one transaction.

With a cut, the read model is that of a ledger without the entries held back, apart from positions. The held-back
positions are stored in it, so the next catch-up knows which entries are still to come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from duckdb import DuckDBPyConnection
from msgspec import Struct, structs

from ledger.history.model.database import infrequent_gc
from ledger.history.model.loading import RowLoader, write_entries, write_entries_of
from ledger.history.model.parallel import EntryRange, FoldContext, fold_in_parallel, is_worth_it
from ledger.history.model.projections import projections
from ledger.history.model.rows import GROWING, OF_TABLES
from ledger.history.model.schema import (
    HeldBack,
    HistoryHead,
    Meta,
    cut_version,
    read_persons,
    read_zone,
    schema_version,
    write_meta,
)
from ledger.history.model.table_rows import collect_table
from ledger.log.base import LogStore, Row
from ledger.log.bulk import BulkReader, Cut, CutBulkReader
from ledger.log.paths import loading_of_history, lock_of
from ledger.log.stores import bulk_reader
from ledger.streams import SESSION, TABLE
from ledger.zones import UTC

ENTRIES_AT_ONCE: Final = 100_000
"""Number of entries in one file, about 20 MB."""

SMALL: Final = 10_000
"""Up to this many new entries load faster in one thread."""

FEW: Final = 5
"""Up to this many names are found faster as values (one name in half the time), more by a join with a list."""

Progress: TypeAlias = Callable[[int, int], None]
"""Receives the number of finished tables and sessions, and their total."""


def no_progress(done: int, total: int) -> None:
    """Report nothing."""


class Task(Struct, frozen=True, kw_only=True):
    """The target of a catch-up and its settings.

    `cut`: by default the whole log. `persons`: the person of each linked spelling, by default the ledger's. `zone`,
    `workers`: as in `catch_up`.
    """

    store: LogStore
    path: Path
    cut: Cut | None = None
    persons: Mapping[str, str] | None = None
    zone: str = UTC
    progress: Progress = no_progress
    workers: int = 1

    @property
    def whole_cut(self) -> Cut:
        """The cut, by default of the whole log."""
        return Cut(self.store.head()) if self.cut is None else self.cut


class StreamChanges(Struct, frozen=True):
    """The differences between a read model and a cut.

    `after`: the read model has all entries up to this position but those held back; `before`: by stream, the first
    position held back. `changed`: streams with more or fewer visible entries. `released`: by stream, the positions
    after which and up to which entries become visible. `taken_back`: by stream, the first position that is visible no
    more.
    """

    after: int
    before: Mapping[str, int]
    changed: list[str]
    released: dict[str, tuple[int, int]]
    taken_back: dict[str, int]

    def known_until(self, stream: str) -> int:
        """Return the position up to which the read model has all entries of the stream."""
        return _visible_until(self.after, self.before.get(stream))


def stream_changes(source: CutBulkReader, after: int, cut: Cut, before: Mapping[str, int]) -> StreamChanges:
    """Return the differences between a read model at `after` with entries held back from `before`, and the cut.

    `source`: the log as the cut shows it.
    """
    until = cut.head.position
    changed = dict.fromkeys(source.streams(after, until))
    released: dict[str, tuple[int, int]] = {}
    taken_back: dict[str, int] = {}
    for stream in {**before, **cut.held_back}:
        known = _visible_until(after, before.get(stream))
        shown = _visible_until(until, cut.held_back.get(stream))
        changed.pop(stream, None)
        if shown < known and any(source.uncut_lines_of(stream, shown, known)):
            taken_back[stream] = shown + 1
            changed[stream] = None
        elif shown > known and any(source.lines_of(stream, known, shown)):
            changed[stream] = None
            if known < after:
                released[stream] = (known, min(shown, after))
    return StreamChanges(after, before, list(changed), released, taken_back)


def _visible_until(position: int, first_held_back: int | None) -> int:
    return position if first_held_back is None else min(position, first_held_back - 1)


def advance(connection: DuckDBPyConnection, task: Task, after: int, held_back: HeldBack | None = None) -> HistoryHead:
    """Add all entries after a position, in one transaction; return the new head.

    `held_back`: the entries that the read model has left out so far; None for a read model without a cut.
    """
    store, cut, progress = task.store, task.whole_cut, task.progress
    persons = store.people().persons() if task.persons is None else task.persons
    until, has_digests = cut.head.position, held_back is None
    with (
        infrequent_gc(),
        closing(CutBulkReader(bulk_reader(store), cut.held_back, has_digests=has_digests)) as source,
        RowLoader(connection, loading_of_history(task.path)) as loader,
    ):
        changes = stream_changes(source, after, cut, {} if held_back is None else held_back.since)
        is_part = after > 0 or task.cut is not None
        streams = changes.changed if is_part else [info.stream for info in store.streams()]
        connection.execute("BEGIN")
        whole = {one: [one.kind.slug(name) for name in streams if one.kind.has(name)] for one in projections()}
        sessions = [SESSION.slug(name) for name in streams if SESSION.has(name)]
        growing: list[str] = []
        renamed = _tables_of_others(connection, persons)
        if after and read_zone(connection) != task.zone:
            renamed += _tables_without_a_day(connection)
        tables = list(dict.fromkeys([*(TABLE.slug(name) for name in streams if TABLE.has(name)), *renamed]))
        is_small = after > 0 and until - after <= SMALL
        # Saves a tenth: nothing passes between threads.
        connection.execute("SET threads TO 1" if is_small else "RESET threads")
        if after:
            _take_back(connection, changes)
            known = _known_tables(connection, tables, sessions)
            tables = list(dict.fromkeys([*tables, *known]))
            if not sessions and len(tables) <= FEW:
                growing = [
                    name
                    for name, is_over in known.items()
                    if not is_over and TABLE.stream(name) not in changes.taken_back and name not in renamed
                ]
            for projection, slugs in whole.items():
                _delete_rows(connection, projection.key, slugs, projection.tables)
            _delete_rows(connection, "table_name", [name for name in known if name not in growing], OF_TABLES)
            if changes.released:
                loader.take(write_entries_of(changes.released, source, loader.folder))
        before = sum(map(len, whole.values()))
        total = before + len(tables)
        for projection, slugs in whole.items():
            for slug in slugs:
                projection.collect(loader.rows, slug, source, until)
        loader.load()
        session_day = partial(_session_day, connection)
        for name in growing:
            known_until = changes.known_until(TABLE.stream(name))
            is_longer = collect_table(
                loader.rows, name, source, until, session_day, persons=persons, known_until=known_until, zone=task.zone
            )
            _delete_rows(connection, "table_name", [name], GROWING if is_longer else OF_TABLES)
        if is_small:
            connection.execute("PRAGMA disable_optimizer")  # optimising would take longer than these few rows
        others = [name for name in tables if name not in growing]
        days = _session_days(connection) if others else {}
        context = FoldContext(store.address, until, cut.held_back, has_digests, days, persons, task.zone, loader.folder)
        for done in _folded(context, source, after, others, loader, task.workers):
            progress(before + len(growing) + done, total)
        loader.load()
        head = history_head(cut)
        meta = Meta(schema_version(), store.ledger_id, head, None, persons, task.zone)
        if held_back is not None:
            last = row_at(store, head.position)
            left_out = HeldBack(cut.held_back, None if last is None else last.id)
            meta = structs.replace(meta, schema_version=cut_version(), held_back=left_out)
        write_meta(connection, meta)
        lock_of(task.path).write_text(str(until))  # before the commit, so it is never less than the stored position
        connection.execute("COMMIT")
    progress(total, total)
    return head


def history_head(cut: Cut) -> HistoryHead:
    """Return the head of a read model that is up to date with this cut."""
    return HistoryHead(cut.head.position, None if cut.held_back else cut.head.digest.hex())


def row_at(store: LogStore, position: int) -> Row | None:
    """Return the entry at a log position; None if there is none, as at 0."""
    return next(iter(store.read(position - 1, position)), None) if position else None


def _tables_of_others(connection: DuckDBPyConnection, persons: Mapping[str, str]) -> list[str]:
    """Return the tables with a player whose linked person has changed."""
    before = read_persons(connection)
    others = [name for name in {**before, **persons} if before.get(name, name) != persons.get(name, name)]
    if not others:
        return []
    condition, names = _name_condition("player", sorted({*others, *(before.get(name, name) for name in others)}))
    rows = connection.execute(f"SELECT DISTINCT table_name FROM seats WHERE {condition}", names).fetchall()
    return [table for (table,) in rows]


def _tables_without_a_day(connection: DuckDBPyConnection) -> list[str]:
    """Return the tables without a dated session, whose day depends on the time zone."""
    dated = "SELECT table_name FROM tables ANTI JOIN (FROM sessions WHERE played_on IS NOT NULL) USING (session)"
    rows = connection.execute(dated).fetchall()
    return [table for (table,) in rows]


def _take_back(connection: DuckDBPyConnection, changes: StreamChanges) -> None:
    """Remove the entries that are visible no more."""
    for stream, first in changes.taken_back.items():
        connection.execute("DELETE FROM entries WHERE stream = ? AND log_position >= ?", [stream, first])


def _session_days(connection: DuckDBPyConnection) -> dict[str, str | None]:
    """Return the date of each session."""
    return dict(connection.execute("SELECT session, played_on::VARCHAR FROM sessions").fetchall())


def _session_day(connection: DuckDBPyConnection, session: str) -> str | None:
    """Return the date of one session, in a quarter of the time that six thousand take."""
    row = connection.execute("SELECT played_on::VARCHAR FROM sessions WHERE session = ?", [session]).fetchone()
    return None if row is None else row[0]


def _folded(
    context: FoldContext, source: BulkReader, after: int, tables: Sequence[str], loader: RowLoader, workers: int
) -> Iterator[int]:
    """Give the rows of these tables and the new entries to the loader; yield the number of finished tables."""
    steps = range(after, context.until, ENTRIES_AT_ONCE)
    ranges = [EntryRange(step, min(step + ENTRIES_AT_ONCE, context.until)) for step in steps]
    # Other processes can only open a ledger with an address.
    if context.ledger is not None and is_worth_it(context.until - after, len(tables), workers):
        done = 0
        loader.leave_cores_to(workers)
        for count, written in fold_in_parallel(context, ranges, tables, workers):
            loader.take(written)
            done += count
            yield done
        return
    for entry_range in ranges:
        loader.take(write_entries(source, entry_range.after, entry_range.until, loader.folder))
    for done, table in enumerate(tables):
        yield done
        context.collect(loader.rows, table, source)
        loader.take_rows_if_many()


def _known_tables(connection: DuckDBPyConnection, tables: Sequence[str], sessions: Sequence[str]) -> dict[str, bool]:
    """Return which of these tables, and of the tables of these sessions, have rows, with whether they are over."""
    named, names = _name_condition("table_name", tables)
    if sessions:
        of_sessions, their_names = _name_condition("session", sessions)
        named, names = f"{named} OR {of_sessions}", [*names, *their_names]
    return dict(connection.execute(f"SELECT table_name, is_over FROM tables WHERE {named}", names).fetchall())


def _delete_rows(connection: DuckDBPyConnection, key: str, names: Sequence[str], tables: Sequence[str]) -> None:
    """Delete all rows with these names from some tables of the read model."""
    condition, values = _name_condition(key, names)
    for table in tables if names else ():
        connection.execute(f"DELETE FROM {table} WHERE {condition}", values)


def _name_condition(key: str, names: Sequence[str]) -> tuple[str, list[Any]]:
    """Return an SQL condition that a key is among these names, and its parameters."""
    if 0 < len(names) <= FEW:
        return f"{key} IN ({', '.join('?' * len(names))})", list(names)
    return f"{key} IN (SELECT unnest(?::VARCHAR[]))", [list(names)]
