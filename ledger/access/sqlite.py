"""An access store in a file beside the ledger, `club.ledger.access`, which its owner alone may read.

It is made when the first token is given out. The service keeps it open while the command line changes it; each question
is asked of the file, so what was revoked opens nothing from then on. It is small, and needs no write-ahead log.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from secrets import token_bytes
from threading import RLock
from time import monotonic
from typing import Any, Final
from urllib.parse import quote

from msgspec import DecodeError, json

from ledger.access.base import TokenFacts
from ledger.access.keeping import LOCK_TIMEOUT_S, AccessOnShelf, KeptSession
from ledger.access.sqlite_errors import ERRORS, damaged, of_another_ledger, too_new, translated
from ledger.access.tokens import Randomness
from ledger.access.words import phrase
from ledger.i18n.foreign import retold
from ledger.log.admission import timestamp
from ledger.log.base import Clock, utc_now

APPLICATION_ID: Final = 0x74_72_63_61
"""`trca`: how the file tells what it is."""

FORMAT_VERSION: Final = 1
SCHEMA: Final = Path(__file__).with_name("schema.sql")
OWNER_ALONE: Final = 0o600

_KEEP_META: Final = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
_DROP_TOO_MANY: Final = """
  DELETE FROM sessions WHERE rowid IN
    (SELECT rowid FROM sessions WHERE token = ? ORDER BY rowid DESC LIMIT -1 OFFSET ?)"""


class SqliteAccess(AccessOnShelf):
    """`ledger_id`: whose tokens they are; a file that was left of another ledger is refused."""

    def __init__(
        self,
        path: Path,
        ledger_id: str,
        *,
        clock: Clock = utc_now,
        randomness: Randomness = token_bytes,
        elapsed_s: Callable[[], float] = monotonic,
    ) -> None:
        super().__init__(SqliteShelf(path, ledger_id), clock, randomness, elapsed_s)


class SqliteShelf:
    """Fulfils `Shelf`. The file may appear, and be put in the place of another one, while this is open."""

    def __init__(self, path: Path, ledger_id: str) -> None:
        self._path = path
        self._ledger_id = ledger_id
        self._turn = RLock()
        self._open: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._newest: datetime | None = None
        self._is_changing = False

    def turn(self) -> AbstractContextManager[object]:
        return self._turn

    @contextmanager
    def changing(self, timeout_s: float) -> Iterator[None]:
        with self._telling():
            self._make()
            connection = self._connection()
            assert connection is not None
            connection.execute(f"PRAGMA busy_timeout = {round(timeout_s * 1000)}")
            try:
                connection.execute("BEGIN IMMEDIATE")
                self._newest = self._kept_newest(connection)
                self._is_changing = True
                yield
                connection.execute("COMMIT")
            finally:
                self._is_changing = False
                with suppress(sqlite3.Error):  # what made it fail is being reported already
                    if connection.in_transaction:
                        connection.rollback()
                    connection.execute(f"PRAGMA busy_timeout = {round(LOCK_TIMEOUT_S * 1000)}")

    def newest(self) -> datetime | None:
        with self._telling():
            self._connection()
            return self._newest

    def keep_newest(self, moment: datetime) -> None:
        self._change(_KEEP_META, "newest", timestamp(moment))
        self._newest = moment

    def all_facts(self) -> list[TokenFacts]:
        return [self._facts(text) for (text,) in self._rows("SELECT facts FROM tokens ORDER BY rowid")]

    def facts_of(self, id: str) -> TokenFacts | None:
        return self._one("SELECT facts FROM tokens WHERE id = ?", id)

    def facts_by(self, digest: bytes) -> TokenFacts | None:
        return self._one("SELECT facts FROM tokens WHERE digest = ?", digest)

    def add_facts(self, facts: TokenFacts, digest: bytes) -> None:
        self._change("INSERT INTO tokens VALUES (?, ?, ?)", facts.id, digest, json.encode(facts).decode())

    def change_facts(self, facts: TokenFacts) -> None:
        self._change("UPDATE tokens SET facts = ? WHERE id = ?", json.encode(facts).decode(), facts.id)

    def session_by(self, digest: bytes) -> KeptSession | None:
        rows = self._rows("SELECT token, name, ends_at FROM sessions WHERE digest = ?", digest)
        return KeptSession(*rows[0]) if rows else None

    def add_session(self, session: KeptSession, digest: bytes) -> None:
        self._change("INSERT INTO sessions VALUES (?, ?, ?, ?)", digest, session.token, session.name, session.ends_at)

    def drop_session(self, digest: bytes) -> None:
        self._change("DELETE FROM sessions WHERE digest = ?", digest)

    def drop_sessions(self, ended_at: str, token: str, kept_of_token: int) -> None:
        self._change("DELETE FROM sessions WHERE ends_at <= ?", ended_at)
        self._change(_DROP_TOO_MANY, token, kept_of_token)

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
        self._open = self._file = None

    def _rows(self, sql: str, *values: object) -> list[Any]:
        with self._telling():
            connection = self._connection()
            return [] if connection is None else connection.execute(sql, values).fetchall()

    def _change(self, sql: str, *values: object) -> None:
        with self._telling():
            assert self._open is not None
            self._open.execute(sql, values)

    def _one(self, sql: str, value: object) -> TokenFacts | None:
        rows = self._rows(sql, value)
        return self._facts(rows[0][0]) if rows else None

    def _facts(self, text: str) -> TokenFacts:
        try:
            return json.decode(text, type=TokenFacts)
        except DecodeError:
            raise damaged(self._path, phrase("damage.facts")) from None

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """SQLite's errors, and those of the system, become those of this package."""
        try:
            yield
        except ERRORS as error:
            raise translated(error, self._path) from error

    def _connection(self) -> sqlite3.Connection | None:
        """The file that stands there now; None where there is none, or none that was ever written."""
        if self._is_changing:
            return self._open
        try:
            found = self._path.stat()
        except FileNotFoundError:
            self.close()
            return None
        file = (found.st_dev, found.st_ino)
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
            self._newest = self._kept_newest(connection)
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
            raise damaged(self._path, retold(fault))
        owner = connection.execute("SELECT value FROM meta WHERE key = 'ledger_id'").fetchone()
        if owner is None:
            raise damaged(self._path, phrase("damage.owner"))
        if owner[0] != self._ledger_id:
            raise of_another_ledger(self._path)

    def _kept_newest(self, connection: sqlite3.Connection) -> datetime | None:
        row = connection.execute("SELECT value FROM meta WHERE key = 'newest'").fetchone()
        try:
            return None if row is None else datetime.fromisoformat(row[0])
        except ValueError:
            raise damaged(self._path, phrase("damage.newest")) from None

    def _make(self) -> None:
        """The file with its tables, where it is missing or whoever began to make it did not come to the end."""
        if self._connection() is not None:
            return
        with suppress(FileExistsError):  # somebody else makes it, too
            os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNER_ALONE))
        with closing(_connect(self._path)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            if not _is_written(connection, self._path):
                for statement in SCHEMA.read_text(encoding="utf-8").split(";")[:-1]:
                    connection.execute(statement)
                connection.execute("INSERT INTO meta VALUES ('ledger_id', ?)", (self._ledger_id,))
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
            connection.execute("COMMIT")


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?mode=rw",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=LOCK_TIMEOUT_S,
    )
    connection.execute("PRAGMA secure_delete = ON")  # names of sessions that have ended leave no byte
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _is_written(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the file has its tables; raises `UnreadableError` where it holds something else."""
    application_id = connection.execute("PRAGMA application_id").fetchone()[0]
    if application_id == 0 and connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
        return False
    if application_id != APPLICATION_ID:
        raise damaged(path, phrase("damage.something_else"))
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > FORMAT_VERSION:
        raise too_new(path, version, FORMAT_VERSION)
    return True
