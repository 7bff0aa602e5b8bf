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
def history(path: Path, quick_sandbox: None) -> Iterator[History]:
    with open_history(path) as history:
        yield history


def test_a_question_is_answered(history: History) -> None:
    answer = history.query("SELECT deal, count(*) AS cards FROM plays WHERE deal = 1 GROUP BY deal")
    assert (answer.columns, answer.types, answer.rows) == (["deal", "cards"], ["INTEGER", "BIGINT"], [(1, 27)])


READING = [
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
]


def test_reading_is_allowed(history: History) -> None:
    assert [sql for sql in READING if not history.query(sql).rows] == []


def test_columns_of_the_same_name_are_told_apart(history: History) -> None:
    assert history.query("SELECT 1 AS x, 2 AS x, 3 AS x").columns == ["x", "x_2", "x_3"]


def test_faulty_sql_is_explained(history: History) -> None:
    with pytest.raises(QueryError, match='Referenced column "winner" not found') as refused:
        history.query("SELECT deal,\n  winner FROM deals")
    assert str(refused.value).startswith("the SQL cannot be answered: Binder Error")
    assert str(refused.value).endswith("(at 'winner FROM deals')")


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
