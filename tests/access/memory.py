"""The rows of an access store in memory."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from threading import RLock

from ledger.access.base import TokenFacts
from ledger.access.service import StoredSession, TokenRepository


class MemoryRepository(TokenRepository):
    """A `TokenRepository` in memory. No change fails halfway, so nothing is ever rolled back."""

    def __init__(self) -> None:
        self._turn = RLock()
        self._newest: datetime | None = None
        self._facts: dict[str, TokenFacts] = {}
        self._ids: dict[bytes, str] = {}
        self._sessions: dict[bytes, StoredSession] = {}
        self._names: dict[bytes, int] = {}

    def turn(self) -> AbstractContextManager[object]:
        return self._turn

    @contextmanager
    def changing(self, timeout_s: float) -> Iterator[None]:
        yield

    def newest(self, *, anew: bool = False) -> datetime | None:
        return self._newest

    def keep_newest(self, moment: datetime) -> None:
        self._newest = moment

    def all_facts(self) -> list[TokenFacts]:
        return list(self._facts.values())

    def facts_of(self, id: str) -> TokenFacts | None:
        return self._facts.get(id)

    def facts_by(self, digest: bytes) -> TokenFacts | None:
        id = self._ids.get(digest)
        return None if id is None else self._facts[id]

    def add_facts(self, facts: TokenFacts, digest: bytes) -> None:
        self._facts[facts.id] = facts
        self._ids[digest] = facts.id

    def change_facts(self, facts: TokenFacts) -> None:
        self._facts[facts.id] = facts

    def session_by(self, digest: bytes) -> StoredSession | None:
        return self._sessions.get(digest)

    def add_session(self, session: StoredSession, digest: bytes) -> None:
        self._sessions[digest] = session

    def drop_session(self, digest: bytes) -> None:
        del self._sessions[digest]

    def names_made_of(self, digest: bytes) -> int | None:
        return self._names.get(digest)

    def keep_name(self, digest: bytes, number: int) -> None:
        self._names[digest] = number

    def drop_sessions(self, ended_at: str, token: str, sessions_per_token: int) -> None:
        of_token = [digest for digest, session in self._sessions.items() if session.token == token]
        too_many = of_token[: max(len(of_token) - sessions_per_token, 0)]
        ended = [digest for digest, session in self._sessions.items() if session.ends_at <= ended_at]
        for digest in {*too_many, *ended}:
            del self._sessions[digest]

    def close(self) -> None:
        pass
