"""The seal next to a read model, which shows whether the file is as catch-up left it.

DuckDB stores a checksum in each block, which it compares when it reads the block, and a write count in the headers at
the start of the file. So headers, write-ahead log and size represent all tables, in constant time for any number of
deals. The seal finds accidents and plain edits, not a forged seal.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from enum import Enum, auto
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final

from duckdb import DuckDBPyConnection
from msgspec import Struct

from ledger.errors import UnreadableError
from ledger.history.catalogue import phrase
from ledger.history.model.database import WAIT_S, connect_patiently, in_use
from ledger.log.paths import left_by_duckdb, lock_of, seal_of_history
from ledger.log.writer_queue import WriterQueue

HEADERS_BYTES: Final = 3 * 4096
"""Size of the headers at the start of the file; every write changes them."""

_SEAL_BYTES_AT_MOST: Final = 200
_AT_ONCE_BYTES: Final = 1_000_000
_SEALED, _WRITING = b"sealed", b"writing"


class SealState(Enum):
    """What the seal says about a read model.

    WHOLE: as catch-up left it. UNFINISHED: never sealed, or left by a catch-up that was killed after it wrote. ALTERED:
    another program wrote to it.
    """

    WHOLE = auto()
    UNFINISHED = auto()
    ALTERED = auto()


class _Fingerprint(Struct, frozen=True):
    """SHA-256 of headers and write-ahead log in hexadecimal, and the size of the file in bytes."""

    digest: str
    size: int

    def matches(self, other: _Fingerprint) -> bool:
        """Return whether the other fingerprint is of the same file, apart from uncommitted rows at its end."""
        return self.digest == other.digest and self.size <= other.size


def seal_state(path: Path, file: BinaryIO) -> SealState:
    """Return what the seal says about the read model.

    Its `file` must stay open as long as DuckDB has it open: closing it releases all locks of this process on it.
    """
    try:
        with seal_of_history(path).open("rb") as seal:
            state, digest, size = seal.read(_SEAL_BYTES_AT_MOST).partition(b"\n")[0].split()
        sealed = _Fingerprint(digest.decode("ascii"), int(size))
    except (FileNotFoundError, ValueError):
        return SealState.UNFINISHED
    if state not in (_SEALED, _WRITING):
        return SealState.UNFINISHED
    if sealed.matches(_fingerprint(path, file)):
        return SealState.WHOLE
    return SealState.ALTERED if state == _SEALED else SealState.UNFINISHED


def _fingerprint(path: Path, file: BinaryIO) -> _Fingerprint:
    file.seek(0)
    digest = sha256(file.read(HEADERS_BYTES))
    for left in left_by_duckdb(path):
        if left.exists():
            with left.open("rb") as log:
                while part := log.read(_AT_ONCE_BYTES):
                    digest.update(part)
    return _Fingerprint(digest.hexdigest(), os.fstat(file.fileno()).st_size)


@contextmanager
def sealing(path: Path, file: BinaryIO) -> Iterator[None]:
    """Seal the read model after the block; if the process is killed within, only the previous state counts as whole.

    The mark reaches the disk before anything else, so a power failure raises no false alarm.
    """
    _write(path, _WRITING, _fingerprint(path, file), is_durable=True)
    try:
        yield
    except BaseException:
        with suppress(OSError):  # the first error is raised, not this one
            _write(path, _WRITING, _fingerprint(path, file))
        raise
    _write(path, _SEALED, _fingerprint(path, file))


def put_in_place(draft: Path, path: Path) -> None:
    """Replace a read model by a closed draft, and seal it."""
    with draft.open("rb") as file:
        made = _fingerprint(draft, file)
    _write(path, _WRITING, made, is_durable=True)
    remove(path)  # with its write-ahead log, which would be applied to the new file
    draft.replace(path)
    _write(path, _SEALED, made)


def remove(database: Path) -> None:
    """Remove a database with the files that DuckDB leaves next to it."""
    for left in (*left_by_duckdb(database), database):
        left.unlink(missing_ok=True)


def _write(path: Path, state: bytes, fingerprint: _Fingerprint, *, is_durable: bool = False) -> None:
    """Overwrite the former seal, which has the same length; truncating a file first takes some file systems 4 ms."""
    seal = os.open(seal_of_history(path), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        os.write(seal, b"%-7s %s %020d\n" % (state, fingerprint.digest.encode(), fingerprint.size))
        if is_durable:
            os.fsync(seal)
    finally:
        os.close(seal)


@contextmanager
def open_sealed(path: Path, config: Mapping[str, bool], *, wait_s: float = WAIT_S) -> Iterator[DuckDBPyConnection]:
    """Yield a read-only connection to a read model that is as catch-up left it.

    Raise `UnreadableError` if it is not, and the errors of `connect_patiently`.
    """
    with ExitStack() as stack:
        connection, state = _opened(stack, path, config, wait_s)
        if state is not SealState.WHOLE:
            stack.close()
            _wait_for_writers(stack, path, wait_s)
            connection, state = _opened(stack, path, config, wait_s)
        if state is not SealState.WHOLE:
            raise altered(path)
        yield connection


def _opened(
    stack: ExitStack, path: Path, config: Mapping[str, bool], wait_s: float
) -> tuple[DuckDBPyConnection, SealState]:
    connection = stack.enter_context(closing(connect_patiently(path, config, readonly=True, wait_s=wait_s)))
    return connection, seal_state(path, stack.enter_context(path.open("rb")))


def _wait_for_writers(stack: ExitStack, path: Path, wait_s: float) -> None:
    """Hold the writers' lock until the stack ends; without permission for it, our writers cannot write either."""
    queue = WriterQueue(lock_of(path))
    stack.callback(queue.close)
    with suppress(OSError):
        if not queue.enter(wait_s):
            raise in_use(path, wait_s)
        stack.callback(queue.leave)


def altered(path: Path) -> UnreadableError:
    """Return the error for a read model that another program changed, with the advice to rebuild it."""
    return UnreadableError("damaged", phrase("model.altered", file=path))
