"""Both stores of the package keep the contract of a log store."""

from __future__ import annotations

from pathlib import Path

from ledger.log import Clock, LogStore, MemoryStore, SqliteStore
from tests.contracts.log_store import AppendContract, DisplayNamesContract, GroupContract, ReadContract, RetryContract
from tests.contracts.log_store_imports import ImportContract
from tests.contracts.log_store_people import PeopleContract


class AllOfTheContract(
    AppendContract, GroupContract, RetryContract, ReadContract, ImportContract, DisplayNamesContract, PeopleContract
):
    pass


class TestSqlite(AllOfTheContract):
    def new_store(self, folder: Path, clock: Clock) -> LogStore:
        return SqliteStore.create(folder / "club.ledger", clock=clock)


class TestMemory(AllOfTheContract):
    def new_store(self, folder: Path, clock: Clock) -> LogStore:
        return MemoryStore(clock=clock)
