"""A read model that stays open in one process: one thread catches it up while others ask, and nobody waits.

Within a process DuckDB lets a transaction read what stood when it began, whatever another one writes. Other processes
cannot open the file meanwhile; the sandbox, which is one, gets a copy. Files of Parquet are not made from here.
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
from ledger.history.model.schema import Meta, read_meta
from ledger.history.questions.history import History
from ledger.log.base import LogStore
from ledger.log.bulk import Cut
from ledger.log.paths import (
    cached_history_path,
    copy_of_history,
    default_history_path,
    left_by_duckdb,
    lock_of,
    serve_history_of,
)
from ledger.zones import UTC

MEMORY: Final = "1GB"
"""How much all that is asked at a time may take, with the catch-up."""

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
    """An open read model; made by `kept_history`.

    `head` is the entry up to which it tells; `held_back`: by stream, from which position on it does not; `persons`:
    for whom it takes each linked spelling.

    `zone`: as in `catch_up`. `is_damaged`: something in it could not be read, so that it has to be made anew.
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
            self._file = stack.enter_context(path.open("rb"))  # until DuckDB has let go of it
            with self._connected() as connection:
                self._apply(self._meta(connection))
            self._open = stack.pop_all()

    def interrupt(self) -> None:
        """Break off what is being asked, in the sandbox too."""
        self._stop.set()
        for connection in list(self._running.values()):
            connection.interrupt()

    def close(self) -> None:
        """Let go of the file. Nobody may be asking."""
        self._open.close()

    def catch_up(self, store: LogStore, cut: Cut, progress: Progress | None = None) -> bool:
        """Take in what the cut lets be seen; False where this is not its read model, which has to be opened anew.

        Raises as `catch_up` of a file; then all is as it was.
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
        """The read model as it is at this moment, for questions of ours; they end after so many seconds.

        Raises `ConflictError` where they took too long, or too much memory.
        """
        with translating_errors(self.path), self._connected() as connection:
            connection.execute("BEGIN TRANSACTION READ ONLY")
            history = History(connection, self.path, self._meta(connection).head)
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
        """The read model as it is at this moment, in a copy that the sandbox can open. To be asked by one at a time."""
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
        """The file is copied only where it has changed; what was written since it last did stands beside it."""
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
        """What differs where the file itself was written to."""
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
    """The read model in this file, level with the cut, which stays open until it is closed.

    It is made where there is none, and anew where it is damaged, with `rebuild` too: the file is this program's alone.
    Raises as `catch_up`, which waits for `wait_s`; `zone` as there.
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
    """The file to catch up and to ask. One that is level already may lie in any folder, unless it is to be made anew.
    `zone` as in `catch_up`.

    Raises `UnreadableError` where there is no place for it.
    """
    default = default_history_path(ledger)
    if _is_writable(default) or (not rebuild and is_current(store, default, zone)):
        return default
    return cached_history_path(_own_folder(), default, ledger, store.ledger_id or "")


def choose_service_history_path(store: LogStore, ledger: Path) -> Path:
    """The file of a service's read model. Raises `UnreadableError` where there is no place for it."""
    default = serve_history_of(ledger)
    if _is_writable(default):
        return default
    return cached_history_path(_own_folder(), default, ledger, store.ledger_id or "")


def _is_writable(history: Path) -> bool:
    lock = lock_of(history)
    return os.access(history.parent, os.W_OK | os.X_OK) and (not lock.exists() or os.access(lock, os.W_OK))


def _own_folder() -> Path:
    """The folder of this program in the user's cache (XDG base directories), which nobody else can look into."""
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    folder = (named if named.is_absolute() else Path("~/.cache")) / "trickledger"
    try:
        folder = folder.expanduser()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError
    except (OSError, RuntimeError) as error:  # the second where the user has no folder at all
        raise UnreadableError("forbidden", phrase("model.no_place", folder=folder)) from error
    return folder
