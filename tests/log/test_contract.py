"""Both stores of the package keep the contract of a log store."""

from pathlib import Path

from ledger.log import Clock, LogStore, MemoryStore, SqliteStore
from tests.contracts.log_store import (
    AppendContract,
    DisplayNamesContract,
    GroupContract,
    LogStoreContract,
    ReadContract,
    RetryContract,
)
from tests.contracts.log_store_imports import ImportContract
from tests.contracts.log_store_people import PeopleContract


class InSqlite(LogStoreContract):
    def new_store(self, folder: Path, clock: Clock) -> LogStore:
        return SqliteStore.create(folder / "club.ledger", clock=clock)


class InMemory(LogStoreContract):
    def new_store(self, folder: Path, clock: Clock) -> LogStore:
        return MemoryStore(clock=clock)


class TestAppendToSqlite(InSqlite, AppendContract):
    pass


class TestAppendToMemory(InMemory, AppendContract):
    pass


class TestGroupsToSqlite(InSqlite, GroupContract):
    pass


class TestGroupsToMemory(InMemory, GroupContract):
    pass


class TestRetryInSqlite(InSqlite, RetryContract):
    pass


class TestRetryInMemory(InMemory, RetryContract):
    pass


class TestReadFromSqlite(InSqlite, ReadContract):
    pass


class TestReadFromMemory(InMemory, ReadContract):
    pass


class TestImportIntoSqlite(InSqlite, ImportContract):
    pass


class TestImportIntoMemory(InMemory, ImportContract):
    pass


class TestDisplayNamesInSqlite(InSqlite, DisplayNamesContract):
    pass


class TestDisplayNamesInMemory(InMemory, DisplayNamesContract):
    pass


class TestPeopleInSqlite(InSqlite, PeopleContract):
    pass


class TestPeopleInMemory(InMemory, PeopleContract):
    pass
