"""The words of statistics, plots and tables exist once; tables are documented, and the rows made for them fit."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import duckdb
import pytest

from ledger.errors import LedgerError
from ledger.history import FILTERS, Filters, check_parameters, plot_queries, statistic_named, statistics
from ledger.history.model import schema
from ledger.history.model.projections import row_types
from ledger.history.model.schema import column_types, create_tables, schema_version, sql
from ledger.history.questions.history import with_meanings
from ledger.history.questions.selections import check_selections
from ledger.i18n import LANGUAGES, catalogue
from ledger.plots.export import FORMS, form_of
from ledger.plots.figures import plot_named, plots
from tools.reference import tables_of_schema

QUESTIONS = catalogue("ledger.history.questions", "en")
TABLES = catalogue("ledger.history.model", "en")


def keys_of_columns(words: Mapping[str, str], table: str, columns: Iterable[str], *, head: str = "") -> set[str]:
    """Return the keys of a table's columns."""
    own = {column: f"{table}.{head}{column}" for column in columns}
    common = head.rstrip("_") or "column"
    return {key if key in words else f"{common}.{column}" for column, key in own.items()}


def repeated(words: Mapping[str, str]) -> list[str]:
    """Return the keys whose text repeats that of all columns with the name."""
    parts = [(key, *key.split(".")) for key in words]
    return [key for key, table, name in parts if table != "column" and words[key] == words.get(f"column.{name}")]


def test_every_statistic_and_plot_has_its_words() -> None:
    used: set[str] = set()
    for name, statistic in statistics().items():
        used |= {f"{name}.sentence", f"{name}.row"}
        used |= keys_of_columns(QUESTIONS, name, statistic.columns) | keys_of_columns(
            QUESTIONS, name, statistic.columns, head="head_"
        )
    for name in plot_queries():
        used |= {f"plot-{name}.sentence", f"plot-{name}.row"}
    used |= {f"note.{note}" for note in ("by", "min_deals", "matches", "rulings", "intervals")}
    assert used == set(QUESTIONS)
    assert repeated(QUESTIONS) == []


def test_every_table_and_column_has_its_words_and_no_word_is_left_over() -> None:
    used: set[str] = set()
    for table in tables_of_schema():
        used |= {f"{table.table}.row"} | keys_of_columns(TABLES, table.table, (column.name for column in table.columns))
        units = {f"unit.{unit}" for column in table.columns for unit in (column.name, column.type.lower())}
        used |= units & set(TABLES)
    assert used | {f"partition.{name}" for name in ("club", "game", "part", "year")} == set(TABLES)
    assert repeated(TABLES) == []


def test_a_new_read_model_has_its_english_words_as_comments() -> None:
    tables = tables_of_schema()
    assert [with_meanings(table, "en") for table in tables] == tables
    said = {column.meaning for table in tables for column in table.columns}
    carried_over = 'what is carried over after the last deal, for example {"pool": 5}'
    assert {"the deal's number at its table", carried_over} <= said


def test_english_heads_are_the_names_of_the_columns() -> None:
    assert all(column == head for one in statistics().values() for column, head in one.heads.items())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_two_columns_of_a_statistic_have_the_same_head(lang: str) -> None:
    for statistic in statistics(lang).values():
        assert len(set(statistic.heads.values())) == len(statistic.heads), statistic.name


def _standings(**given: Any) -> None:
    check_selections(statistics()["standings"], Filters(**given))


NO_DAY = "season_from: not allowed: '02-30'; expected MM-DD, a day that every year has, e.g. 09-01"
NO_FORM = f"the ending of evening.docx names no known format; use a file that ends in {', '.join(FORMS)}"


@pytest.mark.parametrize(("refused", "message", "names"), [
    (lambda: statistic_named("medals"), f"there is no statistic medals; there are {', '.join(statistics())}",
     {"medals", *statistics()}),
    (lambda: _standings(compare={"colour": "red"}),
     f"standings has no filter colour; its filters are {', '.join(FILTERS)}, seat, min_deals, by",
     {"colour", "standings", *FILTERS, "seat", "min_deals", "by"}),
    (lambda: _standings(season_from="02-30"), NO_DAY, {"season_from", "02-30", "MM-DD"}),
    (lambda: check_parameters(statistics()["league"], Filters()),
     "league needs rules: a file with the rules of the league",
     {"league", "rules"}),
    (lambda: plot_named("medals"), f"there is no plot medals; there are {', '.join(plots())}", {"medals", *plots()}),
    (lambda: form_of("evening.docx"), NO_FORM, {"evening.docx", *FORMS}),
])  # fmt: skip
def test_a_refusal_names_known_values_in_japanese(refused: Callable[[], object], message: str, names: set[str]) -> None:
    with pytest.raises(LedgerError) as error:
        refused()
    assert str(error.value) == message
    said = error.value.message("ja")
    for name in sorted(names, key=len, reverse=True):
        said = said.replace(name, "")
    assert said and not re.search(r"[A-Za-z]{2,}", said)


@pytest.mark.parametrize(
    ("lang", "warning"), [("en", "about one misses the true value"), ("ja", "およそ一つは真の値を外します")]
)
def test_every_statistic_with_intervals_warns_of_many_side_by_side(lang: str, warning: str) -> None:
    for statistic in statistics(lang).values():
        has_intervals = any(column == "low" or column.endswith("_low") for column in statistic.columns)
        assert (warning in statistic.row) is has_intervals


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
