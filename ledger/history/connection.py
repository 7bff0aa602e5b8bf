"""A read model that stays open in one process: one thread catches it up while others query it, and nobody waits.

Within a process, a DuckDB transaction reads the state at its start, whatever another one writes. Other processes cannot
open the file meanwhile; the sandbox, which is a process, gets a copy. Parquet files are not exported from here.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from hashlib import sha256
from os import fstat
from pathlib import Path
from threading import Event, Lock, Timer
from typing import Final

import duckdb
from duckdb import DuckDBPyConnection

from ledger.errors import ConflictError, UnreadableError
from ledger.history.catalogue import phrase
from ledger.history.model.catch_up import catch_up, is_current, is_current_with, matches_log
from ledger.history.model.database import (
    FOR_WRITING,
    READING_ONLY,
    WAIT_S,
    DamagedError,
    attached,
    cannot_be_written,
    connect_patiently,
    not_a_read_model,
    translating_errors,
    unusable,
)
from ledger.history.model.integrity import HEADERS_BYTES, remove, sealing
from ledger.history.model.projector import Progress, Task, advance, no_progress
from ledger.history.model.schema import Meta, read_head, read_meta
from ledger.history.questions.history import History
from ledger.log.base import LogStore
from ledger.log.bulk import Cut
from ledger.log.paths import (
    cache_folder,
    cached_history_path,
    copy_of_history,
    default_history_path,
    left_by_duckdb,
    lock_of,
    serve_history_of,
)
from ledger.zones import UTC

MEMORY: Final = "1GB"
"""Upper limit for all running queries and the catch-up together."""

_CONFIG: Final[Mapping[str, bool | str]] = {**FOR_WRITING, "memory_limit": MEMORY, "temp_directory": ""}

_LIMIT_ERRORS: Final = (duckdb.InterruptException, duckdb.OutOfMemoryException)
_DAMAGE_ERRORS: Final = (
    duckdb.IOException,
    duckdb.FatalException,
    duckdb.InternalException,
    duckdb.SerializationException,
)
_COPIED_BYTES: Final = 8_000_000


class SharedHistory:
    """An open read model, made by `open_shared_history`.

    `head`: the last log entry in it. `held_back`: by stream, the first position that it leaves out. `persons`: the
    person of each linked spelling. `zone`: as in `catch_up`. `is_damaged`: a part could not be read, so the file has to
    be rebuilt.
    """

    def __init__(self, path: Path, zone: str = UTC) -> None:
        self.path = path
        self.zone = zone
        self.is_damaged = False
        self._write_lock = Lock()
        self._stop = Event()
        self._running: dict[int, DuckDBPyConnection] = {}
        self._copied: tuple[int, int, bytes] | None = None
        with ExitStack() as stack, translating_errors(path):
            self._engine = stack.enter_context(closing(duckdb.connect(config=dict(_CONFIG))))
            self._name = stack.enter_context(attached(self._engine, path))
            self._file = stack.enter_context(path.open("rb"))  # stays open as long as DuckDB has the file open
            with self._connected() as connection:
                self._apply(self._meta(connection))
            self._open = stack.pop_all()

    def interrupt(self) -> None:
        """Interrupt all running queries, those in the sandbox included."""
        self._stop.set()
        for connection in list(self._running.values()):
            connection.interrupt()

    def close(self) -> None:
        """Close the file. No query may be running."""
        self._open.close()

    def catch_up(self, store: LogStore, cut: Cut, progress: Progress | None = None) -> bool:
        """Add the entries that `cut` shows; return False if the file belongs to another ledger or past, and must be
        reopened.

        Raise the errors of the function `catch_up`; the read model is then unchanged.
        """
        try:
            with self._write_lock, translating_errors(self.path), self._connected() as connection:
                meta = self._meta(connection)
                if not matches_log(meta, store, cut):
                    return False
                if not is_current_with(meta, store, cut, self.zone):
                    with sealing(self.path, self._file):
                        task = Task(
                            store=store, path=self.path, cut=cut, zone=self.zone, progress=progress or no_progress
                        )
                        advance(connection, task, meta.head.position, meta.held_back)
                    self._apply(self._meta(connection))
        except OSError as error:
            raise cannot_be_written(self.path, error) from error
        except UnreadableError as error:
            self._note_damage(error)
            raise
        return True

    @contextmanager
    def snapshot(self, seconds: float) -> Iterator[History]:
        """Yield the read model as of now, for queries of this program; interrupt them after `seconds`.

        Raise `ConflictError` if they take too long or too much memory.
        """
        with translating_errors(self.path), self._connected() as connection:
            connection.execute("BEGIN TRANSACTION READ ONLY")
            history = History(connection, self.path, read_head(connection))
            limit = Timer(seconds, connection.interrupt)
            limit.daemon = True
            limit.start()
            self._running[id(connection)] = connection
            try:
                yield history
            except UnreadableError as error:
                if isinstance(error.__cause__, _LIMIT_ERRORS):
                    raise ConflictError("busy", phrase("model.too_much", seconds=seconds)) from error
                self._note_damage(error)
                raise
            finally:
                limit.cancel()
                del self._running[id(connection)]

    @contextmanager
    def snapshot_copy(self) -> Iterator[History]:
        """Yield a copy of the read model as of now that the sandbox can open. One thread may use it at a time."""
        copy = self._copy()
        try:
            with translating_errors(copy), closing(connect_patiently(copy, READING_ONLY, readonly=True)) as connection:
                yield History(connection, copy, self._meta(connection).head, self._stop)
        except DamagedError as error:
            self.is_damaged = True
            raise unusable(self.path, str(error)) from error
        except UnreadableError as error:
            self.is_damaged = self.is_damaged or error.code == "damaged"
            raise

    def _copy(self) -> Path:
        """Copy the file if it has changed, and its write-ahead log in any case; return the copy's path."""
        target = copy_of_history(self.path)
        with self._write_lock:
            try:
                stamp = self._stamp()
                if stamp != self._copied or not target.exists():
                    self._copied = None
                    remove(target)
                    self._file.seek(0)
                    with target.open("wb") as out:
                        shutil.copyfileobj(self._file, out, _COPIED_BYTES)
                for own, copied in zip(left_by_duckdb(self.path), left_by_duckdb(target), strict=True):
                    copied.unlink(missing_ok=True)
                    if own.exists():
                        shutil.copyfile(own, copied)
            except OSError as error:
                raise cannot_be_written(target, error) from error
            self._copied = stamp
        return target

    def _stamp(self) -> tuple[int, int, bytes]:
        """Return a value that differs whenever the file itself was written to."""
        status = fstat(self._file.fileno())
        self._file.seek(0)
        return status.st_size, status.st_mtime_ns, sha256(self._file.read(HEADERS_BYTES)).digest()

    @contextmanager
    def _connected(self) -> Iterator[DuckDBPyConnection]:
        with closing(self._engine.cursor()) as connection:
            connection.execute(f"USE {self._name}")
            yield connection

    def _meta(self, connection: DuckDBPyConnection) -> Meta:
        meta = read_meta(connection)
        if meta is None:
            raise not_a_read_model(self.path)
        return meta

    def _apply(self, meta: Meta) -> None:
        self.head = meta.head
        self.held_back = {} if meta.held_back is None else meta.held_back.since
        self.persons = meta.persons

    def _note_damage(self, error: UnreadableError) -> None:
        cause = error.__cause__
        if isinstance(cause, _DAMAGE_ERRORS) or (isinstance(cause, duckdb.Error) and "orrupt" in str(cause)):
            self.is_damaged = True


