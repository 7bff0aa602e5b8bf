"""A new read model is the same whether its tables are made or copied from those that were made before."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from ledger.history.model import empty
from ledger.history.model.empty import new_read_model
from tests.history.helpers import table_rows

TOLD = (
    "SELECT table_name, sql, comment FROM duckdb_tables() ORDER BY ALL",
    "SELECT table_name, column_name, data_type, comment FROM duckdb_columns() ORDER BY ALL",
    "SELECT view_name, sql, comment FROM duckdb_views() WHERE NOT internal ORDER BY ALL",
    "SELECT function_name, macro_definition, comment FROM duckdb_functions() WHERE NOT internal ORDER BY ALL",
)


@pytest.fixture(autouse=True)
def new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """None has been made before."""
    monkeypatch.setattr(empty, "_made", set())
    monkeypatch.setattr(empty, "_empty", {})


def made(path: Path, *, is_cut: bool) -> tuple[object, ...]:
    with new_read_model(path, is_cut=is_cut):
        pass
    with duckdb.connect(path, read_only=True) as connection:
        return *(connection.execute(sql).fetchall() for sql in TOLD), table_rows(path)


@pytest.mark.parametrize("is_cut", [False, True])
def test_each_that_a_process_makes_is_like_the_first(tmp_path: Path, is_cut: bool) -> None:
    first, second, third = (made(tmp_path / name, is_cut=is_cut) for name in ("a", "b", "c"))
    assert len(empty._empty) == 1, "nothing was copied"
    assert first == second == third
    assert made(tmp_path / "d", is_cut=not is_cut) != first


def test_where_a_copy_has_no_room_it_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (made(tmp_path / name, is_cut=True) for name in ("a", "b"))

    def written_in_part(path: Path, content: bytes) -> int:
        with path.open("wb") as file:
            file.write(content[:5000])
        raise OSError("no room")

    monkeypatch.setattr(Path, "write_bytes", written_in_part)
    assert made(tmp_path / "c", is_cut=True) == first == second
