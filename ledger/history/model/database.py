"""DuckDB connections and the meaning of their errors; no error of `duckdb` leaves this package."""

from __future__ import annotations

import errno
import gc
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Final, TypeVar

import duckdb
from duckdb import DuckDBPyConnection

from ledger import errors
from ledger.errors import ConflictError, LedgerError, UnreadableError
from ledger.history.catalogue import phrase
from ledger.i18n.library_errors import localised

WAIT_S: Final = 10.0
"""How long to wait for a read model that another process has open."""

_POLL_S: Final = 0.02
_MAGIC: Final = slice(8, 12), b"DUCK"

_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)
_OF_SYSTEM: Final = (*_ROOM, errno.EACCES, errno.EPERM, errno.EROFS)
"""Faults of the system, not of a file; DuckDB passes on their text."""

NO_EXTENSIONS: Final[Mapping[str, bool]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,
}
"""Settings that download nothing and hide the caller's variables from SQL."""

READING_ONLY: Final[Mapping[str, bool]] = {**NO_EXTENSIONS, "enable_external_access": False, "lock_configuration": True}
"""Settings for queries: no files, no network, and no way to change that."""


WAL_SIZE: Final = "30KB"
"""Write-ahead logs above this size are checkpointed, which takes 25 ms. Shorter ones, of about four catch-ups with one
deal, stay: opening the file replays them in 2 ms each.
"""

FOR_WRITING: Final[Mapping[str, bool | str]] = {
    **NO_EXTENSIONS,
    "wal_autocheckpoint": WAL_SIZE,
    "checkpoint_on_detach": "DISABLED",
}

Opened = TypeVar("Opened")


class InUseError(Exception):
    """The file is open in another process, or in another way in this one; never leaves this package."""


class DamagedError(Exception):
    """The file cannot be opened as a read model; never leaves this package."""


def connect(path: Path, config: Mapping[str, bool | str], *, readonly: bool = False) -> DuckDBPyConnection:
    """Connect at once. Raise `InUseError` and `DamagedError`."""
    with _opening():
        return duckdb.connect(path, read_only=readonly, config=dict(config))


@contextmanager
def _opening() -> Iterator[None]:
    """Raise `InUseError` or `DamagedError` for DuckDB's errors while a file is opened."""
    try:
        yield
    except duckdb.Error as error:
        message = str(error)
        is_in_use = "lock on file" in message or "already attached" in message
        if is_in_use or isinstance(error, duckdb.ConnectionException):
            raise InUseError from error
        raise DamagedError(_first_line(error)) from error


def connect_patiently(
    path: Path, config: Mapping[str, bool | str], *, readonly: bool = False, wait_s: float = WAIT_S
) -> DuckDBPyConnection:
    """Connect as soon as no other process uses the file. Raise `ConflictError` after `wait_s`."""
    return _patiently(path, wait_s, partial(connect, path, config, readonly=readonly))


def _patiently(path: Path, wait_s: float, opened: Callable[[], Opened]) -> Opened:
    deadline = time.monotonic() + wait_s
    while True:
        try:
            return opened()
        except InUseError:
            if time.monotonic() >= deadline:
                raise in_use(path, wait_s) from None
            time.sleep(_POLL_S)


@cache
def _engine(process_id: int) -> DuckDBPyConnection:
    """Return this process's DuckDB instance for our own SQL; starting another one takes a third of a small catch-up.

    A forked process needs its own, because a fork does not copy threads.
    """
    return duckdb.connect(config=dict(FOR_WRITING))


_names: Final = map("read_model_{}".format, count())
"""Names of attached files, so that two threads of a process can use two at a time."""


@contextmanager
def opened_file(path: Path, *, readonly: bool = False, wait_s: float = WAIT_S) -> Iterator[DuckDBPyConnection]:
    """Yield a connection in which all names refer to this file; roll back uncommitted changes at the end.

    Raise the errors of `connect_patiently`, and `DamagedError`.
    """
    with (
        closing(_engine(os.getpid()).cursor()) as outside,
        attached(outside, path, readonly=readonly, wait_s=wait_s) as name,
        closing(outside.cursor()) as connection,
    ):
        connection.execute(f"USE {name}")
        yield connection


