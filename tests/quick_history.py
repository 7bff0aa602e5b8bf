"""New read models as copies of an empty one, and one instance of DuckDB for all of them.

Tables and comments take most of the time of a small read model; only the seal could notice, as headers of copies are
alike. An instance takes 20 ms. The tests of the seal and the settings make each file and instance from the start.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from duckdb import DuckDBPyConnection

from ledger.history.model import catch_up, integrity
from ledger.history.model.card_facts import CardFact, card_facts
from ledger.history.model.database import opened_file
from ledger.history.model.projector import Task
from ledger.history.model.schema import HistoryHead, table_statements

_create_tables, _build_draft = catch_up.create_tables, catch_up._build_draft


@cache
def _empty(is_cut: bool, facts: tuple[CardFact, ...], statements: str) -> bytes:
    """Return the file of a read model without rows. `facts`, `statements`: all that its content depends on."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "empty.duckdb")
        with opened_file(path) as connection:
            _create_tables(connection, is_cut=is_cut)
            connection.execute("CHECKPOINT")
        return path.read_bytes()


def _written_from_empty(task: Task, draft: Path) -> HistoryHead:
    if draft.parent.is_dir():
        draft.write_bytes(_empty(task.cut is not None, card_facts(), table_statements()))
    return _build_draft(task, draft)


def _create_missing_tables(connection: DuckDBPyConnection, *, is_cut: bool = False) -> None:
    if not catch_up.has_tables(connection):
        _create_tables(connection, is_cut=is_cut)


class _Reading(ExitStack):
    """A connection of this process's instance; closing it detaches the file."""

    def __init__(self, path: Path, config: Mapping[str, bool], *, readonly: bool, wait_s: float) -> None:
        super().__init__()
        self._connection = self.enter_context(opened_file(path, readonly=readonly, wait_s=wait_s))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


@contextmanager
def copying_empty_ones() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catch_up, "_build_draft", _written_from_empty)
        patch.setattr(catch_up, "create_tables", _create_missing_tables)
        patch.setattr(integrity, "connect_patiently", _Reading)
        yield


@pytest.fixture(autouse=True, scope="module")
def quick_history() -> Iterator[None]:
    with copying_empty_ones():
        yield
