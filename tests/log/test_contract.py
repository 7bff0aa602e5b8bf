"""All stores of the package fulfil the contract of a log store."""

from pathlib import Path

import pytest

from ledger.log import Clock, LogStore, MemoryStore, SqliteStore, create_store
from tests.contracts.log_store import AppendContract, ReadContract
from tests.contracts.log_store_people import ImportContract, PeopleContract
from tests.postgres import PostgresServer


class AllOfTheContract(AppendContract, ReadContract, ImportContract, PeopleContract):
    pass


class TestSqlite(AllOfTheContract):
    def new_store(self, folder: Path, clock: Clock, *, handles: bool = False) -> LogStore:
        return SqliteStore.create(folder / "club.ledger", clock=clock, handles=handles)


class TestPostgres(AllOfTheContract):
    @pytest.fixture(autouse=True)
    def _postgres(self, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.server = postgres
        monkeypatch.setenv("TRICKLEDGER_HOME", str(tmp_path / "home"))

    def new_store(self, folder: Path, clock: Clock, *, handles: bool = False) -> LogStore:
        return create_store(self.server.address(), clock=clock, handles=handles)


class TestMemory(AllOfTheContract):
    def new_store(self, folder: Path, clock: Clock, *, handles: bool = False) -> LogStore:
        return MemoryStore(clock=clock, handles=handles)
