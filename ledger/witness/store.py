"""What a witness has cosigned, in `witness.store`: a SQLite file in which rows are only added.

A row is on disk before `add` returns, and reading and adding are one transaction, so that no two programs cosign
different checkpoints of one club.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from ledger.errors import ConflictError, LedgerError, UnreadableError, refused_by_system
from ledger.i18n import Text
from ledger.i18n.library_errors import localised
from ledger.log.atomic_files import publish, remove, sync
from ledger.log.paths import draft_of
from ledger.witness.catalogue import phrase

APPLICATION_ID: Final = 0x74_72_63_77
"""`trcw`, the mark of this kind of file."""

_FORMAT: Final = 1
_LOCK_TIMEOUT_MS: Final = 10_000
_NEWEST: Final = "SELECT origin, size, at, note FROM cosigned WHERE origin = ? ORDER BY size DESC, at DESC LIMIT 1"
_OF_SIZE: Final = "SELECT origin, size, at, note FROM cosigned WHERE origin = ? AND size = ? ORDER BY at DESC LIMIT 1"
_NEWEST_OF_ALL: Final = """
  WITH RECURSIVE clubs (club) AS (  -- one step of the index a club, however many rows it has
    SELECT min(origin) FROM cosigned
    UNION ALL
    SELECT (SELECT min(origin) FROM cosigned WHERE origin > club) FROM clubs WHERE club IS NOT NULL
  )
  SELECT origin, size, at, note FROM clubs JOIN cosigned ON number =
    (SELECT number FROM cosigned WHERE origin = club AND at < ? ORDER BY size DESC, at DESC LIMIT 1)
  ORDER BY origin"""
_ADD: Final = "INSERT INTO cosigned (origin, size, at, note) VALUES (?, ?, ?, ?)"


class Cosigned(Struct, frozen=True):
    """A row: a checkpoint with the cosignature of this witness, and the time of that in POSIX seconds."""

    origin: str
    size: int
    at: int
    note: str


class WitnessStore:
    """An open store; use it in one thread at a time."""

    def __init__(self, path: Path) -> None:
        """Open the store. Raise `UnreadableError` if it is missing, damaged, or no store."""
        self._path = path
        if not path.is_file():
            raise UnreadableError("no_ledger", phrase("store.missing", file=path))
        with self._translating_errors():
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._connection.execute(f"PRAGMA busy_timeout = {_LOCK_TIMEOUT_MS}")
            self._connection.execute("PRAGMA synchronous = EXTRA")
            ((mark,),) = self._connection.execute("PRAGMA application_id").fetchall()
            ((form,),) = self._connection.execute("PRAGMA user_version").fetchall()
        if mark != APPLICATION_ID:
            raise UnreadableError("not_a_ledger", phrase("store.not_ours", file=path))
        if form > _FORMAT:
            raise UnreadableError("too_new", phrase("store.too_new", file=path, actual=form, expected=_FORMAT))

    @classmethod
    def create(cls, path: Path) -> None:
        """Create an empty store, complete or not at all. Raise `ConflictError` if there is one."""
        draft = draft_of(path)
        remove(draft)
        try:
            os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
                schema = Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")
                marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {_FORMAT};"
                connection.executescript(f"PRAGMA synchronous = EXTRA; BEGIN; {schema}; {marks} COMMIT;")
            sync(draft)
            publish(draft, path)
            sync(path.parent)
        except FileExistsError:
            raise ConflictError("exists", phrase("store.exists", file=path)) from None
        except (sqlite3.Error, OSError) as error:
            raise _translated(error, path) from error
        finally:
            remove(draft)

    def __enter__(self) -> WitnessStore:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Keep other programs from adding rows until the end of the block, when what was added is on disk."""
        with self._translating_errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            finally:
                with suppress(sqlite3.Error):  # the original error is being reported
                    if self._connection.in_transaction:
                        self._connection.rollback()

    def newest(self, origin: str) -> Cosigned | None:
        """Return the largest checkpoint cosigned for a club."""
        return next(self._rows(_NEWEST, origin), None)

    def of_size(self, origin: str, size: int) -> Cosigned | None:
        """Return the checkpoint of that size cosigned for a club."""
        return next(self._rows(_OF_SIZE, origin, size), None)

    def newest_of_all(self, before: int) -> list[Cosigned]:
        """Return the largest checkpoint of each club cosigned before a time in POSIX seconds, ordered by origin."""
        return list(self._rows(_NEWEST_OF_ALL, before))

    def add(self, row: Cosigned) -> None:
        """Add a row; call it within `changing`."""
        self._connection.execute(_ADD, (row.origin, row.size, row.at, row.note))

    def list_of(self, day: str) -> str | None:
        """Return the note of the list that was signed for a day."""
        with self._translating_errors():
            rows = self._connection.execute("SELECT note FROM lists WHERE day = ?", (day,)).fetchall()
        return rows[0][0] if rows else None

    def add_list(self, day: str, note: str) -> None:
        """Add the signed list of a day; call it within `changing`."""
        self._connection.execute("INSERT INTO lists VALUES (?, ?)", (day, note))

    def _rows(self, query: str, *values: object) -> Iterator[Cosigned]:
        with self._translating_errors():
            rows: Sequence[tuple[Any, ...]] = self._connection.execute(query, values).fetchall()
        return (Cosigned(*row) for row in rows)

    @contextmanager
    def _translating_errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise _translated(error, self._path) from error


def damaged(path: Path, why: Text) -> UnreadableError:
    """Return the error for a damaged store."""
    return UnreadableError("damaged", phrase("store.damaged", file=path, why=why))


def _translated(error: sqlite3.Error | OSError, path: Path) -> LedgerError:
    """Return the error of this package for one of SQLite or the system."""
    if isinstance(error, OSError):
        return refused_by_system(
            error.errno, phrase("store.refused", file=path, why=localised(error.strerror or error))
        )
    why = phrase("store.refused", file=path, why=localised(error))
    code = getattr(error, "sqlite_errorcode", None)  # errors of the sqlite3 module itself have none
    match None if code is None else code & 0xFF:  # the lowest byte is the primary code
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return ConflictError("locked", phrase("store.locked", file=path))
        case sqlite3.SQLITE_READONLY:
            return ConflictError("read_only", why)
        case sqlite3.SQLITE_FULL:
            return UnreadableError("no_space", why)
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_ERROR | sqlite3.SQLITE_CONSTRAINT:
            return damaged(path, localised(error))
        case sqlite3.SQLITE_CANTOPEN if path.exists() and not os.access(path, os.R_OK):
            return UnreadableError("forbidden", why)
        case _:
            return UnreadableError("disk", why)
