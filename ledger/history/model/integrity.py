"""Whether a read model is as catch-up left it: a seal beside the file, over what every write to it changes.

DuckDB keeps a checksum in each block, which it compares as it reads the block, and a count of its writes in the headers
at the start of the file. So headers, write-ahead log and size stand for all tables, views and words, in the same short
time however many deals there are. It finds accidents and plain edits, not somebody who writes a seal to fit.
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
"""At the start of the file; whatever is written to it changes them."""

_SEAL_BYTES_AT_MOST: Final = 200
_AT_ONCE_BYTES: Final = 1_000_000
_SEALED, _WRITING = b"sealed", b"writing"


class SealState(Enum):
    """What a seal says of a read model: whole as catch-up left it; unfinished, which is never sealed, or left by a
    catch-up that was killed after it wrote; altered by something else.
    """

    WHOLE = auto()
    UNFINISHED = auto()
    ALTERED = auto()


class _Fingerprint(Struct, frozen=True):
    """SHA-256 over headers and write-ahead log, in hexadecimal, and the size of the file in bytes."""

    digest: str
    size: int

    def matches(self, other: _Fingerprint) -> bool:
        """Whether this was taken of a file with the other fingerprint, but for rows at its end never committed."""
        return self.digest == other.digest and self.size <= other.size


def seal_state(path: Path, file: BinaryIO) -> SealState:
    """What the seal says of the read model.

    Its `file` must stay open as long as DuckDB has it open: to close it lets go of all locks of this process on it.
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
    """What is written within is sealed at the end; killed within, the read model is whole only as it was before.

    The mark is on disk before anything else is, so that a power failure raises no false alarm.
    """
    _write(path, _WRITING, _fingerprint(path, file), is_durable=True)
    try:
        yield
    except BaseException:
        with suppress(OSError):  # what went wrong is told, not this
            _write(path, _WRITING, _fingerprint(path, file))
        raise
    _write(path, _SEALED, _fingerprint(path, file))


def put_in_place(draft: Path, path: Path) -> None:
    """Give a read model that is closed the place of another one, and seal it."""
    with draft.open("rb") as file:
        made = _fingerprint(draft, file)
    _write(path, _WRITING, made, is_durable=True)
    remove(path)  # with its write-ahead log, which would be applied to the new file
    draft.replace(path)
    _write(path, _SEALED, made)


def remove(database: Path) -> None:
    """Remove a database with what DuckDB leaves beside it."""
    for left in (*left_by_duckdb(database), database):
        left.unlink(missing_ok=True)


def _write(path: Path, state: bytes, fingerprint: _Fingerprint, *, is_durable: bool = False) -> None:
    """Over the former one, which has the same length: to cut a file off first takes some file systems 4 ms."""
    seal = os.open(seal_of_history(path), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        os.write(seal, b"%-7s %s %020d\n" % (state, fingerprint.digest.encode(), fingerprint.size))
        if is_durable:
            os.fsync(seal)
    finally:
        os.close(seal)


@contextmanager
def open_sealed(path: Path, config: Mapping[str, bool], *, wait_s: float = WAIT_S) -> Iterator[DuckDBPyConnection]:
    """A connection for reading to a read model that is as catch-up left it.

    Raises `UnreadableError` for one that is not, and else as `connect_patiently`.
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
    """Until the end of the stack none of ours writes. Where no lock can be had, none of ours can write either."""
    queue = WriterQueue(lock_of(path))
    stack.callback(queue.close)
    with suppress(OSError):
        if not queue.enter(wait_s):
            raise in_use(path, wait_s)
        stack.callback(queue.leave)


def altered(path: Path) -> UnreadableError:
    """The read model is not as this program left it; as it can always be made again, that is the way out."""
    return UnreadableError("damaged", phrase("model.altered", file=path))
