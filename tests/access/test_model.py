"""An access store under random use behaves like a plain dict, through any of its open files."""

import shutil
import tempfile
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ledger.access.base import Denial, Issued, NewCode, NewToken, OpenedSession, Session
from ledger.access.grants import ROLES, Grant, Role
from ledger.access.rules import SESSION_DAYS
from ledger.access.service import AccessStore
from ledger.access.sqlite import SqliteRepository
from ledger.errors import ConflictError, NotFoundError
from tests.access.memory import MemoryRepository
from tests.contracts.access_store import (
    EVENING,
    CodeContract,
    CountedRandomness,
    HandClock,
    SessionContract,
    TokenContract,
    moment,
)

IDS = st.sampled_from(["ann", "ben", "cleo"])
HOURS = st.integers(1, 1_000)


def opened_in(folder: Path, clock: HandClock, randomness: CountedRandomness) -> AccessStore:
    repository = SqliteRepository(folder / "club.ledger.access", "a-ledger")
    return AccessStore(repository, clock=clock, randomness=randomness, elapsed_s=clock.elapsed_s)


class AccessModel(RuleBasedStateMachine):
    """The model: issued tokens by id with their real expiry, and every session with its own."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.clock = HandClock()
        self.real = EVENING
        self.randomness = CountedRandomness()
        self.stores = [self.opened(), self.opened()]
        self.issued: dict[str, Issued] = {}
        self.ends: dict[str, datetime | None] = {}
        self.revoked: set[str] = set()
        self.sessions: list[tuple[OpenedSession, str, datetime]] = []
        self.closed: set[str] = set()
        self.writers: set[str] = set()

    def opened(self) -> AccessStore:
        return opened_in(self.folder, self.clock, self.randomness)

    def denial(self, id: str) -> Denial | None:
        if id in self.revoked:
            return "revoked"
        end = self.ends[id]
        return "expired" if end is not None and end <= self.real else None

    @rule(id=IDS, role=st.sampled_from(ROLES), hours=st.none() | HOURS, place=st.integers(0, 1))
    def add_token(self, id: str, role: Role, hours: int | None, place: int) -> None:
        end = None if hours is None else moment(self.clock, hours=hours)
        new = NewToken(id=id, role=role, expires_at=end)
        if id in self.issued:
            with pytest.raises(ConflictError):
                self.stores[place].add_token(new)
        else:
            self.issued[id] = self.stores[place].add_token(new)
            self.ends[id] = None if hours is None else self.real + timedelta(hours=hours)

    @rule(hours=HOURS, made_by=st.none() | IDS, place=st.integers(0, 1))
    def add_code(self, hours: int, made_by: str | None, place: int) -> None:
        new = NewCode(tables=("t",), role="recorder", until=moment(self.clock, hours=hours), made_by=made_by)
        if made_by is not None and (made_by not in self.issued or self.denial(made_by) is not None):
            with pytest.raises(NotFoundError):
                self.stores[place].add_code(new)
        else:
            issued = self.stores[place].add_code(new)
            assert issued.token.id not in self.issued
            self.issued[issued.token.id] = issued
            self.ends[issued.token.id] = self.real + timedelta(hours=hours)

    @precondition(lambda self: self.issued)
    @rule(data=st.data(), place=st.integers(0, 1))
    def revoke(self, data: st.DataObject, place: int) -> None:
        id = data.draw(st.sampled_from(sorted(self.issued)))
        self.stores[place].revoke(id)
        self.revoked |= {id} | {one.token.id for one in self.issued.values() if one.token.made_by == id}

    @precondition(lambda self: self.issued)
    @rule(data=st.data(), name=st.none() | st.sampled_from(["Zoë", "花子"]), place=st.integers(0, 1))
    def sign_in(self, data: st.DataObject, name: str | None, place: int) -> None:
        issued = self.issued[data.draw(st.sampled_from(sorted(self.issued)))]
        id, role = issued.token.id, issued.token.role
        access = self.stores[place]
        is_code = issued.token.kind == "code"
        answer = (
            access.redeem(issued.secret, name)
            if is_code
            else access.open_session(Grant(token=id, role=role, name=name))
        )
        if (denial := self.denial(id)) is not None:
            assert answer == denial
        else:
            assert isinstance(answer, OpenedSession)
            assert answer.session.grant.token == id
            if role != "viewer":
                assert answer.session.grant.recorded_by not in self.writers | set(self.issued) - {id if is_code else ""}
                self.writers.add(answer.session.grant.recorded_by)
            own = self.real + timedelta(days=SESSION_DAYS)
            end = self.ends[id]
            self.sessions.append((answer, id, own if end is None else min(own, end)))

    @precondition(lambda self: self.sessions)
    @rule(data=st.data(), place=st.integers(0, 1))
    def sign_out(self, data: st.DataObject, place: int) -> None:
        opened = data.draw(st.sampled_from(self.sessions))[0]
        self.stores[place].close_session(opened.secret)
        self.closed.add(opened.secret)

    @rule(hours=HOURS)
    def time_passes(self, hours: int) -> None:
        self.clock.let_pass(hours=hours)
        self.real += timedelta(hours=hours)

    @rule(place=st.integers(0, 1))
    def open_again(self, place: int) -> None:
        self.stores[place].close()
        self.stores[place] = self.opened()

    @invariant()
    def every_token_opens_what_it_should(self) -> None:
        for access in self.stores:
            for id, issued in self.issued.items():
                answer = access.grant_of(issued.secret)
                if issued.token.kind == "code":
                    assert answer == "unknown"
                elif (denial := self.denial(id)) is not None:
                    assert answer == denial
                else:
                    assert isinstance(answer, Grant)
                    assert (answer.token, answer.role) == (id, issued.token.role)

    @invariant()
    def every_session_lasts_as_long_as_it_should(self) -> None:
        for access in self.stores:
            for opened, id, end in self.sessions:
                answer = access.session_of(opened.secret)
                if opened.secret in self.closed:
                    assert answer == "unknown"
                elif self.denial(id) is None and end > self.real:
                    assert answer == opened.session
                else:  # one that has ended is forgotten when somebody signs in
                    assert answer in (self.denial(id) or "expired", "unknown")
                assert isinstance(answer, Session) == (
                    opened.secret not in self.closed and self.denial(id) is None and end > self.real
                )

    @invariant()
    def both_list_the_same(self) -> None:
        one, other = (access.tokens() for access in self.stores)
        assert one == other
        assert [facts.id for facts in one] == list(self.issued)
        assert {facts.id for facts in one if facts.revoked_at is not None} == self.revoked

    def teardown(self) -> None:
        if hasattr(self, "stores"):
            for access in self.stores:
                access.close()
            shutil.rmtree(self.folder)


AccessModel.TestCase.settings = settings(max_examples=max(1, settings().max_examples // 10), stateful_step_count=15)
TestAccessModel = AccessModel.TestCase


class TestInSqlite(TokenContract, SessionContract, CodeContract):
    def new_access(self, folder: Path, clock: HandClock) -> AccessStore:
        return opened_in(folder, clock, CountedRandomness())


class TestInMemory(TokenContract, SessionContract, CodeContract):
    def new_access(self, folder: Path, clock: HandClock) -> AccessStore:
        return AccessStore(MemoryRepository(), clock=clock, randomness=CountedRandomness(), elapsed_s=clock.elapsed_s)
