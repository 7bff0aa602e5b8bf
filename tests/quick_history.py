"""A new read model begins as a copy of an empty one: its tables and comments take most of the time of a small one.

Only the seal can tell: headers of copies are alike. Its tests make each file from the start.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from duckdb import DuckDBPyConnection

from ledger.history.model import projector
from ledger.history.model.card_facts import CardFact, card_facts
from ledger.history.model.schema import table_statements

_create_tables, _written_anew = projector.create_tables, projector._written_anew


@cache
def _empty(is_cut: bool, facts: tuple[CardFact, ...], statements: str) -> bytes:
    """Return the file of a read model without a row.

    `facts`: what it says of the cards of all games; `statements`: the SQL of all its tables.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder, "empty.duckdb")
        with closing(projector.connect(path, projector.NO_EXTENSIONS)) as connection:
            _create_tables(connection, is_cut=is_cut)
            connection.execute("CHECKPOINT")
        return path.read_bytes()


def _written_from_empty(store: Any, path: Path, draft: Path, tell: Any, workers: int, cut: Any, *more: Any) -> Any:
    if draft.parent.is_dir():
        draft.write_bytes(_empty(cut is not None, card_facts(), table_statements()))
    return _written_anew(store, path, draft, tell, workers, cut, *more)


def _create_missing_tables(connection: DuckDBPyConnection, *, is_cut: bool = False) -> None:
    if not projector.has_tables(connection):
        _create_tables(connection, is_cut=is_cut)


@pytest.fixture(autouse=True, scope="module")
def quick_history() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(projector, "_written_anew", _written_from_empty)
        patch.setattr(projector, "create_tables", _create_missing_tables)
        yield