def open_shared_history(
    store: LogStore,
    path: Path,
    cut: Cut,
    *,
    workers: int = 1,
    rebuild: bool = False,
    progress: Progress | None = None,
    wait_s: float = WAIT_S,
    zone: str = UTC,
) -> SharedHistory:
    """Return the read model in `path`, up to date with `cut`; it stays open until it is closed.

    The file belongs to this program alone: make it if it is missing, rebuild it if it is damaged or with `rebuild`.
    `wait_s`, `zone` and errors as in `catch_up`.
    """
    if rebuild:
        remove(path)
    try:
        catch_up(store, path, cut=cut, workers=workers, progress=progress, wait_s=wait_s, zone=zone)
    except UnreadableError as error:
        if error.code not in ("damaged", "not_a_ledger"):
            raise
        remove(path)
        catch_up(store, path, cut=cut, workers=workers, progress=progress, wait_s=wait_s, zone=zone)
    remove(copy_of_history(path))
    try:
        return SharedHistory(path, zone)
    except DamagedError as error:
        raise unusable(path, str(error)) from error


def choose_history_path(store: LogStore, ledger: Path, *, rebuild: bool = False, zone: str = UTC) -> Path:
    """Return the file to catch up and to query: next to the ledger, else in the user's cache.

    A read model that is up to date may lie in a read-only folder, unless it is to be rebuilt. `zone` as in `catch_up`.
    Raise `UnreadableError` if neither folder can be written to.
    """
    default = default_history_path(ledger)
    if _is_writable(default) or (not rebuild and is_current(store, default, zone)):
        return default
    return cached_history_path(_own_folder(), default, ledger, store.ledger_id or "")


def choose_service_history_path(store: LogStore, ledger: Path) -> Path:
    """Return the file for a service's read model. Raise `UnreadableError` if no folder can be written to."""
    default = serve_history_of(ledger)
    if _is_writable(default):
        return default
    return cached_history_path(_own_folder(), default, ledger, store.ledger_id or "")


def _is_writable(history: Path) -> bool:
    lock = lock_of(history)
    return os.access(history.parent, os.W_OK | os.X_OK) and (not lock.exists() or os.access(lock, os.W_OK))


def _own_folder() -> Path:
    """Return this program's folder in the user's cache, which other users cannot read."""
    folder = cache_folder()
    try:
        folder = folder.expanduser()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError
    except (OSError, RuntimeError) as error:  # RuntimeError: the user has no home folder
        raise UnreadableError("forbidden", phrase("model.no_place", folder=folder)) from error
    return folder
