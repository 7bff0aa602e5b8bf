"""The files of an open SQLite ledger: whether those at its path are still the ones that SQLite has open.

SQLite goes on writing to a file that was removed or replaced, and acknowledges what nobody will find again. Files are
looked at by name alone: opening and closing one would release the locks that SQLite holds on it in this process.

Another program may cut the write-ahead log off while SQLite commits. SQLite then writes behind a gap of zeros: the file
has the size that it should have, this process still reads what it wrote, and the next one to open the ledger finds
nothing. So `WalEdges` compares the beginning and the end of the log, which a commit must not change.
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
    """The files of an open ledger were replaced or changed by something other than SQLite: nothing more is recorded.

    `rescue`: the file that holds what was acknowledged since the last sound state; None where there was nothing.
    """

    rescue: Path | None = None

    def with_rescue(self) -> ReplacedError:
        """Return the same error, which says where the rescue file is."""
        if self.rescue is None:
            return self
        return ReplacedError(self.code, phrase("replaced.rescued", what=self.said, rescue=self.rescue), **self._unsaid)


class Stamp(NamedTuple):
    """What is known of a file without opening it; `changed_ns` (ctime) cannot be set back."""

    device: int
    inode: int
    size: int
    modified_ns: int
    changed_ns: int

    def is_same_file(self, other: Stamp | None) -> bool:
        return other is not None and self[:2] == other[:2]


Stamps: TypeAlias = tuple[Stamp | None, Stamp | None, Stamp | None]
"""Of the ledger, its write-ahead log, and the index of that."""


def stamp_of(path: str) -> Stamp | None:
    """Return the stamp of the file at a path; None where there is none, or nobody may look."""
    try:
        status = os.stat(path)  # noqa: PTH116 - asked for with every commit, and a Path takes 8 µs more
    except OSError:
        return None
    return Stamp(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


class OpenFiles:
    """The ledger, its write-ahead log and the index of that, as SQLite has opened them."""

    def __init__(self, path: Path) -> None:
        wal, index = left_by_sqlite(path.resolve())
        self.ledger, self.wal, self.index = os.fspath(path), os.fspath(wal), os.fspath(index)
        self._opened = self.stamps()

    def stamps(self) -> Stamps:
        return stamp_of(self.ledger), stamp_of(self.wal), stamp_of(self.index)

    def check(self) -> Stamps:
        """Return the stamps; raise `ReplacedError` where another file, or none, is at one of the paths."""
        current = self.stamps()
        for path, opened, now in zip((self.ledger, self.wal, self.index), self._opened, current, strict=True):
            if opened is None:
                continue  # nothing but reading was possible
            if now is None:
                raise ReplacedError("damaged", phrase("replaced.gone", file=Path(path).name))
            if not opened.is_same_file(now):
                raise ReplacedError("damaged", phrase("replaced.another", file=Path(path).name))
        return current

    def has_successor(self) -> bool:
        """Return whether another ledger is at the path, without the write-ahead log of the previous one beside it."""
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
"""https://www.sqlite.org/fileformat2.html#the_write_ahead_log: a header, then frames of one page; salts say which
frames belong to the header, for those of an earlier turn are overwritten one after the other."""


class WalEdges:
    """The header and the last frame of the write-ahead log at a path. SQLite holds no lock on this file."""

    def __init__(self, path: str) -> None:
        self._file = -1
        with suppress(OSError):  # nothing but reading is possible
            self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self._header = self._end = b""
        self._end_at = 0

    def close(self) -> None:
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
        """Return whether a commit left both as they were, or began the log anew as SQLite does after a checkpoint."""
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
