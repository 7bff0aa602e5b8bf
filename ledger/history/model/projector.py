"""Keeps the read model level with the log: folds the tables that have changed, and replaces their rows.

All of one catch-up happens in one transaction, which also stores the position: killed at any moment, the read model is
as it was before. It is made anew in a file beside, which then takes its place, where it is of another make, tells of
another ledger, or of a record that is not the log's, or was never sealed. One that something else wrote to is refused.

With a cut, it is the read model of a ledger in which what is held back was never recorded, apart from positions. What
is held back stands in it, so that the next catch-up knows which entries it has yet to take in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias

import duckdb
from duckdb import DuckDBPyConnection
from msgspec import Struct

from ledger.errors import UnreadableError
from ledger.history.model.database import (
    NO_EXTENSIONS,
    READING_ONLY,
    WAIT_S,
    DamagedError,
    InUseError,
    cannot_be_written,
    connect,
    in_use,
    is_database,
    not_a_read_model,
    opened_for_writing,
    refused_by_system,
    seldom_collected,
    told_if_damaged,
    translated,
)
from ledger.history.model.integrity import Standing, altered, put_in_place, remove, sealed_after, standing
from ledger.history.model.loading import RowLoader, write_entries, write_entries_of
from ledger.history.model.parallel import Copy, Work, fold_in_parallel, is_worth_it
from ledger.history.model.projections import projections
from ledger.history.model.rows import GROWING, OF_TABLES
from ledger.history.model.schema import (
    HeldBack,
    HistoryHead,
    Meta,
    create_tables,
    cut_version,
    has_tables,
    read_meta,
    read_persons,
    read_zone,
    schema_version,
    write_meta,
)
from ledger.history.model.seen import Seen, seen_of
from ledger.history.model.table_rows import collect_table
from ledger.history.words import phrase
from ledger.log.base import LogStore, Row
from ledger.log.bulk import Bulk, Cut, CutBulk
from ledger.log.paths import draft_of_history, loading_of_history, lock_of
from ledger.log.stores import bulk_of
from ledger.log.writer_queue import WriterQueue
from ledger.streams import SESSION, TABLE
from ledger.zones import UTC

ENTRIES_AT_ONCE: Final = 100_000
"""So many entries are written to one file, some 20 MB."""

SMALL: Final = 10_000
"""So many new entries are quicker loaded by one thread."""

FEW: Final = 5
"""Up to so many names are found quicker as values, in half the time where it is one; more by a join with a list."""

Progress: TypeAlias = Callable[[int, int], None]
"""Is told how many tables and sessions are done, of how many."""


def untold(done: int, total: int) -> None:
    """Nobody is told how far it has come."""


class CaughtUp(Struct, frozen=True):
    """Where the read model stands now, how many entries are new in it, and whether it was made anew."""

    head: HistoryHead
    new_entries: int
    is_rebuilt: bool


def catch_up(
    store: LogStore,
    history_path: Path,
    *,
    progress: Progress | None = None,
    wait_s: float = WAIT_S,
    workers: int = 1,
    rebuild: bool = False,
    cut: Cut | None = None,
    zone: str = UTC,
) -> CaughtUp:
    """Bring the read model up to the log's last entry; make it where there is none, and anew with `rebuild`.

    With a `cut`, up to its head, without what it holds back. Such a read model is another one than without: neither
    becomes the other but by being made anew. `zone`: the time zone in which a table without a session has its day;
    after a change of it, those tables are taken in once more.

    With more `workers` than one, many new entries are folded in so many processes; the calling program then needs the
    guard `if __name__ == "__main__"`, as always where processes are started.

    Raises `ConflictError` where another process keeps it in use for longer than `wait_s`, `UnreadableError` for a file
    that is something else, and `MalformedError` for a record in the log that is none.
    """
    path = Path(history_path)
    tell = progress or untold
    if path.exists():
        if not is_database(path):
            raise not_a_read_model(path)
        is_behind = rebuild or (cut is None and _is_surely_behind(store, path))
        level = None if is_behind else _already_level(store, path, zone, cut)
        if level is not None:
            return level
    queue = WriterQueue(lock_of(path))
    try:
        if not queue.enter(wait_s):
            raise in_use(path, wait_s)
        with translated(path):
            caught_up = _catch_up_alone(store, path, tell, wait_s, workers, rebuild, cut, zone)
        store.remember_head()
        return caught_up
    except OSError as error:
        raise cannot_be_written(path, error) from error
    finally:
        queue.leave()
        queue.close()


def _is_surely_behind(store: LogStore, path: Path) -> bool:
    """Whether the log has gone on. Saves opening the file for reading first, a quarter of a small catch-up.

    In the lock file stands a position that no read model here has gone past; one that says nothing, or something wrong,
    only costs that time.
    """
    try:
        return int(lock_of(path).read_bytes()) < store.head().position
    except (OSError, ValueError):
        return False


def is_level(store: LogStore, path: Path, zone: str = UTC) -> bool:
    """Whether there is a read model that tells of all of the log, with the days of that zone, and can be read."""
    try:
        return path.exists() and is_database(path) and _already_level(store, path, zone) is not None
    except (OSError, UnreadableError):
        return False


def _already_level(store: LogStore, path: Path, zone: str, cut: Cut | None = None) -> CaughtUp | None:
    """The answer where nothing is to be done; it takes no lock that others would wait for."""
    try:
        with closing(connect(path, READING_ONLY, readonly=True)) as connection, path.open("rb") as file:
            meta, found = read_meta(connection), standing(path, file)
    except (InUseError, DamagedError, duckdb.Error, OSError):
        return None  # whoever has the turn to write sees what is wrong
    if (
        found is not Standing.WHOLE
        or meta is None
        or not is_of(meta, store, cut)
        or not is_level_with(meta, store, cut or Cut(store.head()), zone)
    ):
        return None
    return CaughtUp(meta.head, 0, False)


def is_level_with(meta: Meta, store: LogStore, cut: Cut, zone: str) -> bool:
    """Whether nothing is to be done for a read model to be as this cut asks, and to know who is who and which day."""
    held_back = {} if meta.held_back is None else meta.held_back.since
    is_level = meta.head == _history_head(cut) and held_back == cut.held_back
    return is_level and meta.zone == zone and meta.persons == store.people().persons()


def _catch_up_alone(
    store: LogStore, path: Path, tell: Progress, wait_s: float, workers: int, rebuild: bool, cut: Cut | None, zone: str
) -> CaughtUp:
    """As `catch_up`, while no other process does the same."""
    if path.exists():
        with (
            path.open("rb") as file,  # until DuckDB has let go of it
            suppress(DamagedError),
            opened_for_writing(path, wait_s=wait_s) as connection,
        ):
            with told_if_damaged():
                meta = read_meta(connection)
            if meta is None and has_tables(connection):
                raise not_a_read_model(path)
            if meta is not None and not rebuild and is_of(meta, store, cut) and _is_sealed(path, file):
                with sealed_after(path, file):
                    after, held_back = meta.head.position, meta.held_back
                    head = advance(connection, store, after, path, tell, workers, cut, held_back, zone=zone)
                return CaughtUp(head, head.position - meta.head.position, False)
    return _rebuild(store, path, tell, workers, cut, zone)


def _is_sealed(path: Path, file: BinaryIO) -> bool:
    """Whether the read model is as catch-up left it; raises `UnreadableError` where something else wrote to it."""
    found = standing(path, file)
    if found is Standing.ALTERED:
        raise altered(path)
    return found is Standing.WHOLE


def is_of(meta: Meta, store: LogStore, cut: Cut | None = None) -> bool:
    """Whether the read model is of this make and tells of this log, as the digest of its last entry proves.

    Of one that holds entries back, its id does, and that it does not reach beyond the cut.
    """
    if meta.schema_version != _make(cut) or meta.ledger_id != store.ledger_id:
        return False
    position = meta.head.position
    if position == 0:
        return True
    if cut is not None and (meta.held_back is None or position > cut.head.position):
        return False
    row = _row_at(store, position)
    if row is None or (meta.held_back is not None and meta.held_back.last_id != row.id):
        return False
    return meta.head.digest is None or meta.head.digest == row.digest.hex()


def _row_at(store: LogStore, position: int) -> Row | None:
    return next(iter(store.read(position - 1, position)), None) if position else None


def _make(cut: Cut | None) -> str:
    return schema_version() if cut is None else cut_version()


def _history_head(cut: Cut) -> HistoryHead:
    return HistoryHead(cut.head.position, None if cut.held_back else cut.head.digest.hex())


def _rebuild(store: LogStore, path: Path, tell: Progress, workers: int, cut: Cut | None, zone: str) -> CaughtUp:
    """Make the read model in a file beside, then put it in place."""
    draft = draft_of_history(path)
    remove(draft)
    try:
        head = _written_anew(store, path, draft, tell, workers, cut, zone)
    except BaseException:
        with suppress(OSError):
            remove(draft)  # it may hold the room that is lacking
        raise
    put_in_place(draft, path)
    return CaughtUp(head, head.position, True)


def _written_anew(
    store: LogStore, path: Path, draft: Path, tell: Progress, workers: int, cut: Cut | None, zone: str
) -> HistoryHead:
    try:
        with closing(connect(draft, NO_EXTENSIONS)) as connection:
            create_tables(connection, is_cut=cut is not None)
            held_back = None if cut is None else HeldBack({}, None)
            head = advance(connection, store, 0, path, tell, workers, cut, held_back, zone=zone)
            connection.execute("CHECKPOINT")  # what closing does as well, but without a word where there is no room
            return head
    except (InUseError, DamagedError) as error:
        refused = refused_by_system(path, str(error))
        why = phrase("model.cannot_be_made", file=draft, why=str(error))
        raise refused or UnreadableError("disk", why) from error


def advance(
    connection: DuckDBPyConnection,
    store: LogStore,
    after: int,
    path: Path,
    tell: Progress,
    workers: int,
    cut: Cut | None = None,
    held_back: HeldBack | None = None,
    persons: Mapping[str, str] | None = None,
    zone: str = UTC,
) -> HistoryHead:
    """Take in all entries after a position, by default to the last, in one transaction.

    `held_back`: what the read model has left out so far; None for one that leaves out nothing, and tells no more than
    its head. `persons`: for whom each linked spelling is taken, by default as the ledger says now. `zone`: as in
    `catch_up`.
    """
    asked = Cut(store.head()) if cut is None else cut
    known_as = store.people().persons() if persons is None else persons
    until = asked.head.position
    with (
        seldom_collected(),
        closing(CutBulk(bulk_of(store), asked.held_back)) as source,
        RowLoader(connection, loading_of_history(path)) as loader,
    ):
        seen = seen_of(source, after, asked, {} if held_back is None else held_back.since)
        is_part = after > 0 or cut is not None
        streams = seen.changed if is_part else [found.stream for found in store.streams()]
        connection.execute("BEGIN")
        whole = {one: [one.kind.slug(name) for name in streams if one.kind.has(name)] for one in projections()}
        sessions = [SESSION.slug(name) for name in streams if SESSION.has(name)]
        tables = [TABLE.slug(name) for name in streams if TABLE.has(name)]
        going_on: list[str] = []
        renamed = _tables_of_others(connection, known_as)
        if after and read_zone(connection) != zone:
            renamed = list(dict.fromkeys([*renamed, *_tables_without_a_day(connection)]))
        tables += [name for name in renamed if name not in set(tables)]
        is_small = after > 0 and until - after <= SMALL
        # A tenth less: nothing is handed from thread to thread.
        connection.execute("SET threads TO 1" if is_small else "RESET threads")
        if after:
            _take_back(connection, seen)
            known = _known_tables(connection, tables, sessions)
            tables += [name for name in known if name not in set(tables)]
            if not sessions and len(tables) <= FEW:
                going_on = [
                    name
                    for name, is_over in known.items()
                    if not is_over and TABLE.stream(name) not in seen.taken_back and name not in renamed
                ]
            for projection, slugs in whole.items():
                _forget(connection, projection.key, slugs, projection.tables)
            _forget(connection, "table_name", [name for name in known if name not in going_on], OF_TABLES)
            if seen.released:
                loader.take(write_entries_of(seen.released, source, loader.folder))
        before = sum(map(len, whole.values()))
        total = before + len(tables)
        for projection, slugs in whole.items():
            for slug in slugs:
                projection.collect(loader.rows, slug, source, until)
        loader.load()
        session_day = partial(_session_day, connection)
        for name in going_on:
            known_until = seen.known_until(TABLE.stream(name))
            is_longer = collect_table(
                loader.rows, name, source, until, session_day, persons=known_as, known_until=known_until, zone=zone
            )
            _forget(connection, "table_name", [name], GROWING if is_longer else OF_TABLES)
        if is_small:
            connection.execute("PRAGMA disable_optimizer")  # to look for better ways takes longer than these few rows
        others = [name for name in tables if name not in going_on]
        task = _Task(store, source, after, asked, _session_days(connection) if others else {}, known_as, zone)
        for done in _folded(task, others, loader, workers):
            tell(before + len(going_on) + done, total)
        loader.load()
        head = _history_head(asked)
        write_meta(connection, _meta(store, asked, head, known_as, zone, is_cut=held_back is not None))
        lock_of(path).write_text(str(until))  # before, so that it is never less than what is stored
        connection.execute("COMMIT")
    tell(total, total)
    return head


def _tables_of_others(connection: DuckDBPyConnection, persons: Mapping[str, str]) -> list[str]:
    """The tables at which somebody sat for whom the read model takes another one."""
    before = read_persons(connection)
    others = [name for name in {**before, **persons} if before.get(name, name) != persons.get(name, name)]
    if not others:
        return []
    condition, names = _among("player", sorted({*others, *(before.get(name, name) for name in others)}))
    found = connection.execute(f"SELECT DISTINCT table_name FROM seats WHERE {condition}", names).fetchall()
    return [table for (table,) in found]


def _tables_without_a_day(connection: DuckDBPyConnection) -> list[str]:
    """The tables that no session gives its date, so that their day depends on the time zone."""
    dated = "SELECT table_name FROM tables ANTI JOIN (FROM sessions WHERE played_on IS NOT NULL) USING (session)"
    found = connection.execute(dated).fetchall()
    return [table for (table,) in found]


def _meta(
    store: LogStore, asked: Cut, head: HistoryHead, persons: Mapping[str, str], zone: str, *, is_cut: bool
) -> Meta:
    if not is_cut:
        return Meta(schema_version(), store.ledger_id, head, None, persons, zone)
    last = _row_at(store, head.position)
    held_back = HeldBack(asked.held_back, None if last is None else last.id)
    return Meta(cut_version(), store.ledger_id, head, held_back, persons, zone)


def _take_back(connection: DuckDBPyConnection, seen: Seen) -> None:
    """Remove the entries that were shown and are not to be."""
    for stream, first in seen.taken_back.items():
        connection.execute("DELETE FROM entries WHERE stream = ? AND log_position >= ?", [stream, first])


def _session_days(connection: DuckDBPyConnection) -> dict[str, str | None]:
    """The date of each session."""
    return dict(connection.execute("SELECT session, played_on::VARCHAR FROM sessions").fetchall())


def _session_day(connection: DuckDBPyConnection, session: str) -> str | None:
    """The date of one session, a quarter of the time that those of six thousand take."""
    found = connection.execute("SELECT played_on::VARCHAR FROM sessions WHERE session = ?", [session]).fetchone()
    return None if found is None else found[0]


class _Task(Struct, frozen=True):
    """Which entries are new, and what the tables are folded with."""

    store: LogStore
    source: Bulk
    after: int
    asked: Cut
    session_days: Mapping[str, str | None]
    persons: Mapping[str, str]
    zone: str


def _folded(task: _Task, tables: Sequence[str], loader: RowLoader, workers: int) -> Iterator[int]:
    """Gives the rows of these tables and the new entries to the loader, telling how many tables are done."""
    until, days = task.asked.head.position, task.session_days
    steps = range(task.after, until, ENTRIES_AT_ONCE)
    copies = [Copy(step, min(step + ENTRIES_AT_ONCE, until)) for step in steps]
    done = 0
    address = task.store.address  # the processes must be able to open the ledger
    if address is not None and is_worth_it(until - task.after, len(tables), workers):
        work = Work(address, until, task.asked.held_back, days, task.persons, task.zone, loader.folder)
        loader.leave_cores_to(workers)
        for count, written in fold_in_parallel(work, copies, tables, workers):
            loader.take(written)
            done += count
            yield done
        return
    for copy in copies:
        loader.take(write_entries(task.source, copy.after, copy.until, loader.folder))
    for done, table in enumerate(tables):
        yield done
        collect_table(loader.rows, table, task.source, until, days.get, persons=task.persons, zone=task.zone)
        loader.take_rows_if_many()


def _known_tables(connection: DuckDBPyConnection, tables: Sequence[str], sessions: Sequence[str]) -> dict[str, bool]:
    """Which of these tables, and of those of these sessions, have rows; and whether they are over."""
    named, names = _among("table_name", tables)
    if sessions:
        of_sessions, their_names = _among("session", sessions)
        named, names = f"{named} OR {of_sessions}", [*names, *their_names]
    return dict(connection.execute(f"SELECT table_name, is_over FROM tables WHERE {named}", names).fetchall())


def _forget(connection: DuckDBPyConnection, key: str, names: Sequence[str], tables: Sequence[str]) -> None:
    """Remove all rows with these names from some tables of the read model."""
    condition, values = _among(key, names)
    for table in tables if names else ():
        connection.execute(f"DELETE FROM {table} WHERE {condition}", values)


def _among(key: str, names: Sequence[str]) -> tuple[str, list[Any]]:
    """A condition that a key is among these names, and its parameters."""
    if 0 < len(names) <= FEW:
        return f"{key} IN ({', '.join('?' * len(names))})", list(names)
    return f"{key} IN (SELECT unnest(?::VARCHAR[]))", [list(names)]
