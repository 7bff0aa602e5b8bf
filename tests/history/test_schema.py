"""The tables of the read model are documented, and the rows made for them fit."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from ledger.history.model import schema
from ledger.history.model.projections import row_types
from ledger.history.model.schema import column_types, create_tables, schema_version, sql
from tools.reference import PAGE, tables_of_schema, with_reference


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    nothing = tmp_path_factory.mktemp("documents") / "none.ndjson"
    nothing.touch()
    with duckdb.connect() as connection:
        create_tables(connection)
        connection.execute(sql("deal_documents.sql"), {"files": [str(nothing)]})
        yield connection


def test_a_row_has_the_columns_of_its_table(connection: duckdb.DuckDBPyConnection) -> None:
    columns = {kind.TABLE: list(column_types(connection, kind.TABLE)) for kind in row_types()}
    assert columns == {kind.TABLE: list(kind.__struct_encode_fields__) for kind in row_types()}


def test_every_table_and_view_says_what_one_row_is(connection: duckdb.DuckDBPyConnection) -> None:
    described = (
        "SELECT table_name, comment FROM duckdb_tables() WHERE NOT temporary"
        " UNION ALL SELECT view_name, comment FROM duckdb_views() WHERE NOT internal"
    )
    for table, comment in connection.execute(described).fetchall():
        assert (comment or "").startswith(("One row", "The one row")), table


def test_a_key_has_the_same_type_everywhere(connection: duckdb.DuckDBPyConnection) -> None:
    keys = ["table_name", "deal", "session", "seat", "player", "version"]
    counted = "SELECT column_name, count(DISTINCT data_type) FROM duckdb_columns() WHERE column_name IN $1 GROUP BY ALL"
    assert dict(connection.execute(counted, [keys]).fetchall()) == dict.fromkeys(keys, 1)


def test_every_column_says_what_it_means(connection: duckdb.DuckDBPyConnection) -> None:
    silent = (
        "SELECT table_name, column_name FROM duckdb_columns()"
        " WHERE NOT internal AND database_name <> 'temp' AND comment IS NULL"
    )
    assert connection.execute(silent).fetchall() == []


@pytest.mark.parametrize("changed", ["schema/functions.sql", "en.toml"])
def test_another_schema_and_other_words_are_another_make(monkeypatch: pytest.MonkeyPatch, changed: str) -> None:
    read, make = schema._read, schema_version()
    monkeypatch.setattr(schema, "_read", lambda *path: read(*path) + ("\n" if path[-1] == changed else ""))
    assert schema_version.__wrapped__() != make


def test_the_reference_is_that_of_the_schema() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_reference(page, tables_of_schema()), "write it anew: make reference"


def test_no_name_is_reserved_in_sql(connection: duckdb.DuckDBPyConnection) -> None:
    reserved = connection.execute(
        "SELECT column_name FROM duckdb_columns() JOIN duckdb_keywords() ON keyword_name IN (column_name, table_name)"
        " WHERE NOT internal AND keyword_category = 'reserved'"
    )
    assert reserved.fetchall() == []


WILSON = [
    (8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (1, 1, 0.2065, 1.0),
    (50, 100, 0.4038, 0.5962), (0, 5, 0.0, 0.4345), (5, 5, 0.5655, 1.0),
]  # fmt: skip
"""Hits, trials, and the published values of Wilson's interval at 95 %."""


@pytest.mark.parametrize(("hits", "trials", "low", "high"), WILSON)
def test_wilson(connection: duckdb.DuckDBPyConnection, hits: int, trials: int, low: float, high: float) -> None:
    bounds = connection.execute("SELECT wilson_low($1, $2), wilson_high($1, $2)", [hits, trials]).fetchone()
    assert bounds == pytest.approx((low, high), abs=1e-4)


def test_wilson_of_nothing_is_not_known(connection: duckdb.DuckDBPyConnection) -> None:
    assert connection.execute("SELECT wilson_low(0, 0), wilson_high(0, 0)").fetchone() == (None, None)
