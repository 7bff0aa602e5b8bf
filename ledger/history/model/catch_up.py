"""Brings a read model level with the log, once: makes it where there is none, and replaces one that does not fit.

Killed at any moment, the read model is as it was before. It is made anew in a file beside, which then takes its place,
where it is of another make, tells of another ledger, or of a record that is not the log's, or was never sealed. One
that something else wrote to is refused.
"""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path
from typing import BinaryIO

import duckdb
from msgspec import Struct

from ledger.errors import UnreadableError
from ledger.history.catalogue import phrase
from ledger.history.model.database import (
    NO_EXTENSIONS,
    READING_ONLY,
    WAIT_S,
    DamagedError,
    InUseError,
    cannot_be_written,
    connect,
    detecting_damage,
    in_use,
    is_database,
    not_a_read_model,
    opened_for_writing,
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
) -> CatchUpResult:
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
    """Whether the log has gone on. Saves opening the file for reading first, a quarter of a small catch-up.

    In the lock file stands a position that no read model here has gone past; one that says nothing, or something wrong,
    only costs that time.
    """
    try:
        return int(lock_of(path).read_bytes()) < store.head().position
    except (OSError, ValueError):
        return False


def is_current(store: LogStore, path: Path, zone: str = UTC) -> bool:
    """Whether there is a read model that tells of all of the log, with the days of that zone, and can be read."""
    try:
        return (
            path.exists() and is_database(path) and _current_result(Task(store=store, path=path, zone=zone)) is not None
        )
    except (OSError, UnreadableError):
        return False


def _current_result(task: Task) -> CatchUpResult | None:
    """The answer where nothing is to be done; it takes no lock that others would wait for."""
    store, path, cut = task.store, task.path, task.cut
    try:
        with closing(connect(path, READING_ONLY, readonly=True)) as connection, path.open("rb") as file:
            meta, state = read_meta(connection), seal_state(path, file)
    except (InUseError, DamagedError, duckdb.Error, OSError):
        return None  # whoever has the turn to write sees what is wrong
    if state is not SealState.WHOLE or meta is None or not matches_log(meta, store, cut):
        return None
    return CatchUpResult(meta.head, 0, False) if is_current_with(meta, store, task.whole_cut, task.zone) else None


def is_current_with(meta: Meta, store: LogStore, cut: Cut, zone: str) -> bool:
    """Whether nothing is to be done for a read model to be as this cut asks, and to know who is who and which day."""
    held_back = {} if meta.held_back is None else meta.held_back.since
    is_current = meta.head == history_head(cut) and held_back == cut.held_back
    return is_current and meta.zone == zone and meta.persons == store.people().persons()


def _catch_up_locked(task: Task, wait_s: float, *, rebuild: bool) -> CatchUpResult:
    """As `catch_up`, while no other process does the same."""
    path = task.path
    if path.exists():
        with (
            path.open("rb") as file,  # until DuckDB has let go of it
            suppress(DamagedError),
            opened_for_writing(path, wait_s=wait_s) as connection,
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
    """Whether the read model is as catch-up left it; raises `UnreadableError` where something else wrote to it."""
    state = seal_state(path, file)
    if state is SealState.ALTERED:
        raise altered(path)
    return state is SealState.WHOLE


def matches_log(meta: Meta, store: LogStore, cut: Cut | None = None) -> bool:
    """Whether the read model is of this make and tells of this log, as the digest of its last entry proves.

    Of one that holds entries back, its id does, and that it does not reach beyond the cut.
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
    """Make the read model in a file beside, then put it in place."""
    draft = draft_of_history(task.path)
    remove(draft)
    try:
        head = _build_draft(task, draft)
    except BaseException:
        with suppress(OSError):
            remove(draft)  # it may hold the room that is lacking
        raise
    put_in_place(draft, task.path)
    return CatchUpResult(head, head.position, True)


def _build_draft(task: Task, draft: Path) -> HistoryHead:
    try:
        with closing(connect(draft, NO_EXTENSIONS)) as connection:
            create_tables(connection, is_cut=task.cut is not None)
            head = advance(connection, task, 0, None if task.cut is None else HeldBack({}, None))
            connection.execute("CHECKPOINT")  # what closing does as well, but without a word where there is no room
            return head
    except (InUseError, DamagedError) as error:
        refused = refused_by_system(task.path, str(error))
        why = phrase("model.cannot_be_made", file=draft, why=str(error))
        raise refused or UnreadableError("disk", why) from error
