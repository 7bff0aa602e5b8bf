"""Tokens, table codes and sessions of a ledger, over any repository of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from secrets import token_bytes
from time import monotonic
from types import TracebackType
from typing import Final, Protocol, Self

from msgspec import Struct, structs

from ledger import limits
from ledger.access.base import Denial, Issued, NewCode, NewToken, OpenedSession, Session, TokenFacts
from ledger.access.grants import Grant, recorded_as
from ledger.access.monotonic_clock import MonotonicClock
from ledger.access.rules import (
    checked_name,
    denial,
    grant_by,
    is_numbered,
    new_code_facts,
    new_token_facts,
    no_such_token,
    session_end,
)
from ledger.access.tokens import (
    Randomness,
    csrf_of,
    digest_of,
    is_code,
    is_session_secret,
    is_token,
    new_code,
    new_session_secret,
    new_token,
)
from ledger.errors import LedgerError
from ledger.log.append_rules import timestamp
from ledger.log.base import Clock, utc_now

SAVE_NEWEST_EVERY: Final = timedelta(minutes=1)
"""The interval at which the newest time is stored while nothing else is."""

AHEAD: Final = timedelta(minutes=5)
"""The lead over the machine's clock that is not reported: clocks are corrected by some seconds."""

LOCK_TIMEOUT_S: Final = 5.0
_NOTE_WAIT_S: Final = 0.05
"""The longest wait of a read for the lock that it needs to note the use of a token."""


class StoredSession(Struct, frozen=True):
    """The row of a signed-in browser. `token`: the id of the token or code that it signed in with."""

    token: str
    name: str | None
    ends_at: str


class TokenRepository(Protocol):
    """Rows by digest and id, without any rules. The changes within one `changing` are stored together or not at all."""

    def turn(self) -> AbstractContextManager[object]:
        """Return a lock that keeps other threads out."""
        ...

    def changing(self, timeout_s: float) -> AbstractContextManager[None]:
        """Return a transaction that waits up to `timeout_s` for its lock."""
        ...

    def newest(self, *, anew: bool = False) -> datetime | None:
        """Return the newest stored time. `anew`: read it from the file even if this process has not changed it."""
        ...

    def keep_newest(self, moment: datetime) -> None:
        """Store the newest time."""
        ...

    def all_facts(self) -> list[TokenFacts]:
        """Return the facts of all tokens and codes, oldest first."""
        ...

    def facts_of(self, id: str) -> TokenFacts | None:
        """Return the facts of the token or code with this id."""
        ...

    def facts_by(self, digest: bytes) -> TokenFacts | None:
        """Return the facts of the token or code whose secret has this digest."""
        ...

    def add_facts(self, facts: TokenFacts, digest: bytes) -> None:
        """Add a token or code."""
        ...

    def change_facts(self, facts: TokenFacts) -> None:
        """Replace the facts of a token or code."""
        ...

    def session_by(self, digest: bytes) -> StoredSession | None:
        """Return the session whose secret has this digest."""
        ...

    def session_and_facts(self, digest: bytes) -> tuple[StoredSession, TokenFacts | None] | None:
        """Return the session whose secret has this digest, with the facts of its token."""
        session = self.session_by(digest)
        return None if session is None else (session, self.facts_of(session.token))

    def add_session(self, session: StoredSession, digest: bytes) -> None:
        """Add a session."""
        ...

    def drop_session(self, digest: bytes) -> None:
        """Delete a session."""
        ...

    def names_made_of(self, digest: bytes) -> int | None:
        """Return the highest number given to this name; None if the name was never used."""
        ...

    def keep_name(self, digest: bytes, number: int) -> None:
        """Store the highest number given to a name."""
        ...

    def drop_sessions(self, ended_at: str, token: str, sessions_per_token: int) -> None:
        """Delete the sessions that have ended, and all but the newest `sessions_per_token` of a token."""
        ...

    def close(self) -> None:
        """Close the file."""
        ...