@contextmanager
def attached(
    connection: DuckDBPyConnection, path: Path, *, readonly: bool = False, wait_s: float = WAIT_S
) -> Iterator[str]:
    """Attach a file until the end of the block; yield its name. Raise the errors of `opened_file`."""
    name = next(_names)
    _patiently(path, wait_s, partial(_attach, connection, path, name, "(READ_ONLY)" if readonly else ""))
    try:
        yield name
    finally:
        try:
            connection.execute(f"DETACH {name}")
        except duckdb.Error:
            _engine.cache_clear()  # an engine with a fatal error would reject every later file


def _attach(connection: DuckDBPyConnection, path: Path, name: str, options: str) -> None:
    quoted = str(path).replace("'", "''")
    with _opening():
        connection.execute(f"ATTACH '{quoted}' AS {name} {options}")


@contextmanager
def detecting_damage() -> Iterator[None]:
    """Raise `DamagedError` within the block if the checksum of a block is wrong."""
    try:
        yield
    except duckdb.Error as error:
        if "orrupt" not in str(error):
            raise
        raise DamagedError(_first_line(error)) from error


def in_use(path: Path, wait_s: float) -> ConflictError:
    """Return the error for a read model that another process uses for too long."""
    return ConflictError("busy", phrase("model.in_use", file=path, wait_s=wait_s))


def not_a_read_model(path: Path) -> UnreadableError:
    """Return the error for a file that is no read model and must not be overwritten."""
    return UnreadableError("not_a_ledger", phrase("model.not_one", file=path))


def is_database(path: Path) -> bool:
    """Return whether the file is empty or its first bytes are those of a DuckDB database."""
    where, magic = _MAGIC
    try:
        with path.open("rb") as file:
            head = file.read(where.stop)
    except OSError as error:
        why = phrase("model.cannot_be_read", file=path, why=localised(error.strerror))
        raise errors.refused_by_system(error.errno, why) from None
    return not head or head[where] == magic


@contextmanager
def translating_errors(path: Path) -> Iterator[None]:
    """Raise DuckDB's errors within the block as errors of this package."""
    try:
        yield
    except duckdb.Error as error:
        raise broken(path, error) from error


def broken(path: Path, error: duckdb.Error) -> LedgerError:
    """Return the error for a read model that DuckDB cannot use."""
    return unusable(path, _first_line(error))


def unusable(path: Path, why: str) -> UnreadableError:
    """Return the error for a read model that does not work: the system's refusal, else advice to remove it."""
    return refused_by_system(path, why) or UnreadableError(
        "damaged", phrase("model.cannot_be_used", file=path, why=why)
    )


def refused_by_system(path: Path, words: str) -> UnreadableError | None:
    """Return the system's refusal that DuckDB's message contains; None if it contains none."""
    fault = next((fault for fault in _OF_SYSTEM if os.strerror(fault) in words), None)
    if fault is None:
        return None
    if fault in _ROOM:
        return errors.refused_by_system(fault, phrase("model.no_space", file=path))
    return errors.refused_by_system(fault, phrase("model.forbidden", file=path, why=localised(os.strerror(fault))))


def cannot_be_written(path: Path, error: OSError) -> UnreadableError:
    """Return the error for a read model, or a file next to it, that cannot be written."""
    if error.errno in _ROOM:
        return errors.refused_by_system(error.errno, phrase("model.no_space", file=path))
    said = phrase("model.cannot_be_written", file=path, why=localised(error.strerror))
    return errors.refused_by_system(error.errno, said)


def _first_line(error: duckdb.Error) -> str:
    return str(error).splitlines()[0]


GC_THRESHOLD: Final = 50_000
"""Number of new objects that start a garbage collection. With Python's own 700 to 2,000, a fold takes a third longer
and a league table twice as long.
"""


@contextmanager
def infrequent_gc() -> Iterator[None]:
    """Collect garbage rarely within the block; restore the threshold afterwards."""
    usual = gc.get_threshold()
    gc.set_threshold(GC_THRESHOLD, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)
