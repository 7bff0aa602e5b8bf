"""Errors of SQLite and the system about the token file, in the words of this package."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Final

from ledger.access.catalogue import phrase
from ledger.errors import ConflictError, LedgerError, UnreadableError, refused_by_system
from ledger.i18n import Text
from ledger.i18n.library_errors import localised

ERRORS: Final = (sqlite3.Error, UnicodeDecodeError, OSError)


def damaged(path: Path, why: Text) -> UnreadableError:
    """Return the error for a damaged token file."""
    return UnreadableError("damaged", phrase("damaged", file=path, why=why))


def translated(error: sqlite3.Error | UnicodeDecodeError | OSError, path: Path) -> LedgerError:
    """Return the error of this package for one of SQLite or the system."""
    if isinstance(error, UnicodeDecodeError):
        return damaged(path, phrase("damage.not_utf8"))
    if isinstance(error, OSError):
        return refused_by_system(error.errno, _refused(path, localised(error.strerror or error)))
    code = getattr(error, "sqlite_errorcode", None)  # errors of the sqlite3 module itself have none
    match None if code is None else code & 0xFF:  # the lowest byte is the primary code
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return ConflictError("locked", phrase("locked", file=path))
        case sqlite3.SQLITE_READONLY:
            return ConflictError("read_only", _refused(path, localised(error)))
        case sqlite3.SQLITE_FULL:
            return UnreadableError("no_space", _refused(path, localised(error)))
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_ERROR | sqlite3.SQLITE_CONSTRAINT:
            return damaged(path, localised(error))
        case sqlite3.SQLITE_CANTOPEN if path.exists() and not os.access(path, os.R_OK):
            return UnreadableError("forbidden", _refused(path, localised(error)))
        case _:
            return UnreadableError("disk", _refused(path, localised(error)))


def _refused(path: Path, why: Text) -> Text:
    return phrase("refused", file=path, why=why)
