"""The rows of an access store in the database of its ledger; `ledger/log/postgres.sql` describes the tables.

Each check asks the database once, so a revocation by any process takes effect at once in all of them. A change locks
the row of its ledger in `trickledger.access`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import UTC, datetime
from threading import RLock
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from ledger.access.base import TokenFacts
from ledger.access.catalogue import phrase
from ledger.access.sealed_rows import SealedRows
from ledger.access.service import StoredSession, TokenRepository
from ledger.access.tokens import new_key
from ledger.errors import ConflictError, LedgerError, UnreadableError
from ledger.i18n import Text
from ledger.log.postgres_connection import (
    STALLED_S,
    PostgresAddress,
    connect,
    is_passing,
    no_ledger,
    psycopg_module,
    translated,
)

if TYPE_CHECKING:
    import psycopg

_RETRY_S: Final = 0.5
"""The pause after a failure to connect."""

_LEDGER: Final = """
  SELECT ledger, key, newest FROM trickledger.ledgers LEFT JOIN trickledger.access USING (ledger)
  WHERE name = %s AND ledger_id = %s"""
_MAKE: Final = "INSERT INTO trickledger.access (ledger, key) VALUES (%s, %s) ON CONFLICT DO NOTHING"
_TOKENS: Final = "SELECT id, digest, facts, seal FROM trickledger.tokens WHERE ledger = %s"
_SESSIONS: Final = "SELECT digest, token, name, ends_at, seal FROM trickledger.sessions WHERE ledger = %s"
_SESSION_AND_TOKEN: Final = """
  SELECT sessions.digest, token, name, ends_at, sessions.seal, id, tokens.digest, facts, tokens.seal
  FROM trickledger.sessions JOIN trickledger.tokens ON tokens.ledger = sessions.ledger AND tokens.id = token
  WHERE sessions.ledger = %s AND sessions.digest = %s"""
_ADD_TOKEN: Final = "INSERT INTO trickledger.tokens (ledger, id, digest, facts, seal) VALUES (%s, %s, %s, %s, %s)"
_CHANGE_TOKEN: Final = "UPDATE trickledger.tokens SET facts = %s, seal = %s WHERE ledger = %s AND id = %s"
_ADD_SESSION: Final = """
  INSERT INTO trickledger.sessions (ledger, digest, token, name, ends_at, seal) VALUES (%s, %s, %s, %s, %s, %s)"""
_DROP_SESSION: Final = "DELETE FROM trickledger.sessions WHERE ledger = %s AND digest = %s"
_DROP_ENDED: Final = "DELETE FROM trickledger.sessions WHERE ledger = %s AND ends_at <= %s"
_DROP_TOO_MANY: Final = """
  DELETE FROM trickledger.sessions WHERE ledger = %s AND number IN (
    SELECT number FROM trickledger.sessions WHERE ledger = %s AND token = %s ORDER BY number DESC OFFSET %s)"""
_KEEP_NAME: Final = """
  INSERT INTO trickledger.used_names VALUES (%s, %s, %s)
  ON CONFLICT (ledger, digest) DO UPDATE SET number = excluded.number"""


class PostgresRepository(TokenRepository):
    """The tokens of one ledger, over one connection that is replaced when it is lost.

    `ledger_id`: the ledger of the tokens; another one of the same name is refused.
    """

    def __init__(self, where: PostgresAddress, ledger_id: str) -> None:
        self._where = where
        self._ledger_id = ledger_id
        self._turn = RLock()
        self._psycopg = psycopg_module()
        self._open: psycopg.Connection[Any] | None = None
        self._ledger = 0
        self._has_key = False
        self._newest: datetime | None = None
        self._sealed = SealedRows(self._damaged)
        self._failed: tuple[float, LedgerError] | None = None
        self._is_changing = False

    def turn(self) -> AbstractContextManager[object]:
        return self._turn

    @contextmanager
    def changing(self, timeout_s: float) -> Iterator[None]:
        connection = self._begin(timeout_s)
        is_committing = False
        self._is_changing = True
        try:
            yield
            is_committing = True
            connection.execute("COMMIT")
        except self._psycopg.Error as error:
            self._abandon(error)
            if is_committing and is_passing(error):
                raise ConflictError("busy", phrase("perhaps_changed", file=self._where)) from None
            raise translated(error, self._where) from None
        except BaseException:
            self._roll_back()
            raise
        finally:
            self._is_changing = False

    def newest(self, *, anew: bool = False) -> datetime | None:
        if anew:
            rows = self._rows("SELECT newest FROM trickledger.access WHERE ledger = %s")
            self._newest = _in_utc(rows[0][0]) if rows else None
        else:
            self._connection()
        return self._newest

    def keep_newest(self, moment: datetime) -> None:
        self._change("UPDATE trickledger.access SET newest = %s WHERE ledger = %s", moment, self._ledger)
        self._newest = moment

    def all_facts(self) -> list[TokenFacts]:
        return list(map(self._sealed.facts, self._rows(f"{_TOKENS} ORDER BY number")))

    def facts_of(self, id: str) -> TokenFacts | None:
        return self._one(f"{_TOKENS} AND id = %s", id)

    def facts_by(self, digest: bytes) -> TokenFacts | None:
        return self._one(f"{_TOKENS} AND digest = %s", digest)

    def add_facts(self, facts: TokenFacts, digest: bytes) -> None:
        self._change(_ADD_TOKEN, self._ledger, *self._sealed.token_row(facts, digest))

    def change_facts(self, facts: TokenFacts) -> None:
        rows = self._rows("SELECT digest FROM trickledger.tokens WHERE ledger = %s AND id = %s", facts.id)
        _, _, text, seal = self._sealed.token_row(facts, rows[0][0])
        self._change(_CHANGE_TOKEN, text, seal, self._ledger, facts.id)

    def session_by(self, digest: bytes) -> StoredSession | None:
        rows = self._rows(f"{_SESSIONS} AND digest = %s", digest)
        return self._sealed.session(rows[0]) if rows else None

    def session_and_facts(self, digest: bytes) -> tuple[StoredSession, TokenFacts | None] | None:
        rows = self._rows(_SESSION_AND_TOKEN, digest)
        return (self._sealed.session(rows[0][:5]), self._sealed.facts(rows[0][5:])) if rows else None

    def add_session(self, session: StoredSession, digest: bytes) -> None:
        self._change(_ADD_SESSION, self._ledger, *self._sealed.session_row(session, digest))

    def drop_session(self, digest: bytes) -> None:
        self._change(_DROP_SESSION, self._ledger, digest)

    def names_made_of(self, digest: bytes) -> int | None:
        rows = self._rows("SELECT number FROM trickledger.used_names WHERE ledger = %s AND digest = %s", digest)
        return rows[0][0] if rows else None

    def keep_name(self, digest: bytes, number: int) -> None:
        self._change(_KEEP_NAME, self._ledger, digest, number)

    def drop_sessions(self, ended_at: str, token: str, sessions_per_token: int) -> None:
        self._change(_DROP_ENDED, self._ledger, ended_at)
        self._change(_DROP_TOO_MANY, self._ledger, self._ledger, token, sessions_per_token)

    def close(self) -> None:
        if self._open is not None:
            connection, self._open = self._open, None
            with suppress(self._psycopg.Error):
                connection.close()

    def _one(self, sql: str, value: object) -> TokenFacts | None:
        rows = self._rows(sql, value)
        return self._sealed.facts(rows[0]) if rows else None

    def _rows(self, sql: str, *values: object) -> list[Any]:
        """Return the rows of a query about this ledger; outside a transaction a lost connection is replaced once."""
        for is_last in (False, True):
            connection = self._connection()
            try:
                return connection.execute(sql, (self._ledger, *values), binary=True).fetchall()
            except self._psycopg.Error as error:
                if self._is_changing:
                    raise  # `changing` reports it
                self._abandon(error)
                if is_last or not is_passing(error):
                    raise translated(error, self._where) from None
        raise AssertionError

    def _change(self, sql: str, *values: object) -> None:
        assert self._open is not None
        self._open.execute(sql, values)

    def _begin(self, timeout_s: float) -> psycopg.Connection[Any]:
        """Begin a transaction that holds the lock of this ledger, and read what others have changed."""
        for is_last in (False, True):
            connection = self._connection()
            try:
                if not self._has_key:
                    connection.execute(_MAKE, (self._ledger, new_key()))
                cursor = connection.execute(
                    "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;"
                    "SET LOCAL synchronous_commit = on;"
                    f"SET LOCAL idle_in_transaction_session_timeout = '{STALLED_S}s';"
                    f"SET LOCAL lock_timeout = {max(1, round(timeout_s * 1000))};"
                    f"SELECT key, newest FROM trickledger.access WHERE ledger = {self._ledger} FOR UPDATE"
                )
                while cursor.nextset():
                    pass
                ((key, newest),) = cursor.fetchall()
            except self._psycopg.Error as error:
                self._abandon(error)
                if is_last or not is_passing(error):
                    raise translated(error, self._where, timeout_s=timeout_s) from None
            else:
                if not self._has_key:
                    self._sealed.begin(key)
                    self._has_key = True
                self._newest = _in_utc(newest)
                return connection
        raise AssertionError

    def _abandon(self, error: psycopg.Error) -> None:
        """Roll back after an error; a connection that may be broken is closed, even if it does not know it yet."""
        if is_passing(error) or (self._open is not None and self._open.closed):
            self.close()
        else:
            self._roll_back()

    def _roll_back(self) -> None:
        with suppress(self._psycopg.Error):
            if self._open is not None:
                self._open.execute("ROLLBACK")

    def _damaged(self, why: Text) -> UnreadableError:
        """Return the error for an invalid row; the next call reads everything anew, as the owner may have mended it."""
        self.close()
        return UnreadableError("damaged", phrase("damaged_rows", file=self._where, why=why))

    def _connection(self) -> psycopg.Connection[Any]:
        """Return the open connection, or a new one after a loss; until the first token exists, look for it."""
        if self._open is not None and (self._has_key or self._is_changing):
            return self._open
        for is_new in (self._open is None, True):
            connection = self._open = self._connected() if is_new else self._open
            assert connection is not None
            try:
                self._read_all(connection)
            except self._psycopg.Error as error:
                self.close()
                if is_new or not is_passing(error):
                    raise translated(error, self._where) from None
            except LedgerError:
                self.close()
                raise
            else:
                return connection
        raise AssertionError

    def _connected(self) -> psycopg.Connection[Any]:
        """Return a new connection; after a failure, do not try again for a moment, as each try may take seconds."""
        if self._failed is not None and monotonic() - self._failed[0] < _RETRY_S:
            raise self._failed[1].with_traceback(None)
        try:
            connection, self._failed = connect(self._where), None
        except LedgerError as error:
            self._failed = monotonic(), error
            raise
        return connection

    def _read_all(self, connection: psycopg.Connection[Any]) -> None:
        """Read the ledger and its key. Raise `UnreadableError` if another program wrote a row that grants access."""
        row = connection.execute(_LEDGER, (self._where.name, self._ledger_id)).fetchone()
        if row is None:
            raise no_ledger(self._where)
        self._ledger, key, newest = row
        self._has_key, self._newest = key is not None, _in_utc(newest)
        self._sealed.begin(key or b"")
        for token in connection.execute(_TOKENS, (self._ledger,), binary=True):
            self._sealed.facts(token)
        for session in connection.execute(_SESSIONS, (self._ledger,), binary=True):
            self._sealed.session(session)


def _in_utc(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment.astimezone(UTC)
