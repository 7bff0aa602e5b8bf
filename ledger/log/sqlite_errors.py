"""What SQLite's errors mean to a user of the ledger; nothing of `sqlite3` leaves this package."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ledger.errors import ConflictError, LedgerError, UnreadableError

READ_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""What reading may raise: the second where SQLite's message quotes the damage, and `sqlite3` cannot decode it."""


@dataclass
class DamagedFileError(UnreadableError):
    """The file is or was a ledger, and cannot be read through; `why` says so in SQLite's words."""

    path: Path
    why: str

    def __str__(self) -> str:
        return f"the ledger {self.path} is damaged ({self.why}); verify it, and restore a backup"


def locked(path: Path, timeout_s: float) -> ConflictError:
    """Another writer kept the ledger for too long."""
    return ConflictError(
        f"the ledger {path} is locked by another writer (waited {timeout_s:g} s); nothing was recorded, try again"
    )


def translated(error: sqlite3.Error | UnicodeDecodeError, path: Path, timeout_s: float) -> LedgerError:
    """The error of this package that says what happened, and what to do."""
    if isinstance(error, UnicodeDecodeError):
        return DamagedFileError(path, "a text in it is not UTF-8")
    code = getattr(error, "sqlite_errorcode", None)  # errors of the sqlite3 module itself have none
    match None if code is None else code & 0xFF:  # the lowest byte is the primary code
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return locked(path, timeout_s)
        case sqlite3.SQLITE_READONLY:
            return ConflictError(f"the ledger {path} can only be read: {error}; nothing was recorded")
        case sqlite3.SQLITE_FULL:
            return UnreadableError(f"no room on the disk of {path}; nothing was recorded: make room and try again")
        case sqlite3.SQLITE_IOERR | sqlite3.SQLITE_CANTOPEN:
            return UnreadableError(
                f"the disk refuses to read or write {path} ({error}); check the disk, and verify the ledger"
            )
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_CONSTRAINT:
            return DamagedFileError(path, str(error))
        case sqlite3.SQLITE_NOTADB:
            return not_a_ledger(path)
        case _:
            return UnreadableError(f"the ledger {path} cannot be used: {error}")


def missing(path: Path) -> UnreadableError:
    return UnreadableError(f"there is no ledger at {path}: give its path, or make one with `trickledger init`")


def not_a_ledger(path: Path) -> UnreadableError:
    return UnreadableError(f"{path} is not a ledger: give another path, or restore a backup if it should be one")


def too_new(path: Path, format_version: int, known_format: int) -> UnreadableError:
    return UnreadableError(
        f"the ledger {path} has format {format_version}, this program reads up to {known_format}: update trickledger"
    )
