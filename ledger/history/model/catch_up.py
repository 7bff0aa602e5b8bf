"""Catch-up of a read model with the log: it makes a missing file and replaces one that does not fit.

A process killed at any moment leaves the read model as it was. It is rebuilt in a draft file, which then takes its
place, if it has another schema, belongs to another ledger or another past of the log, or was never sealed. A file that
another program wrote to is rejected.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import duckdb
from msgspec import Struct

from ledger.errors import ConflictError, UnreadableError
from ledger.history.catalogue import phrase
from ledger.history.model.database import (
    WAIT_S,
    DamagedError,
    cannot_be_written,
    detecting_damage,
    in_use,
    is_database,
    not_a_read_model,
    opened_file,
    refused_by_system,
    translating_errors,
)
from ledger.history.model.integrity import SealState, altered, put_in_place, remove, seal_state, sealing
from ledger.history.model.projector import Progress, Task, advance, history_head, no_progress, row_at
from ledger.history.model.schema import (
    HeldBack,
    HistoryHead,
    Meta,
    create_tables,
    cut_version,
    has_tables,
    read_meta,
    schema_version,
)
from ledger.log.base import LogStore
from ledger.log.bulk import Cut
from ledger.log.paths import draft_of_history, lock_of
from ledger.log.writer_queue import WriterQueue
from ledger.zones import UTC


class CatchUpResult(Struct, frozen=True):
    """The last entry in the read model, the number of new entries, and whether it was rebuilt."""

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
) -> CatchUpResult:
    """Bring the read model up to the log's last entry; make a missing file, and rebuild it with `rebuild`.

    With a `cut`: up to its head, without the entries that it holds back. Read models with and without a cut are
    different; one becomes the other only by a rebuild. `zone`: the time zone that gives a table without a session its
    day; when it changes, these tables are projected again.

    With several `workers`, many new entries are folded in that number of processes; the calling program then needs the
    guard `if __name__ == "__main__"`, as always with multiprocessing.

    Raise `ConflictError` if another process uses the file for longer than `wait_s`, `UnreadableError` if the file is no
    read model, and `MalformedError` if a record in the log is invalid.
    """
    path = Path(history_path)
    task = Task(store=store, path=path, cut=cut, zone=zone, progress=progress or no_progress, workers=workers)
    if path.exists():
        if not is_database(path):
            raise not_a_read_model(path)
        is_behind = rebuild or (cut is None and _is_surely_behind(store, path))
        level = None if is_behind else _current_result(task)
        if level is not None:
            return level
    queue = WriterQueue(lock_of(path))
    try:
        if not queue.enter(wait_s):
            raise in_use(path, wait_s)
        with translating_errors(path):
            caught_up = _catch_up_locked(task, wait_s, rebuild=rebuild)
        store.remember_head()
        return caught_up
    except OSError as error:
        raise cannot_be_written(path, error) from error
    finally:
        queue.leave()
        queue.close()


def _is_surely_behind(store: LogStore, path: Path) -> bool:
    """Return whether the log has grown, without opening the read model, which saves a quarter of a small catch-up.

    The lock file holds a position that no read model here has passed; if it is missing or wrong, only that time is
    lost.
    """
    try:
        return int(lock_of(path).read_bytes()) < store.head().position
    except (OSError, ValueError):
        return False


def is_current(store: LogStore, path: Path, zone: str = UTC) -> bool:
    """Return whether a readable read model exists that has all entries of the log, with the days of `zone`."""
    try:
        return (
            path.exists() and is_database(path) and _current_result(Task(store=store, path=path, zone=zone)) is not None
        )
    except (OSError, UnreadableError):
        return False


def _current_result(task: Task) -> CatchUpResult | None:
    """Return the result if nothing is to be done, else None; take no lock that others would wait for."""
    store, path, cut = task.store, task.path, task.cut
    try:
        with path.open("rb") as file, opened_file(path, readonly=True, wait_s=0) as connection:
            meta, state = read_meta(connection), seal_state(path, file)
    except (ConflictError, DamagedError, duckdb.Error, OSError):
        return None  # the process with the writer's lock reports what is wrong
    if state is not SealState.WHOLE or meta is None or not matches_log(meta, store, cut):
        return None
    return CatchUpResult(meta.head, 0, False) if is_current_with(meta, store, task.whole_cut, task.zone) else None


def is_current_with(meta: Meta, store: LogStore, cut: Cut, zone: str) -> bool:
    """Return whether the read model already has what `cut` shows, with the ledger's linked players and `zone`."""
    held_back = {} if meta.held_back is None else meta.held_back.since
    is_current = meta.head == history_head(cut) and held_back == cut.held_back
    return is_current and meta.zone == zone and meta.persons == store.people().persons()


def _catch_up_locked(task: Task, wait_s: float, *, rebuild: bool) -> CatchUpResult:
    """Catch up as `catch_up`, while this process holds the writer's lock."""
    path = task.path
    if path.exists():
        with (
            path.open("rb") as file,  # stays open as long as DuckDB has the file open
            suppress(DamagedError),
            opened_file(path, wait_s=wait_s) as connection,
        ):
            with detecting_damage():
                meta = read_meta(connection)
            if meta is None and has_tables(connection):
                raise not_a_read_model(path)
            if meta is not None and not rebuild and matches_log(meta, task.store, task.cut) and _is_sealed(path, file):
                with sealing(path, file):
                    head = advance(connection, task, meta.head.position, meta.held_back)
                return CatchUpResult(head, head.position - meta.head.position, False)
    return _rebuild(task)


def _is_sealed(path: Path, file: BinaryIO) -> bool:
    """Return whether the read model is as catch-up left it; raise `UnreadableError` if another program wrote to it."""
    state = seal_state(path, file)
    if state is SealState.ALTERED:
        raise altered(path)
    return state is SealState.WHOLE


def matches_log(meta: Meta, store: LogStore, cut: Cut | None = None) -> bool:
    """Return whether the read model has the current schema and belongs to this log, by the digest of its last entry.

    A read model with a cut is recognised by the id of its last entry instead, and must not reach beyond `cut`.
    """
    make = schema_version() if cut is None else cut_version()
    if meta.schema_version != make or meta.ledger_id != store.ledger_id:
        return False
    position = meta.head.position
    if position == 0:
        return True
    if cut is not None and (meta.held_back is None or position > cut.head.position):
        return False
    row = row_at(store, position)
    if row is None or (meta.held_back is not None and meta.held_back.last_id != row.id):
        return False
    return meta.head.digest is None or meta.head.digest == row.digest.hex()


def _rebuild(task: Task) -> CatchUpResult:
    """Make the read model in a draft file, then put it in place."""
    draft = draft_of_history(task.path)
    remove(draft)
    try:
        head = _build_draft(task, draft)
    except BaseException:
        with suppress(OSError):
            remove(draft)  # it may take the room that is missing
        raise
    put_in_place(draft, task.path)
    return CatchUpResult(head, head.position, True)


def _build_draft(task: Task, draft: Path) -> HistoryHead:
    try:
        with opened_file(draft) as connection:
            create_tables(connection, is_cut=task.cut is not None)
            head = advance(connection, task, 0, None if task.cut is None else HeldBack({}, None))
            connection.execute("CHECKPOINT")
            return head
    except DamagedError as error:
        refused = refused_by_system(task.path, str(error))
        why = phrase("model.cannot_be_made", file=draft, why=str(error))
        raise refused or UnreadableError("disk", why) from error
