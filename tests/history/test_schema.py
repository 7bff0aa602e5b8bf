"""The tables of the read model are documented, and the rows made for them fit."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from ledger.history.rows import ROW_TYPES, HistoryRow
from ledger.history.schema import column_types, create_tables


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        create_tables(connection)
        yield connection


@pytest.mark.parametrize("kind", ROW_TYPES, ids=lambda kind: kind.TABLE)
def test_a_row_has_the_columns_of_its_table(connection: duckdb.DuckDBPyConnection, kind: type[HistoryRow]) -> None:
    assert list(column_types(connection)[kind.TABLE]) == list(kind.__struct_fields__)


def test_every_table_is_filled_or_is_meta(connection: duckdb.DuckDBPyConnection) -> None:
    assert set(column_types(connection)) == {"meta"} | {kind.TABLE for kind in ROW_TYPES}


def test_every_table_says_what_one_row_is(connection: duckdb.DuckDBPyConnection) -> None:
    for table, comment in connection.execute("SELECT table_name, comment FROM duckdb_tables()").fetchall():
        assert (comment or "").startswith(("One row", "The one row")), table


def test_every_column_says_what_it_means(connection: duckdb.DuckDBPyConnection) -> None:
    silent = "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal AND comment IS NULL"
    assert connection.execute(silent).fetchall() == []


def test_no_name_is_reserved_in_sql(connection: duckdb.DuckDBPyConnection) -> None:
    found = connection.execute(
        "SELECT column_name FROM duckdb_columns() JOIN duckdb_keywords() ON keyword_name IN (column_name, table_name)"
        " WHERE NOT internal AND keyword_category = 'reserved'"
    )
    assert found.fetchall() == []


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    # the published values of Wilson's interval at 95 %
    [
        (8, 10, 0.4902, 0.9433),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (1, 1, 0.2065, 1.0),
        (50, 100, 0.4038, 0.5962),
    ],
)
def test_wilson(connection: duckdb.DuckDBPyConnection, hits: int, trials: int, low: float, high: float) -> None:
    found = connection.execute("SELECT wilson_low($1, $2), wilson_high($1, $2)", [hits, trials]).fetchone()
    assert found == pytest.approx((low, high), abs=1e-4)


def test_wilson_of_nothing_is_not_known(connection: duckdb.DuckDBPyConnection) -> None:
    assert connection.execute("SELECT wilson_low(0, 0), wilson_high(0, 0)").fetchone() == (None, None)
