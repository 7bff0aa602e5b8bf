"""Questions in SQL read the history and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.errors import QueryError, UnreadableError
from ledger.history import History, catch_up, open_history
from ledger.log import MemoryStore
from tests.history.helpers import record, table_events


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = MemoryStore()
    record(store, "table/t", *table_events())
    path = tmp_path_factory.mktemp("history") / "h.duckdb"
    catch_up(store, path)
    return path


@pytest.fixture
def history(path: Path) -> Iterator[History]:
    with open_history(path) as history:
        yield history


def test_a_question_is_answered(history: History) -> None:
    answer = history.query("SELECT deal, count(*) AS cards FROM plays WHERE deal = 1 GROUP BY deal")
    assert (answer.columns, answer.types, answer.rows) == (["deal", "cards"], ["INTEGER", "BIGINT"], [(1, 27)])


@pytest.mark.parametrize(
    "sql",
    [
        "FROM deals",
        "DESCRIBE deals",
        "SUMMARIZE deals",
        "SHOW TABLES",
        "EXPLAIN SELECT 1",
        "WITH one AS (SELECT 1 AS x) FROM one",
        "SELECT wilson_low(1, 2)",
        "SELECT 1 -- a comment",
        "SELECT 1;",
        "FROM (PIVOT deals ON status IN ('complete', 'open') USING count(*))",
    ],
)
def test_reading_is_allowed(history: History, sql: str) -> None:
    assert history.query(sql).rows


def test_columns_of_the_same_name_are_told_apart(history: History) -> None:
    assert history.query("SELECT 1 AS x, 2 AS x, 3 AS x").columns == ["x", "x_2", "x_3"]


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM deals",
        "UPDATE meta SET digest = 'x'",
        "INSERT INTO players SELECT * FROM players",
        "DROP TABLE plays",
        "CREATE TABLE mine (x INTEGER)",
        "CREATE TEMP TABLE mine (x INTEGER)",
        "COPY deals TO '/tmp/deals.csv'",
        "EXPORT DATABASE '/tmp/all'",
        "ATTACH ':memory:' AS other",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "RESET threads",
        "PRAGMA database_list",
        "CALL pragma_version()",
        "BEGIN",
        "CHECKPOINT",
        "VACUUM",
        "PREPARE it AS SELECT 1",
        "USE temp",
    ],
)
def test_what_does_not_read_is_refused(history: History, sql: str) -> None:
    with pytest.raises(QueryError) as refused:
        history.query(sql)
    expected = "SELECT, FROM, DESCRIBE, SUMMARIZE or EXPLAIN"
    assert str(refused.value) == f"the read model can only be read: {sql!r}; expected {expected}"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM read_json('https://example.org/x.json')",
        "SELECT * FROM sniff_csv('/etc/passwd')",
        "SELECT getenv('HOME')",
        "EXPLAIN ANALYZE DELETE FROM deals",
        "WITH gone AS (DELETE FROM deals RETURNING *) FROM gone",
        "SELECT * FROM history",
    ],
)
def test_no_file_no_network_no_variable_and_no_way_round(history: History, sql: str) -> None:
    before = history.query("SELECT count(*) FROM deals").rows
    with pytest.raises(QueryError, match="the SQL cannot be answered"):
        history.query(sql)
    assert history.query("SELECT count(*) FROM deals").rows == before


@pytest.mark.parametrize("sql", ["", "SELECT 1; SELECT 2", "-- nothing"])
def test_one_question_at_a_time(history: History, sql: str) -> None:
    with pytest.raises(QueryError) as refused:
        history.query(sql)
    assert str(refused.value) == f"not one question: {sql!r}; expected one SQL statement"


def test_faulty_sql_is_explained(history: History) -> None:
    with pytest.raises(QueryError, match='Referenced column "winner" not found') as refused:
        history.query("SELECT winner FROM deals")
    assert str(refused.value).startswith("the SQL cannot be answered: Binder Error")


def test_times_with_a_zone_are_explained(history: History) -> None:
    with pytest.raises(QueryError, match=r"write CAST\(… AS TIMESTAMP\)"):
        history.query("SELECT now()")


def test_a_read_model_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="there is no read model at"), open_history(tmp_path / "none"):
        pass


def test_tables_are_described(history: History) -> None:
    described = {table.table: table for table in history.tables()}
    assert described["plays"].meaning == "One row for each card played"
    card = next(column for column in described["plays"].columns if column.name == "card")
    assert (card.type, card.meaning) == ("VARCHAR", "suit and rank, for example SA; ?? is a card that is not known")
