"""Keeps the read model level with the log: folds the tables that have changed, and replaces their rows.

All of one catch-up happens in one transaction, which also stores the position: killed at any moment, the read model is
as it was before. It is made anew in a file beside, which then takes its place, where it is of another make, tells of
another ledger, or of a record that is not the log's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

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
    translated,
)
from ledger.history.model.garbage import seldom_collected
from ledger.history.model.loading import RowLoader, write_entries
from ledger.history.model.parallel import Copy, Work, fold_in_parallel, is_worth_it
from ledger.history.model.rows import GROWING, OF_TABLES, SessionRow
from ledger.history.model.schema import (
    HistoryHead,
    Meta,
    create_tables,
    has_tables,
    read_meta,
    schema_version,
    write_meta,
)
from ledger.history.model.session_rows import session_row
from ledger.history.model.table_rows import collect_table
from ledger.history.words import phrase
from ledger.log.base import Head, LogStore
from ledger.log.bulk import Bulk
from ledger.log.companions import draft_of_history, loading_of_history, lock_of, wal_of_history
from ledger.log.stores import bulk_of, remember_head
from ledger.log.writer_queue import WriterQueue
from ledger.table.lookup import SESSION_PREFIX, TABLE_PREFIX, session_slug, slug_of

ENTRIES_AT_ONCE: Final = 100_000
"""So many entries are written to one file, some 20 MB."""

SMALL: Final = 10_000
"""So many new entries are quicker loaded by one thread."""

FEW: Final = 5
"""Up to so many names are found quicker as values, in half the time where it is one; more by a join with a list."""

Progress: TypeAlias = Callable[[int, int], None]
"""Is told how many tables and sessions are done, of how many."""


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
) -> CaughtUp:
    """Bring the read model up to the log's last entry; make it where there is none, and anew with `rebuild`.

    With more `workers` than one, many new entries are folded in so many processes; the calling program then needs the
    guard `if __name__ == "__main__"`, as always where processes are started.

    Raises `ConflictError` where another process keeps it in use for longer than `wait_s`, `UnreadableError` for a file
    that is something else, and `MalformedError` for a record in the log that is none.
    """
    path = Path(history_path)
    tell = progress or (lambda done, total: None)
    if path.exists():
        if not is_database(path):
            raise not_a_read_model(path)
        level = None if rebuild or _is_surely_behind(store, path) else _already_level(store, path)
        if level is not None:
            return level
    queue = WriterQueue(lock_of(path))
    try:
        if not queue.enter(wait_s):
            raise in_use(path, wait_s)
        with translated(path):
            caught_up = _catch_up_alone(store, path, tell, wait_s, workers, rebuild)
        remember_head(store)
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


def is_level(store: LogStore, history_path: Path) -> bool:
    """Whether there is a read model that tells of all of the log, and can be read."""
    try:
        return history_path.exists() and is_database(history_path) and _already_level(store, history_path) is not None
    except (OSError, UnreadableError):
        return False


def _already_level(store: LogStore, path: Path) -> CaughtUp | None:
    """The answer where nothing is to be done; it takes no lock that others would wait for."""
    try:
        with closing(connect(path, READING_ONLY, readonly=True)) as connection:
            meta = read_meta(connection)
    except (InUseError, DamagedError, duckdb.Error):
        return None  # whoever has the turn to write sees what is wrong
    if meta is None or meta.head != _history_head(store.head()) or not _is_of(meta, store):
        return None
    return CaughtUp(meta.head, 0, False)


def _catch_up_alone(
    store: LogStore, path: Path, tell: Progress, wait_s: float, workers: int, rebuild: bool
) -> CaughtUp:
    """As `catch_up`, while no other process does the same."""
    if path.exists():
        with suppress(DamagedError), opened_for_writing(path, wait_s=wait_s) as connection:
            meta = read_meta(connection)
            if meta is None and has_tables(connection):
                raise not_a_read_model(path)
            if meta is not None and not rebuild and _is_of(meta, store):
                head = _advance(connection, store, meta.head.position, path, tell, workers)
                return CaughtUp(head, head.position - meta.head.position, False)
    return _rebuild(store, path, tell, workers)


def _is_of(meta: Meta, store: LogStore) -> bool:
    """Whether the read model is of this make and tells of this log, as the digest of its last entry proves."""
    if meta.schema_version != schema_version() or meta.ledger_id != store.ledger_id:
        return False
    position = meta.head.position
    if position == 0:
        return True
    row = next(iter(store.read(position - 1, position)), None)
    return row is not None and row.digest.hex() == meta.head.digest


def _history_head(head: Head) -> HistoryHead:
    return HistoryHead(head.position, head.digest.hex())


def _rebuild(store: LogStore, path: Path, tell: Progress, workers: int) -> CaughtUp:
    """Make the read model in a file beside, then put it in place."""
    draft = draft_of_history(path)
    _remove(draft)
    try:
        head = _written_anew(store, path, draft, tell, workers)
    except BaseException:
        with suppress(OSError):
            _remove(draft)  # it may hold the room that is lacking
        raise
    _remove(path)  # with its write-ahead log, which would be applied to the new file
    draft.replace(path)
    return CaughtUp(head, head.position, True)


def _written_anew(store: LogStore, path: Path, draft: Path, tell: Progress, workers: int) -> HistoryHead:
    try:
        with closing(connect(draft, NO_EXTENSIONS)) as connection:
            create_tables(connection)
            head = _advance(connection, store, 0, path, tell, workers)
            connection.execute("CHECKPOINT")  # what closing does as well, but without a word where there is no room
            return head
    except (InUseError, DamagedError) as error:
        refused = refused_by_system(path, str(error))
        why = phrase("model.cannot_be_made", file=draft, why=str(error))
        raise refused or UnreadableError("disk", why) from error


def _remove(database: Path) -> None:
    wal_of_history(database).unlink(missing_ok=True)
    database.unlink(missing_ok=True)


def _advance(
    connection: DuckDBPyConnection, store: LogStore, after: int, path: Path, tell: Progress, workers: int
) -> HistoryHead:
    """Take in all entries after a position, in one transaction."""
    head = store.head()
    with (
        seldom_collected(),
        closing(bulk_of(store)) as source,
        RowLoader(connection, loading_of_history(path)) as loader,
    ):
        streams = source.streams(after, head.position) if after else [found.stream for found in store.streams()]
        connection.execute("BEGIN")
        sessions = [session_slug(name) for name in streams if name.startswith(SESSION_PREFIX)]
        tables = [slug_of(name) for name in streams if name.startswith(TABLE_PREFIX)]
        going_on: list[str] = []
        is_small = after > 0 and head.position - after <= SMALL
        # A tenth less: nothing is handed from thread to thread.
        connection.execute("SET threads TO 1" if is_small else "RESET threads")
        if after:
            known = _known_tables(connection, tables, sessions)
            tables += [name for name in known if name not in set(tables)]
            if not sessions and len(tables) <= FEW:
                going_on = [name for name, is_over in known.items() if not is_over]
            _forget(connection, "session", sessions, ["sessions"])
            _forget(connection, "table_name", [name for name in known if name not in going_on], OF_TABLES)
        total = len(sessions) + len(tables)
        found = (session_row(session, source, head.position) for session in sessions)
        loader.rows[SessionRow].extend(row for row in found if row is not None)
        loader.load()
        session_day = partial(_session_day, connection)
        for name in going_on:
            is_longer = collect_table(loader.rows, name, source, head.position, session_day, known_until=after)
            _forget(connection, "table_name", [name], GROWING if is_longer else OF_TABLES)
        if is_small:
            connection.execute("PRAGMA disable_optimizer")  # to look for better ways takes longer than these few rows
        others = [name for name in tables if name not in going_on]
        task = _Task(store, source, after, head.position, _session_days(connection) if others else {})
        for done in _folded(task, others, loader, workers):
            tell(len(sessions) + len(going_on) + done, total)
        loader.load()
        write_meta(connection, Meta(schema_version(), store.ledger_id, _history_head(head)))
        lock_of(path).write_text(str(head.position))  # before, so that it is never less than what is stored
        connection.execute("COMMIT")
    tell(total, total)
    return _history_head(head)


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
    until: int
    session_days: Mapping[str, str | None]


def _folded(task: _Task, tables: Sequence[str], loader: RowLoader, workers: int) -> Iterator[int]:
    """Gives the rows of these tables and the new entries to the loader, telling how many tables are done."""
    until, days = task.until, task.session_days
    steps = range(task.after, until, ENTRIES_AT_ONCE)
    copies = [Copy(step, min(step + ENTRIES_AT_ONCE, until)) for step in steps]
    done = 0
    address = task.store.address  # the processes must be able to open the ledger
    if address is not None and is_worth_it(until - task.after, len(tables), workers):
        work = Work(address, until, days, loader.folder)
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
        collect_table(loader.rows, table, task.source, until, days.get)
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
