"""Opens DuckDB files and says what its errors mean; no error of `duckdb` leaves this package."""

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
"""What the system may refuse that is no fault of a file; DuckDB passes its words on."""

NO_EXTENSIONS: Final[Mapping[str, bool]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,
}
"""Nothing is fetched from the network, and no variable of the calling code is a table."""

READING_ONLY: Final[Mapping[str, bool]] = {**NO_EXTENSIONS, "enable_external_access": False, "lock_configuration": True}
"""For questions: no files, no network, and no way to change that."""


WAL_SIZE: Final = "30KB"
"""A write-ahead log longer than this is worked into the file, which takes 25 ms. A shorter one, of some four catch-ups
with one deal, stays beside it: whoever opens the file takes it in, in two milliseconds for each."""

FOR_WRITING: Final[Mapping[str, bool | str]] = {
    **NO_EXTENSIONS,
    "wal_autocheckpoint": WAL_SIZE,
    "checkpoint_on_detach": "DISABLED",
}

Opened = TypeVar("Opened")


class InUseError(Exception):
    """The file is open in another process, or otherwise in this one; goes no further than this package."""


class DamagedError(Exception):
    """The file cannot be opened as a database of ours; goes no further than this package."""


def connect(path: Path, config: Mapping[str, bool | str], *, readonly: bool = False) -> DuckDBPyConnection:
    """A connection, at once; raises `InUseError` and `DamagedError`."""
    with _opening():
        return duckdb.connect(path, read_only=readonly, config=dict(config))


@contextmanager
def _opening() -> Iterator[None]:
    """What DuckDB raises where a file cannot be opened, as `InUseError` or `DamagedError`."""
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
    """A connection as soon as no other process is in the way; raises `ConflictError` where that takes too long."""
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


# --- one engine for all writing ---------------------------------------------------------------------------------------


@cache
def _engine(process_id: int) -> DuckDBPyConnection:
    """The DuckDB that writes for this process: to start and end another takes a third of a catch-up with one deal. In a
    forked process it would lack its threads, so that one has its own.
    """
    return duckdb.connect(config=dict(FOR_WRITING))


_names: Final = map("read_model_{}".format, count())
"""Of files while they are attached, so that two threads of a process can write to two at a time."""


@contextmanager
def opened_for_writing(path: Path, *, wait_s: float = WAIT_S) -> Iterator[DuckDBPyConnection]:
    """A connection in which all names are those of this file, until the end of the block; what was not committed by
    then is not done. Raises `ConflictError` as `connect_patiently`, and `DamagedError`.
    """
    with (
        closing(_engine(os.getpid()).cursor()) as outside,
        attached(outside, path, wait_s=wait_s) as name,
        closing(outside.cursor()) as connection,
    ):
        connection.execute(f"USE {name}")
        yield connection


@contextmanager
def attached(connection: DuckDBPyConnection, path: Path, *, wait_s: float = WAIT_S) -> Iterator[str]:
    """The name that the file has in a DuckDB until the end of the block; errors as in `opened_for_writing`."""
    name = next(_names)
    _patiently(path, wait_s, partial(_attach, connection, path, name))
    try:
        yield name
    finally:
        try:
            connection.execute(f"DETACH {name}")
        except duckdb.Error:
            _engine.cache_clear()  # an engine that has failed for good would refuse every file from now on


def _attach(connection: DuckDBPyConnection, path: Path, name: str) -> None:
    quoted = str(path).replace("'", "''")
    with _opening():
        connection.execute(f"ATTACH '{quoted}' AS {name}")


@contextmanager
def detecting_damage() -> Iterator[None]:
    """What DuckDB raises within where a block is not what its checksum says, as `DamagedError`."""
    try:
        yield
    except duckdb.Error as error:
        if "orrupt" not in str(error):
            raise
        raise DamagedError(_first_line(error)) from error


# --- errors -----------------------------------------------------------------------------------------------------------


def in_use(path: Path, wait_s: float) -> ConflictError:
    """Another process keeps the read model for too long."""
    return ConflictError("busy", phrase("model.in_use", file=path, wait_s=wait_s))


def not_a_read_model(path: Path) -> UnreadableError:
    """The file is something else, which is not to be overwritten."""
    return UnreadableError("not_a_ledger", phrase("model.not_one", file=path))


def is_database(path: Path) -> bool:
    """Whether the file's first bytes are those of a DuckDB database, or there are none."""
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
    """What DuckDB raises within, as an error of this package."""
    try:
        yield
    except duckdb.Error as error:
        raise broken(path, error) from error


def broken(path: Path, error: duckdb.Error) -> LedgerError:
    """The read model does not work, as DuckDB says."""
    return unusable(path, _first_line(error))


def unusable(path: Path, why: str) -> UnreadableError:
    """The read model does not work; as it can always be made again, the way out is to remove it, unless the system
    refuses.
    """
    return refused_by_system(path, why) or UnreadableError(
        "damaged", phrase("model.cannot_be_used", file=path, why=why)
    )


def refused_by_system(path: Path, words: str) -> UnreadableError | None:
    """What the system refuses, by the words in which DuckDB passes it on; None where these tell of something else."""
    fault = next((fault for fault in _OF_SYSTEM if os.strerror(fault) in words), None)
    if fault is None:
        return None
    if fault in _ROOM:
        return errors.refused_by_system(fault, phrase("model.no_space", file=path))
    return errors.refused_by_system(fault, phrase("model.forbidden", file=path, why=localised(os.strerror(fault))))


def cannot_be_written(path: Path, error: OSError) -> UnreadableError:
    """The read model, or what lies beside it, cannot be written."""
    if error.errno in _ROOM:
        return errors.refused_by_system(error.errno, phrase("model.no_space", file=path))
    said = phrase("model.cannot_be_written", file=path, why=localised(error.strerror))
    return errors.refused_by_system(error.errno, said)


def _first_line(error: duckdb.Error) -> str:
    return str(error).splitlines()[0]


GC_THRESHOLD: Final = 50_000
"""So many more objects than before, and it is looked for. With Python's own 700 to 2,000 a fold takes a third more, a
league table twice as long."""


@contextmanager
def infrequent_gc() -> Iterator[None]:
    """Within, garbage is looked for seldom; afterwards as before."""
    usual = gc.get_threshold()
    gc.set_threshold(GC_THRESHOLD, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)
