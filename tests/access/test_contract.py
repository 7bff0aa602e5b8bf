"""Both repositories of the package fulfil the contract of an access store."""

from __future__ import annotations

from pathlib import Path

from ledger.access.service import AccessStore
from ledger.access.sqlite import SqliteRepository
from tests.access.memory import MemoryRepository
from tests.contracts.access_store import (
    AccessStoreContract,
    CodeContract,
    CountedRandomness,
    HandClock,
    SessionContract,
    TokenContract,
)


class InSqlite(AccessStoreContract):
    def new_access(self, folder: Path, clock: HandClock) -> AccessStore:
        path = folder / "club.ledger.access"
        return AccessStore(
            SqliteRepository(path, "a-ledger"), clock=clock, randomness=CountedRandomness(), elapsed_s=clock.elapsed_s
        )


class InMemory(AccessStoreContract):
    def new_access(self, folder: Path, clock: HandClock) -> AccessStore:
        return AccessStore(MemoryRepository(), clock=clock, randomness=CountedRandomness(), elapsed_s=clock.elapsed_s)


class TestTokensInSqlite(InSqlite, TokenContract):
    pass


class TestTokensInMemory(InMemory, TokenContract):
    pass


class TestSessionsInSqlite(InSqlite, SessionContract):
    pass


class TestSessionsInMemory(InMemory, SessionContract):
    pass


class TestCodesInSqlite(InSqlite, CodeContract):
    pass


class TestCodesInMemory(InMemory, CodeContract):
    pass
