"""The table of names to show in a ledger's SQLite file, and how a name is erased from every byte of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from ledger.errors import ConflictError
from ledger.i18n import Phrase
from ledger.log.base import Access
from ledger.log.sqlite_errors import READ_ERRORS, translated
from ledger.log.sqlite_file import DISPLAY_NAMES, connect
from ledger.log.words import phrase


def read_names(connection: sqlite3.Connection) -> dict[str, str]:
    """The names by player; none where no name was ever set. Raises the errors of SQLite."""
    is_there = connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'display_names'").fetchone()[0]
    return dict(connection.execute("SELECT player, name FROM display_names").fetchall()) if is_there else {}


def change_names(
    path: Path, access: Access, lock_timeout_s: float, change: Callable[[Mapping[str, str]], dict[str, str]]
) -> None:
    """Put what `change` makes of the names in their place; of those before, no byte stays.

    It has a connection of its own, as SQLite is to overwrite all that it frees there. Raises `ConflictError` where
    another program reads the ledger and does not end, and whatever `change` raises.
    """
    try:
        with closing(connect(path, access, lock_timeout_s)) as connection:
            _empty_wal(connection, phrase("names_in_use", file=path))
            # Freed bytes are overwritten with zeros.
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("BEGIN IMMEDIATE")
            _write(connection, change(read_names(connection)))
            connection.execute("COMMIT")
            _empty_wal(connection, phrase("not_erased_yet", file=path))
    except READ_ERRORS as error:
        raise translated(error, path, lock_timeout_s) from error


def _empty_wal(connection: sqlite3.Connection, what: Phrase) -> None:
    """Bring the write-ahead log into the file and cut it off: what a page held before stands there until then.

    Raises `ConflictError` where a reader of an older state does not end.
    """
    if connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
        raise ConflictError("busy", what)


def _write(connection: sqlite3.Connection, names: Mapping[str, str]) -> None:
    """All names anew: a table that is dropped leaves zeros, where a row that is changed may leave a copy of itself."""
    connection.execute("DROP TABLE IF EXISTS display_names")
    if names:
        connection.execute(DISPLAY_NAMES.read_text(encoding="utf-8"))
        connection.executemany("INSERT INTO display_names VALUES (?, ?)", names.items())