class AccessStore:
    """The tokens, codes and sessions of one ledger. Changes by one process are visible to all others at their next
    call.

    Secrets are untrusted text: any text is accepted as input, and none appears in an error.
    """

    def __init__(
        self,
        repository: TokenRepository,
        clock: Clock = utc_now,
        randomness: Randomness = token_bytes,
        elapsed_s: Callable[[], float] = monotonic,
    ) -> None:
        self._repository = repository
        self._clock = MonotonicClock(clock, elapsed_s)
        self._randomness = randomness
        self._may_note_from: datetime | None = None

    def add_token(self, new: NewToken) -> Issued:
        """Issue a token.

        Raise `MalformedError` for rights that no token can have, `ConflictError` for an id that was used before.
        """
        with self._changing() as now:
            facts = new_token_facts(
                new, now, {known.id for known in self._repository.all_facts()}, machine=self._clock.machine()
            )
            return self._issued(facts, new_token)

    def add_code(self, new: NewCode) -> Issued:
        """Issue a table code.

        Raise as `add_token`, and `NotFoundError` where the token in `made_by` is not valid.
        """
        with self._changing() as now:
            facts = new_code_facts(new, now, self._repository.all_facts(), machine=self._clock.machine())
            return self._issued(facts, new_code)

    def _issued(self, facts: TokenFacts, make: Callable[[Randomness], str]) -> Issued:
        secret = make(self._randomness)
        while self._repository.facts_by(digest_of(secret)) is not None:  # random codes may collide
            secret = make(self._randomness)
        self._repository.add_facts(facts, digest_of(secret))
        return Issued(secret=secret, token=facts)

    def tokens(self) -> list[TokenFacts]:
        """Return all tokens and codes ever issued, oldest first."""
        with self._repository.turn():
            return self._repository.all_facts()

    def revoke(self, id: str) -> TokenFacts:
        """Revoke a token or code, its sessions and the codes made with it; what has ended before stays unchanged.

        Raise `NotFoundError` for an unknown id.
        """
        with self._changing() as now:
            known = self._repository.all_facts()
            if not any(facts.id == id for facts in known):
                raise no_such_token(id, {facts.id for facts in known})
            for facts in known:
                if id in (facts.id, facts.made_by) and facts.revoked_at is None:
                    self._repository.change_facts(structs.replace(facts, revoked_at=timestamp(now)))
            (revoked,) = (facts for facts in self._repository.all_facts() if facts.id == id)
            return revoked

    def grant_of(self, token: str) -> Grant | Denial:
        """Return the rights of a token, or why it is rejected."""
        with self._repository.turn():
            facts = self._valid(self._repository.facts_by(digest_of(token)) if is_token(token) else None)
            return grant_by(facts) if isinstance(facts, TokenFacts) else facts

    def redeem(self, code: str, name: str | None, before: str | None = None) -> OpenedSession | Denial:
        """Sign a browser in by a table code.

        No two sessions that may record share a recorder: a name used before with this token gets a number (`Ada 2`),
        and so does a browser without a name where the token's id alone is taken. `before`: the secret of the browser's
        previous session; if it has the same token and name, that session ends and its name is kept. Raise
        `MalformedError` for an invalid name.
        """
        return self._opened(lambda: self._repository.facts_by(digest_of(code)) if is_code(code) else None, name, before)

    def open_session(self, grant: Grant, before: str | None = None) -> OpenedSession | Denial:
        """Sign a browser in by a token, under the grant's name; otherwise as `redeem`.

        The session has the rights of the token, now and later, whatever the grant contains.
        """
        return self._opened(lambda: self._repository.facts_of(grant.token), grant.name, before)

    def _opened(
        self, look_up: Callable[[], TokenFacts | None], name: str | None, before: str | None
    ) -> OpenedSession | Denial:
        checked = checked_name(name)
        with self._repository.turn():
            if not isinstance(refused := self._valid(look_up()), TokenFacts):
                return refused  # a guess must not take the write lock
        with self._changing() as now:
            facts = self._valid(look_up())
            if not isinstance(facts, TokenFacts):
                return facts
            secret = new_session_secret(self._randomness)
            stored = StoredSession(facts.id, self._own_name(facts, checked, before), session_end(facts, now))
            self._repository.drop_sessions(timestamp(now), facts.id, limits.SESSIONS_PER_TOKEN - 1)
            self._repository.add_session(stored, digest_of(secret))
            return OpenedSession(secret=secret, session=_session(secret, stored, facts))

    def _own_name(self, facts: TokenFacts, typed: str | None, before: str | None) -> str | None:
        """Return the name of a new session: that of its previous session, else one that nobody ever recorded by.

        Clients that may not record keep the name they typed.
        """
        if not grant_by(facts).is_writer:
            return typed
        base = facts.id if typed is None else typed
        if before is not None and is_session_secret(before):
            old = self._repository.session_by(digest_of(before))
            if old is not None and old.token == facts.id and is_numbered(old.name or old.token, base):
                self._repository.drop_session(digest_of(before))
                return old.name
        digest = digest_of(recorded_as(facts.id, base))
        number = self._repository.names_made_of(digest)
        if number is None and (typed is not None or facts.kind == "code"):
            self._repository.keep_name(digest, 1)
            return typed
        number = (number or 1) + 1
        while self._repository.names_made_of(own := digest_of(recorded_as(facts.id, f"{base} {number}"))) is not None:
            number += 1
        self._repository.keep_name(digest, number)
        self._repository.keep_name(own, 1)
        return f"{base} {number}"

    def session_of(self, secret: str) -> Session | Denial:
        """Return the session of a secret, or why it is rejected."""
        with self._repository.turn():
            both = self._repository.session_and_facts(digest_of(secret)) if is_session_secret(secret) else None
            if both is None:
                return "unknown"
            stored, facts = both[0], self._valid(both[1])
            if not isinstance(facts, TokenFacts):
                return facts
            is_on = stored.ends_at > timestamp(self._now()) or stored.ends_at > timestamp(self._now(anew=True))
            return _session(secret, stored, facts) if is_on else "expired"

    def close_session(self, secret: str) -> None:
        """End a session, if it exists."""
        with self._repository.turn():
            if not is_session_secret(secret) or self._repository.session_by(digest_of(secret)) is None:
                return
        with self._changing():
            self._repository.drop_session(digest_of(secret))

    def clock_ahead(self) -> str | None:
        """Return the time that expiry is counted from where it is well ahead of the machine's clock, else None."""
        with self._repository.turn():
            newest = self._repository.newest(anew=True)
            is_ahead = newest is not None and newest - self._clock.machine() > AHEAD
            return timestamp(newest) if newest is not None and is_ahead else None

    def reset_clock(self) -> str:
        """Count expiry by the machine's clock again, though it showed a later time before; return the time.

        Tokens, codes and sessions that end later than that and were not revoked become valid again.
        """
        with self._repository.turn(), self._repository.changing(LOCK_TIMEOUT_S):
            now = self._clock.machine()
            day = now.date().isoformat()
            for facts in self._repository.all_facts():
                if facts.last_used_on is not None and facts.last_used_on > day:
                    self._repository.change_facts(structs.replace(facts, last_used_on=day))
            self._repository.keep_newest(now)
            return timestamp(now)

    def close(self) -> None:
        """Close the repository."""
        with self._repository.turn():
            self._repository.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _now(self, *, anew: bool = False) -> datetime:
        return self._clock.now(self._repository.newest(anew=anew))

    @contextmanager
    def _changing(self, timeout_s: float = LOCK_TIMEOUT_S) -> Iterator[datetime]:
        """Open a transaction; yield its time, which is stored with it."""
        with self._repository.turn(), self._repository.changing(timeout_s):
            now = self._now()
            yield now
            self._repository.keep_newest(now)

    def _valid(self, facts: TokenFacts | None) -> TokenFacts | Denial:
        """Return the token or code and note its use if it is valid, else why it is rejected."""
        if facts is None:
            return "unknown"
        now = self._now()
        if denial(facts, now) == "expired":
            now = self._now(anew=True)  # somebody may have reset the clock
        denied = denial(facts, now)
        if denied is not None:
            return denied
        self._note_use(facts, now)
        return facts

    def _note_use(self, facts: TokenFacts, now: datetime) -> None:
        """Store the day of use, and the newest time at intervals. Failures are ignored: the read is answered all the
        same.
        """
        day, newest = now.date().isoformat(), self._repository.newest()
        is_noted = facts.last_used_on is not None and facts.last_used_on >= day
        if is_noted and newest is not None and now - newest < SAVE_NEWEST_EVERY:
            return
        if self._may_note_from is not None and now < self._may_note_from <= now + SAVE_NEWEST_EVERY:
            return
        try:
            with self._changing(_NOTE_WAIT_S):
                current = self._repository.facts_of(facts.id)
                if current is not None and not is_noted:
                    self._repository.change_facts(structs.replace(current, last_used_on=day))
        except LedgerError:
            self._may_note_from = now + SAVE_NEWEST_EVERY


def _session(secret: str, stored: StoredSession, facts: TokenFacts) -> Session:
    return Session(grant=grant_by(facts, stored.name), csrf=csrf_of(secret), ends_at=stored.ends_at)
