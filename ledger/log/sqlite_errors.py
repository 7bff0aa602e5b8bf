"""Translation of SQLite's errors into those of the ledger; no error of `sqlite3` leaves this package."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path
from typing import Final

from ledger.errors import ConflictError, LedgerError, UnreadableError
from ledger.i18n import Text
from ledger.i18n.library_errors import localised
from ledger.log.catalogue import phrase
from ledger.log.paths import left_by_sqlite, wal_of

READ_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""The errors of reading; the second occurs if SQLite's message quotes damaged bytes that `sqlite3` cannot decode."""


_ROOM_BYTES: Final = 32_768
"""With less free space the disk counts as full: the index of the write-ahead log alone needs as much."""


class DamagedFileError(UnreadableError):
    """The file is or was a ledger, and cannot be read completely; `why` is the reason, mostly in SQLite's words."""

    def __init__(self, path: Path, why: Text) -> None:
        super().__init__("damaged", phrase("damaged_file", file=path, why=why))
        self.path = path
        self.why = why


def locked(path: Path, timeout_s: float) -> ConflictError:
    """Return the error for a ledger that another writer held for too long."""
    return ConflictError("locked", phrase("locked", file=path, timeout_s=timeout_s))


def forbidden(path: Path) -> UnreadableError:
    """Return the error for a missing permission to read the ledger, or to enter its folder."""
    return UnreadableError("forbidden", phrase("forbidden", file=path))


def left_without_index(path: Path) -> UnreadableError:
    """Return the error for a write-ahead log that SQLite cannot read, as its index can be created nowhere."""
    return UnreadableError("forbidden", phrase("left_without_index", file=path, wal=wal_of(path)))


def read_only(path: Path, why: Text) -> ConflictError:
    """Return the error for a ledger that cannot be written to."""
    return ConflictError("read_only", phrase("read_only", file=path, why=why))


def translated(error: sqlite3.Error | UnicodeDecodeError, path: Path, timeout_s: float) -> LedgerError:
    """Return the error of this package for one of SQLite."""
    if isinstance(error, UnicodeDecodeError):
        return DamagedFileError(path, phrase("damage.not_utf8"))
    code = getattr(error, "sqlite_errorcode", None)  # errors of the sqlite3 module itself have none
    match None if code is None else code & 0xFF:  # the lowest byte is the primary code
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return locked(path, timeout_s)
        case sqlite3.SQLITE_READONLY:
            return read_only(path, localised(error))
        case sqlite3.SQLITE_FULL:
            return UnreadableError("no_space", phrase("no_space", file=path))
        case sqlite3.SQLITE_IOERR | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PROTOCOL if refused := _refused_by_system(
            path
        ):
            return refused
        case sqlite3.SQLITE_IOERR | sqlite3.SQLITE_CANTOPEN:
            return UnreadableError("disk", phrase("disk", file=path, why=localised(error)))
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_CONSTRAINT:
            return DamagedFileError(path, localised(error))
        case sqlite3.SQLITE_NOTADB:
            return not_a_ledger(path)
        case _:
            return UnreadableError("disk", phrase("cannot_be_used", file=path, why=localised(error)))


def _refused_by_system(path: Path) -> UnreadableError | None:
    """Return the cause if SQLite cannot open or extend a file for lack of permission or room; else None."""
    place = path.resolve()
    try:
        files = [file for file in (place, *left_by_sqlite(place)) if file.exists()]
        if not all(os.access(file, os.R_OK) for file in files):
            return forbidden(path)
        if wal_of(place) in files and not os.access(place.parent, os.W_OK):
            return left_without_index(path)
        has_room = shutil.disk_usage(place.parent).free >= _ROOM_BYTES
        return None if has_room else UnreadableError("no_space", phrase("no_space", file=path))
    except OSError:
        return None


def not_a_ledger(path: Path) -> UnreadableError:
    """Return the error for a file that is no ledger."""
    return UnreadableError("not_a_ledger", phrase("not_a_ledger", file=path))
