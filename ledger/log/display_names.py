"""Names to show for players: beside the log in the ledger's file, outside of its digests, so that they can be erased.

An entry can never be. A club that keeps its players' privacy records them under handles, and names the handles here.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from ledger import limits
from ledger.errors import ConflictError, NotFoundError
from ledger.limits import exceeded
from ledger.log.sqlite import LOCK_TIMEOUT_S
from ledger.log.sqlite_errors import READ_ERRORS, translated
from ledger.log.sqlite_file import DISPLAY_NAMES, access_to, connect
from ledger.names import readable_name


def display_names(path: Path) -> dict[str, str]:
    """The names to show, by the player's name in the record; none where no name was ever set."""
    try:
        with closing(connect(path, access_to(path), LOCK_TIMEOUT_S)) as connection:
            return _read(connection)
    except READ_ERRORS as error:
        raise translated(error, path, LOCK_TIMEOUT_S) from error


def set_display_name(path: Path, player: str, name: str) -> None:
    """Show `name` for a player from now on; a name shown before is erased.

    Raises `MalformedError` for a name that is empty, too long or cannot be read, and `ConflictError` for one that is
    shown for somebody else.
    """
    readable = readable_name("not a name to show", name)
    if len(name) > limits.NAME_CHARS:
        raise exceeded("too long a name", len(name), limits.NAME_CHARS, "characters")
    _change(path, player, readable)


def erase_display_name(path: Path, player: str) -> None:
    """Erase the name shown for a player, from every byte of the ledger's file and of its write-ahead log.

    Raises `NotFoundError` where there is none, `ConflictError` where another program reads the ledger and does not end.
    """
    _change(path, player, None)


def _change(path: Path, player: str, name: str | None) -> None:
    try:
        with closing(connect(path, "write", LOCK_TIMEOUT_S)) as connection:
            _empty_wal(connection, f"the ledger {path} is in use; nothing was changed, try again")
            # Freed bytes are overwritten with zeros.
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("BEGIN IMMEDIATE")
            names = _read(connection)
            if name is not None:
                _refuse_taken(names, player, name)
                names[player] = name
            elif names.pop(player, None) is None:
                raise NotFoundError(f"no name is shown for {player}; the record itself is never changed")
            _write(connection, names)
            connection.execute("COMMIT")
            what = f"somebody began to read {path} just now, so the old bytes are not erased yet: change a name again"
            _empty_wal(connection, what)
    except READ_ERRORS as error:
        raise translated(error, path, LOCK_TIMEOUT_S) from error


def _refuse_taken(names: dict[str, str], player: str, name: str) -> None:
    """Two players under one name would be taken for one."""
    for other, shown in names.items():
        if other != player and shown == name:
            raise ConflictError(f"{name} is shown for {other} already; nothing was changed: choose another name")


def _empty_wal(connection: sqlite3.Connection, what: str) -> None:
    """Bring the write-ahead log into the file and cut it off: what a page held before stands there until then.

    Raises `ConflictError` where a reader of an older state does not end.
    """
    if connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
        raise ConflictError(what)


def _read(connection: sqlite3.Connection) -> dict[str, str]:
    is_there = connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'display_names'").fetchone()[0]
    return dict(connection.execute("SELECT player, name FROM display_names").fetchall()) if is_there else {}


def _write(connection: sqlite3.Connection, names: dict[str, str]) -> None:
    """All names anew: a table that is dropped leaves zeros, where a row that is changed may leave a copy of itself."""
    connection.execute("DROP TABLE IF EXISTS display_names")
    if names:
        connection.execute(DISPLAY_NAMES.read_text(encoding="utf-8"))
        connection.executemany("INSERT INTO display_names VALUES (?, ?)", names.items())
