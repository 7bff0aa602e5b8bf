"""The rows of an access store in `club.ledger.access`, a file that only its owner may read.

The file is created with the first token. The service keeps it open while the command line changes it; each call reads
the file, so revocation takes effect at once. The file is small and needs no write-ahead log.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from threading import RLock
from typing import Any, Final
from urllib.parse import quote

from ledger.access.base import TokenFacts
from ledger.access.catalogue import phrase
from ledger.access.grants import recorded_as
from ledger.access.sealed_rows import SealedRows
from ledger.access.service import LOCK_TIMEOUT_S, StoredSession, TokenRepository
from ledger.access.sqlite_errors import ERRORS, damaged, translated
from ledger.access.tokens import digest_of, new_key, seal_of
from ledger.errors import ConflictError, UnreadableError
from ledger.i18n.library_errors import localised
from ledger.log.append_rules import timestamp

APPLICATION_ID: Final = 0x74_72_63_61
"""`trca`, the mark of this kind of file."""

FORMATS: Final = tuple(Path(__file__).with_name(name) for name in ("schema.sql", "schema-2.sql"))
"""The migrations: each file creates one format from the one before it."""

FORMAT_VERSION: Final = len(FORMATS)
OWNER_ALONE: Final = 0o600

_KEEP_META: Final = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
_KEEP_NAME: Final = "INSERT INTO names VALUES (?, ?) ON CONFLICT (digest) DO UPDATE SET number = excluded.number"
_TOKENS: Final = "SELECT id, digest, facts, seal FROM tokens"
_SESSIONS: Final = "SELECT digest, token, name, ends_at, seal FROM sessions"
_DROP_TOO_MANY: Final = """
  DELETE FROM sessions WHERE rowid IN
    (SELECT rowid FROM sessions WHERE token = ? ORDER BY rowid DESC LIMIT -1 OFFSET ?)"""


class SqliteRepository(TokenRepository):
    """A repository in a file that may appear, or be replaced by another one, while this is open.

    `ledger_id`: the ledger of the tokens; the file of another ledger is refused.
    """

    def __init__(self, path: Path, ledger_id: str) -> None:
        self._path = path
        self._ledger_id = ledger_id
        self._turn = RLock()
        self._open: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._newest: datetime | None = None
        self._sealed = SealedRows(lambda why: damaged(path, why))
        self._is_changing = False

    def turn(self) -> AbstractContextManager[object]:
        return self._turn

    @contextmanager
    def changing(self, timeout_s: float) -> Iterator[None]:
        with self._translating_errors():
            self._make()
            connection = self._connection()
            assert connection is not None
            connection.execute(f"PRAGMA busy_timeout = {round(timeout_s * 1000)}")
            try:
                connection.execute("BEGIN IMMEDIATE")
                self._newest = self._stored_newest(connection)
                self._is_changing = True
                yield
                connection.execute("COMMIT")
            finally:
                self._is_changing = False
                with suppress(sqlite3.Error):  # the original error is being reported
                    if connection.in_transaction:
                        connection.rollback()
                    connection.execute(f"PRAGMA busy_timeout = {round(LOCK_TIMEOUT_S * 1000)}")

    def newest(self, *, anew: bool = False) -> datetime | None:
        with self._translating_errors():
            connection = self._connection()
            if anew and connection is not None:
                self._newest = self._stored_newest(connection)
            return self._newest

    def keep_newest(self, moment: datetime) -> None:
        self._change(_KEEP_META, "newest", timestamp(moment))
        self._newest = moment

    def all_facts(self) -> list[TokenFacts]:
        return list(map(self._sealed.facts, self._rows(f"{_TOKENS} ORDER BY rowid")))

    def facts_of(self, id: str) -> TokenFacts | None:
        return self._one(f"{_TOKENS} WHERE id = ?", id)

    def facts_by(self, digest: bytes) -> TokenFacts | None:
        return self._one(f"{_TOKENS} WHERE digest = ?", digest)

    def add_facts(self, facts: TokenFacts, digest: bytes) -> None:
        self._change("INSERT INTO tokens VALUES (?, ?, ?, ?)", *self._sealed.token_row(facts, digest))

    def change_facts(self, facts: TokenFacts) -> None:
        ((digest,),) = self._rows("SELECT digest FROM tokens WHERE id = ?", facts.id)
        _, _, text, seal = self._sealed.token_row(facts, digest)
        self._change("UPDATE tokens SET facts = ?, seal = ? WHERE id = ?", text, seal, facts.id)

    def session_by(self, digest: bytes) -> StoredSession | None:
        rows = self._rows(f"{_SESSIONS} WHERE digest = ?", digest)
        return self._sealed.session(rows[0]) if rows else None

    def add_session(self, session: StoredSession, digest: bytes) -> None:
        self._change("INSERT INTO sessions VALUES (?, ?, ?, ?, ?)", *self._sealed.session_row(session, digest))

    def drop_session(self, digest: bytes) -> None:
        self._change("DELETE FROM sessions WHERE digest = ?", digest)

    def names_made_of(self, digest: bytes) -> int | None:
        rows = self._rows("SELECT number FROM names WHERE digest = ?", digest)
        return rows[0][0] if rows else None

    def keep_name(self, digest: bytes, number: int) -> None:
        self._change(_KEEP_NAME, digest, number)

    def drop_sessions(self, ended_at: str, token: str, sessions_per_token: int) -> None:
        self._change("DELETE FROM sessions WHERE ends_at <= ?", ended_at)
        self._change(_DROP_TOO_MANY, token, sessions_per_token)

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
        self._open = self._file = None

    def _rows(self, sql: str, *values: object) -> list[Any]:
        with self._translating_errors():
            connection = self._connection()
            return [] if connection is None else connection.execute(sql, values).fetchall()

    def _change(self, sql: str, *values: object) -> None:
        with self._translating_errors():
            assert self._open is not None
            self._open.execute(sql, values)

    def _one(self, sql: str, value: object) -> TokenFacts | None:
        rows = self._rows(sql, value)
        return self._sealed.facts(rows[0]) if rows else None

    @contextmanager
    def _translating_errors(self) -> Iterator[None]:
        """Translate errors of SQLite and the system into those of this package."""
        try:
            yield
        except ERRORS as error:
            raise translated(error, self._path) from error

    def _connection(self) -> sqlite3.Connection | None:
        """Return a connection to the file that exists now; None if there is none, or it was never written."""
        if self._is_changing:
            return self._open
        try:
            status = self._path.stat()
        except FileNotFoundError:
            self.close()
            return None
        file = (status.st_dev, status.st_ino)
        if self._open is None or file != self._file:
            self.close()
            self._open, self._file = self._connected(), file
        return self._open

    def _connected(self) -> sqlite3.Connection | None:
        connection = _connect(self._path)
        try:
            if not _is_written(connection, self._path):
                connection.close()
                return None
            self._check(connection)
            _bring_up(connection)
            self._newest = self._stored_newest(connection)
            self._check_rows(connection)
        except BaseException:
            connection.close()
            raise
        if self._path.stat().st_mode & 0o077:
            with suppress(PermissionError):
                self._path.chmod(OWNER_ALONE)
        return connection

    def _check(self, connection: sqlite3.Connection) -> None:
        fault = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if fault != "ok":
            raise damaged(self._path, localised(fault))
        owner = connection.execute("SELECT value FROM meta WHERE key = 'ledger_id'").fetchone()
        if owner is None:
            raise damaged(self._path, phrase("damage.owner"))
        if owner[0] != self._ledger_id:
            raise ConflictError("exists", phrase("of_another_ledger", file=self._path))

    def _check_rows(self, connection: sqlite3.Connection) -> None:
        """Raise `UnreadableError` if another program wrote a row that grants access."""
        key = connection.execute("SELECT value FROM meta WHERE key = 'key'").fetchone()
        try:
            self._sealed.begin(bytes.fromhex(key[0]))
        except (TypeError, ValueError):
            raise damaged(self._path, phrase("damage.key")) from None
        for row in connection.execute(_TOKENS):
            self._sealed.facts(row)
        for row in connection.execute(_SESSIONS):
            self._sealed.session(row)

    def _stored_newest(self, connection: sqlite3.Connection) -> datetime | None:
        row = connection.execute("SELECT value FROM meta WHERE key = 'newest'").fetchone()
        try:
            return None if row is None else datetime.fromisoformat(row[0])
        except ValueError:
            raise damaged(self._path, phrase("damage.newest")) from None

    def _make(self) -> None:
        """Create the file with its tables where it is missing or incomplete."""
        if self._connection() is not None:
            return
        with suppress(FileExistsError):  # another process is creating it
            os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNER_ALONE))
        with closing(_connect(self._path)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            if not _is_written(connection, self._path):
                _change_format(connection, 0)
                connection.execute("INSERT INTO meta VALUES ('ledger_id', ?)", (self._ledger_id,))
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute("COMMIT")


def _bring_up(connection: sqlite3.Connection) -> None:
    """Migrate a file of an older format."""
    if _format_of(connection) == FORMAT_VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    if (before := _format_of(connection)) < FORMAT_VERSION:
        _change_format(connection, before)
    connection.execute("COMMIT")


def _change_format(connection: sqlite3.Connection, before: int) -> None:
    """Migrate within a transaction. Existing rows are trusted, and their names count as used."""
    for file in FORMATS[before:]:
        for statement in file.read_text(encoding="utf-8").split(";")[:-1]:
            connection.execute(statement)
    key = new_key()
    connection.execute("INSERT INTO meta VALUES ('key', ?)", (key.hex(),))
    for *row, _ in connection.execute(_TOKENS).fetchall():
        connection.execute("UPDATE tokens SET seal = ? WHERE id = ?", (seal_of(key, "tokens", *row), row[0]))
    for *row, _ in connection.execute(_SESSIONS).fetchall():
        connection.execute("UPDATE sessions SET seal = ? WHERE digest = ?", (seal_of(key, "sessions", *row), row[0]))
        _, token, name, _ = row
        connection.execute(_KEEP_NAME, (digest_of(recorded_as(token, name or token)), 1))
    connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")


def _format_of(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?mode=rw",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=LOCK_TIMEOUT_S,
    )
    connection.execute("PRAGMA secure_delete = ON")  # erases the names of ended sessions from the file
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _is_written(connection: sqlite3.Connection, path: Path) -> bool:
    """Return whether the file has its tables. Raise `UnreadableError` for a file with other contents."""
    application_id = connection.execute("PRAGMA application_id").fetchone()[0]
    if application_id == 0 and connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
        return False
    if application_id != APPLICATION_ID:
        raise damaged(path, phrase("damage.something_else"))
    version = _format_of(connection)
    if version > FORMAT_VERSION:
        raise UnreadableError("too_new", phrase("too_new", file=path, expected=FORMAT_VERSION, actual=version))
    return True
