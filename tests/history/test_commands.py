"""The commands `stats` and `query`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner, Result

from ledger.cli import main
from ledger.history import default_history_path, statistics
from ledger.log import SqliteStore
from tests.history.helpers import record, table_events


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("club") / "club.ledger"
    with SqliteStore.create(path) as store:
        for table in ("one", "two"):
            record(store, f"table/{table}", *table_events(table))
    return path


def run(ledger: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["--ledger", str(ledger), *arguments])


def test_stats_as_json_says_what_it_rests_on(ledger: Path) -> None:
    found = json.loads(run(ledger, "stats", "standings", "--format", "json").stdout)
    assert list(found) == ["name", "position", "digest", "rows"]
    with SqliteStore.open(ledger) as store:
        assert (found["position"], found["digest"]) == (store.head().position, store.head().digest.hex())
    assert list(found["rows"][0]) == list(statistics()["standings"].columns)


def test_stats_as_text_and_csv(ledger: Path) -> None:
    text = run(ledger, "stats", "standings").stdout
    assert text.splitlines()[0].split() == list(statistics()["standings"].columns)
    assert "As of entry" in text
    rows = list(csv.DictReader(run(ledger, "stats", "standings", "--format", "csv").stdout.splitlines()))
    assert {row["player"] for row in rows} == {"Ann", "Bob", "Cleo"}


def test_stats_filters(ledger: Path) -> None:
    assert run(ledger, "stats", "standings", "--until", "1900-01-01").stdout == "No deal fits.\n"
    found = json.loads(run(ledger, "stats", "standings", "--player", "Bob", "--format", "json").stdout)
    assert [row["player"] for row in found["rows"]] == ["Bob"]


def test_stats_sees_what_was_recorded_since(tmp_path: Path) -> None:
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        assert json.loads(run(store.path, "stats", "standings", "--format", "json").stdout)["rows"] == []
        record(store, "table/t", *table_events())
        assert len(json.loads(run(store.path, "stats", "standings", "--format", "json").stdout)["rows"]) == 3


@pytest.mark.parametrize("question", [["stats", "standings"], ["query", "SELECT count(*) FROM deals"]])
def test_a_spoilt_read_model_is_made_anew_on_request(tmp_path: Path, question: list[str]) -> None:
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        record(store, "table/t", *table_events())
    right = run(store.path, *question).stdout
    with duckdb.connect(default_history_path(store.path)) as connection:
        connection.execute("DELETE FROM points; DELETE FROM deals")
    assert run(store.path, *question).stdout != right
    assert run(store.path, *question, "--rebuild").stdout == right


def test_stats_lists_all_with_their_filters(ledger: Path) -> None:
    found = json.loads(run(ledger, "stats", "--list", "--format", "json").stdout)
    assert [row["name"] for row in found] == list(statistics())
    assert "session" in found[0]["parameters"]
    assert run(ledger, "stats").stdout == run(ledger, "stats", "--list").stdout
    assert all(f"{name} " in run(ledger, "stats").stdout for name in statistics())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["stats", "medals"], "trickledger: there is no statistic medals; there are bez, called-kings, "),
        (["stats", "--list", "standings"], "Error: --list stands alone: trickledger stats --list"),
        (["stats", "--explain"], "Error: Name the statistic to explain: trickledger stats standings --explain"),
        (["stats", "standings", "--format", "parquet"], "Error: Parquet goes to a file: trickledger stats NAME"),
        (["stats", "league"], "trickledger: league needs rules: a file that says how places count"),
        (["stats", "standings", "--since", "spring"], "'spring' does not match the format '%Y-%m-%d'"),
        (["query"], 'Ask a question in SQL, or say --list. Example: trickledger query "FROM deals LIMIT 5"'),
        (["query", "FROM deals", "--list"], "Ask a question in SQL, or say --list."),
        (["query", "SELEC 1"], 'Error: the SQL cannot be answered: Parser Error: syntax error at or near "SELEC"'),
        (["query", "DROP TABLE deals"], "Error: the read model can only be read: 'DROP TABLE deals'"),
    ],
)
def test_wrong_use_is_explained_with_status_2(ledger: Path, arguments: list[str], message: str) -> None:
    result = run(ledger, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_a_missing_ledger_has_status_5(tmp_path: Path) -> None:
    assert run(tmp_path / "none", "stats", "standings").exit_code == 5
    assert list(tmp_path.iterdir()) == []


def test_query_as_json_is_a_list_of_objects(ledger: Path) -> None:
    sql = (
        "SELECT DISTINCT game, played_on IS NULL AS undated, 1.5 AS ratio, sum(1)::HUGEINT AS many,"
        " 'nan'::DOUBLE AS nan, [1, 2] AS list, '{\"a\": 1}'::JSON AS facts, DATE '2026-01-05' AS day"
        " FROM tables GROUP BY ALL"
    )
    assert json.loads(run(ledger, "query", sql, "--format", "json").stdout) == [
        {
            "game": "ombre",
            "undated": False,
            "ratio": 1.5,
            "many": 2,
            "nan": None,
            "list": [1, 2],
            "facts": {"a": 1},
            "day": "2026-01-05",
        }
    ]
    assert json.loads(run(ledger, "query", "FROM deals WHERE false", "--format", "json").stdout) == []


def test_query_as_csv_and_text(ledger: Path) -> None:
    sql = "SELECT table_name, NULL AS nothing, 'a,b' AS text, true AS yes FROM tables ORDER BY ALL"
    assert run(ledger, "query", sql, "--format", "csv").stdout == (
        'table_name,nothing,text,yes\none,,"a,b",true\ntwo,,"a,b",true\n'
    )
    lines = run(ledger, "query", sql).stdout.splitlines()
    assert [line.split() for line in lines] == [
        ["table_name", "nothing", "text", "yes"],
        ["one", "–", "a,b", "true"],
        ["two", "–", "a,b", "true"],
    ]


def test_query_lists_tables_with_their_meaning(ledger: Path) -> None:
    text = run(ledger, "query", "--list").stdout
    assert "plays: One row for each card played" in text
    found = json.loads(run(ledger, "query", "--list", "--format", "json").stdout)
    assert {"name": "deal", "type": "INTEGER", "meaning": "the deal's number at its table"} in next(
        table["columns"] for table in found if table["table"] == "deals"
    )
