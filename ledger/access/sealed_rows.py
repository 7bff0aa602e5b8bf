"""The rows that grant access: their columns, the check of their seals, and a cache of their values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from msgspec import DecodeError, json

from ledger.access.base import TokenFacts
from ledger.access.catalogue import phrase
from ledger.access.service import StoredSession
from ledger.access.tokens import is_sealed, seal_of
from ledger.errors import UnreadableError
from ledger.i18n import Text

_READ_ROWS: Final = 1_000
"""The number of rows whose decoded values are cached; reading and checking one takes as long as everything else."""

Decoded = TypeVar("Decoded")

TokenRow = tuple[str, bytes, str, bytes]
"""Id, digest of the secret, facts as JSON, seal."""

SessionRow = tuple[bytes, str, str | None, str, bytes]
"""Digest of the secret, id of the token, name, end, seal."""


class SealedRows:
    """The values of rows, and the rows of values, under one key. `damaged`: make the error for an invalid row."""

    def __init__(self, damaged: Callable[[Text], UnreadableError]) -> None:
        self._damaged = damaged
        self._key = b""
        self._read: dict[tuple[Any, ...], Any] = {}  # decoded values of rows

    def begin(self, key: bytes) -> None:
        """Use this key, and check every row again."""
        self._key = key
        self._read.clear()

    def facts(self, row: TokenRow) -> TokenFacts:
        """Return the facts in a row. Raise `UnreadableError` if another program wrote it."""
        facts: TokenFacts | None = self._read.get(row)
        if facts is not None:
            return facts
        id, _, text, seal = row
        try:
            facts = json.decode(text, type=TokenFacts)
        except DecodeError:
            raise self._damaged(phrase("damage.facts")) from None
        if not is_sealed(seal, self._key, "tokens", *row[:-1]):
            raise self._damaged(phrase("damage.token_not_ours", text=id))
        return self._remember(row, facts)

    def session(self, row: SessionRow) -> StoredSession:
        """Return the session in a row. Raise `UnreadableError` if another program wrote it."""
        session: StoredSession | None = self._read.get(row)
        if session is not None:
            return session
        _, token, name, ends_at, seal = row
        if not is_sealed(seal, self._key, "sessions", *row[:-1]):
            raise self._damaged(phrase("damage.session_not_ours", text=token))
        return self._remember(row, StoredSession(token, name, ends_at))

    def token_row(self, facts: TokenFacts, digest: bytes) -> TokenRow:
        """Return the row of a token."""
        text = json.encode(facts).decode()
        return facts.id, digest, text, seal_of(self._key, "tokens", facts.id, digest, text)

    def session_row(self, session: StoredSession, digest: bytes) -> SessionRow:
        """Return the row of a session."""
        row = (digest, session.token, session.name, session.ends_at)
        return *row, seal_of(self._key, "sessions", *row)

    def _remember(self, row: tuple[Any, ...], decoded: Decoded) -> Decoded:
        if len(self._read) >= _READ_ROWS:
            self._read.clear()
        self._read[row] = decoded
        return decoded
