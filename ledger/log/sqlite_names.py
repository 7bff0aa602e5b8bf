"""The tables of people in a ledger's SQLite file, and the complete erasure of their old content."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from ledger.errors import ConflictError
from ledger.i18n import Phrase
from ledger.log.base import Access
from ledger.log.catalogue import phrase
from ledger.log.people import People
from ledger.log.sqlite_errors import READ_ERRORS, translated
from ledger.log.sqlite_file import PEOPLE_TABLES, connect

_THERE: Final = "SELECT name FROM sqlite_schema WHERE type = 'table'"


def read_people(connection: sqlite3.Connection) -> People:
    """Return the people as of one moment; a table that was never needed does not exist. Raise the errors of SQLite."""
    is_alone = not connection.in_transaction
    if is_alone:
        connection.execute("BEGIN")
    try:
        there = {name for (name,) in connection.execute(_THERE)}
        facts = {
            table: connection.execute(f"SELECT * FROM {table}").fetchall() if table in there else []
            for table in PEOPLE_TABLES
        }
    finally:
        if is_alone:
            connection.execute("COMMIT")
    return People(
        names=dict(facts["display_names"]),
        links=dict(facts["player_links"]),
        hidden=frozenset(player for (player,) in facts["hidden_players"]),
    )


def change_people(
    path: Path, access: Access, lock_timeout_s: float, change: Callable[[People], People], *, erases: bool = True
) -> None:
    """Replace the people by the result of `change`; no byte of the former ones stays.

    A separate connection makes SQLite overwrite everything it frees. Raise `ConflictError` if another program does not
    finish reading the ledger, and the errors of `change`. `erases`: false if `change` only adds; it waits for nobody.
    """
    try:
        with closing(connect(path, access, lock_timeout_s)) as connection:
            if erases:
                _empty_wal(connection, phrase("names_in_use", file=path))
            # Freed bytes are overwritten with zeros.
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("BEGIN IMMEDIATE")
            _write(connection, change(read_people(connection)))
            connection.execute("COMMIT")
            if erases:
                _empty_wal(connection, phrase("not_erased_yet", file=path))
    except READ_ERRORS as error:
        raise translated(error, path, lock_timeout_s) from error


def _empty_wal(connection: sqlite3.Connection, what: Phrase) -> None:
    """Move the write-ahead log into the file and truncate it, as it still holds the former pages.

    Raise `ConflictError` if a reader of an older state does not finish.
    """
    if connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
        raise ConflictError("busy", what)


def _write(connection: sqlite3.Connection, people: People) -> None:
    """Rewrite all tables: a dropped table leaves zeros, but a changed row may leave a copy of itself."""
    rows: dict[str, list[tuple[str, ...]]] = {
        "display_names": list(people.names.items()),
        "player_links": list(people.links.items()),
        "hidden_players": [(player,) for player in sorted(people.hidden)],
    }
    for table in PEOPLE_TABLES:  # all of them first: a gap between definitions counts as damage
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    for table, definition in PEOPLE_TABLES.items():
        if rows[table]:
            connection.execute(definition.read_text(encoding="utf-8"))
            values = ", ".join("?" * len(rows[table][0]))
            connection.executemany(f"INSERT INTO {table} VALUES ({values})", rows[table])
