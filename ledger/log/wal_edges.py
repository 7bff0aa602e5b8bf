"""The beginning and the end of SQLite's write-ahead log, which a commit must not change.

Another program may cut the log off while SQLite commits. SQLite then writes behind a gap of zeros: the file has the
size that it should have, this process still reads what it wrote, and the next one to open the ledger finds nothing.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Final

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

    def are_kept(self) -> bool:
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
