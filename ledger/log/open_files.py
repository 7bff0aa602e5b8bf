"""The files of an open SQLite ledger: checks that the files at its path are still those that SQLite has open.

SQLite goes on writing to a file that was removed or replaced, and acknowledges entries that are lost. Files are
examined by name alone: opening and closing one would release SQLite's locks on it in this process.

Another program may truncate the write-ahead log while SQLite commits. SQLite then writes behind a gap of zeros: the
file has its expected size, this process still reads its own writes, and the next one to open the ledger finds nothing.
So `WalEdges` compares the beginning and the end of the log, which a commit must not change.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from ledger.errors import LedgerError
from ledger.log.catalogue import phrase
from ledger.log.paths import left_by_sqlite


class ReplacedError(LedgerError):
    """The files of an open ledger were replaced or changed by another program: nothing more is recorded.

    `rescue`: the file with the entries acknowledged since the last sound state; None if there were none.
    """

    rescue: Path | None = None

    def with_rescue(self) -> ReplacedError:
        """Return the same error with the path of the rescue file in its message."""
        if self.rescue is None:
            return self
        return ReplacedError(self.code, phrase("replaced.rescued", what=self.said, rescue=self.rescue), **self._unsaid)


class Stamp(NamedTuple):
    """The metadata of a file; `changed_ns` (ctime) cannot be set back."""

    device: int
    inode: int
    size: int
    modified_ns: int
    changed_ns: int

    def is_same_file(self, other: Stamp | None) -> bool:
        """Return whether both stamps are of the same file."""
        return other is not None and self[:2] == other[:2]


Stamps: TypeAlias = tuple[Stamp | None, Stamp | None, Stamp | None]
"""The stamps of the ledger, its write-ahead log, and the index of that log."""


def stamp_of(path: str) -> Stamp | None:
    """Return the stamp of the file at a path; None if it does not exist or may not be examined."""
    try:
        status = os.stat(path)  # noqa: PTH116 - runs with every commit, and a Path takes 8 µs more
    except OSError:
        return None
    return Stamp(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


class OpenFiles:
    """The ledger, its write-ahead log and the index of that log, as SQLite has opened them."""

    def __init__(self, path: Path) -> None:
        wal, index = left_by_sqlite(path.resolve())
        self.ledger, self.wal, self.index = os.fspath(path), os.fspath(wal), os.fspath(index)
        self._opened = self.stamps()

    def stamps(self) -> Stamps:
        """Return the current stamps of the files at the three paths."""
        return stamp_of(self.ledger), stamp_of(self.wal), stamp_of(self.index)

    def check(self) -> Stamps:
        """Return the stamps. Raise `ReplacedError` if a file was replaced or removed."""
        current = self.stamps()
        for path, opened, now in zip((self.ledger, self.wal, self.index), self._opened, current, strict=True):
            if opened is None:
                continue  # the file was opened for reading only
            if now is None:
                raise ReplacedError("damaged", phrase("replaced.gone", file=Path(path).name))
            if not opened.is_same_file(now):
                raise ReplacedError("damaged", phrase("replaced.another", file=Path(path).name))
        return current

    def has_successor(self) -> bool:
        """Return whether another ledger is at the path, without the write-ahead log of the previous one."""
        ledger, wal, index = self.stamps()
        before, wal_before, index_before = self._opened
        return (
            ledger is not None
            and not ledger.is_same_file(before)
            and not (wal is not None and wal.is_same_file(wal_before))
            and not (index is not None and index.is_same_file(index_before))
        )


_HEADER_BYTES: Final = 32
_FRAME_BYTES: Final = 24 + 4096
_MAGIC: Final = (bytes.fromhex("377f0682"), bytes.fromhex("377f0683"))
_SALTS: Final = slice(16, 24)
_SALTS_OF_FRAME: Final = slice(8, 16)
"""https://www.sqlite.org/fileformat2.html#the_write_ahead_log: a header, then frames of one page. Salts mark
the frames that belong to the header, as older frames are overwritten one by one."""


class WalEdges:
    """The header and the last frame of the write-ahead log at a path. SQLite holds no lock on this file."""

    def __init__(self, path: str) -> None:
        self._file = -1
        with suppress(OSError):  # the ledger is open for reading only
            self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self._header = self._end = b""
        self._end_at = 0

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def remember(self) -> None:
        """Read both before a commit."""
        if self._file < 0:
            return
        self._header = os.pread(self._file, _HEADER_BYTES, 0)
        self._end_at = max(os.fstat(self._file).st_size - _FRAME_BYTES, 0)
        end = os.pread(self._file, _FRAME_BYTES, self._end_at)
        self._end = end if end[_SALTS_OF_FRAME] == self._header[_SALTS] else b""

    def are_intact(self) -> bool:
        """Return whether a commit left both unchanged, or restarted the log as SQLite does after a checkpoint."""
        if self._file < 0:
            return True
        header = os.pread(self._file, _HEADER_BYTES, 0)
        if header and not header.startswith(_MAGIC):
            return False
        if header == self._header:
            return os.pread(self._file, _FRAME_BYTES, self._end_at)[: len(self._end)] == self._end
        return not self._header or _first_salt(header) == (_first_salt(self._header) + 1) % (1 << 32)


def _first_salt(header: bytes) -> int:
    return int.from_bytes(header[_SALTS][:4])
