"""What SQLite's errors mean to a user of the ledger; nothing of `sqlite3` leaves this package."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

from ledger.errors import ConflictError, LedgerError, UnreadableError
from ledger.i18n import Text
from ledger.i18n.foreign import retold
from ledger.log.words import phrase

READ_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""What reading may raise: the second where SQLite's message quotes the damage, and `sqlite3` cannot decode it."""


class DamagedFileError(UnreadableError):
    """The file is or was a ledger, and cannot be read through; `why` says so, mostly in SQLite's words."""

    def __init__(self, path: Path, why: Text) -> None:
        super().__init__("damaged", phrase("damaged_file", file=path, why=why))
        self.path = path
        self.why = why


def locked(path: Path, timeout_s: float) -> ConflictError:
    """Another writer kept the ledger for too long."""
    return ConflictError("locked", phrase("locked", file=path, timeout_s=timeout_s))


def read_only(path: Path, why: Text) -> ConflictError:
    return ConflictError("read_only", phrase("read_only", file=path, why=why))


def translated(error: sqlite3.Error | UnicodeDecodeError, path: Path, timeout_s: float) -> LedgerError:
    """The error of this package that says what happened, and what to do."""
    if isinstance(error, UnicodeDecodeError):
        return DamagedFileError(path, phrase("damage.not_utf8"))
    code = getattr(error, "sqlite_errorcode", None)  # errors of the sqlite3 module itself have none
    match None if code is None else code & 0xFF:  # the lowest byte is the primary code
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return locked(path, timeout_s)
        case sqlite3.SQLITE_READONLY:
            return read_only(path, retold(error))
        case sqlite3.SQLITE_FULL:
            return UnreadableError("no_space", phrase("no_space", file=path))
        case sqlite3.SQLITE_IOERR | sqlite3.SQLITE_CANTOPEN:
            return UnreadableError("disk", phrase("disk", file=path, why=retold(error)))
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_CONSTRAINT:
            return DamagedFileError(path, retold(error))
        case sqlite3.SQLITE_NOTADB:
            return not_a_ledger(path)
        case _:
            return UnreadableError("disk", phrase("cannot_be_used", file=path, why=retold(error)))


def missing(path: Path) -> UnreadableError:
    return UnreadableError("no_ledger", phrase("no_ledger", file=path))


def not_a_ledger(path: Path) -> UnreadableError:
    return UnreadableError("not_a_ledger", phrase("not_a_ledger", file=path))


def too_new(path: Path, format_version: int, known_format: int) -> UnreadableError:
    return UnreadableError("too_new", phrase("too_new", file=path, expected=known_format, actual=format_version))
