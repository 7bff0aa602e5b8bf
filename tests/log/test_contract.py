"""Both stores of the package fulfil the contract of a log store."""

from pathlib import Path

from ledger.log import Clock, LogStore, MemoryStore, SqliteStore
from tests.contracts.log_store import AppendContract, ReadContract
from tests.contracts.log_store_people import ImportContract, PeopleContract


class AllOfTheContract(AppendContract, ReadContract, ImportContract, PeopleContract):
    pass


class TestSqlite(AllOfTheContract):
    def new_store(self, folder: Path, clock: Clock) -> LogStore:
        return SqliteStore.create(folder / "club.ledger", clock=clock)


class TestMemory(AllOfTheContract):
    def new_store(self, folder: Path, clock: Clock) -> LogStore:
        return MemoryStore(clock=clock)
