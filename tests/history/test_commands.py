"""The commands `stats` and `query`."""

from __future__ import annotations

import csv
import json
import shlex
import sys
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner, Result

from ledger.cli import main
from ledger.history import statistics
from ledger.log import SqliteStore
from tests.covering import covering
from tests.history.helpers import record, table_events

pytestmark = pytest.mark.usefixtures("quick_sandbox")


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("club") / "club.ledger"
    with SqliteStore.create(path) as store:
        for table in ("one", "two"):
            record(store, f"table/{table}", *table_events(table))
    return path


def run(ledger: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["--ledger", str(ledger), *arguments])


def answer(ledger: Path, *arguments: str) -> Any:
    return json.loads(run(ledger, *arguments, "--format", "json").stdout)


def test_stats_as_json_says_what_it_rests_on(ledger: Path) -> None:
    found = answer(ledger, "stats", "standings")
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


def test_stats_explains_rows_and_columns(ledger: Path) -> None:
    text = run(ledger, "stats", "contracts", "--explain").stdout
    statistic = statistics()["contracts"]
    assert text.startswith(f"{statistic.sentence}\n{statistic.row}\n")
    assert "share_won" in text
    assert "won of decided" in text
    assert text.endswith(
        "Filters: --player --game --since --until --session --option --place --weekday --season --season-from --by\n"
    )
    found = answer(ledger, "stats", "contracts", "--explain")
    assert [column["name"] for column in found["columns"]] == list(statistic.columns)
    assert run(ledger, "stats", "contracts", "--explain", "--format", "csv").stdout.startswith("column,meaning\n")


QUERY = "SELECT DISTINCT player, '♠' AS suit FROM seats ORDER BY ALL"


@pytest.mark.parametrize("form", ["text", "json", "csv"])
@pytest.mark.parametrize("asked", [("stats", "head-to-head"), ("query", QUERY)])
def test_an_answer_is_written_into_a_file_as_it_would_be_printed(
    ledger: Path, tmp_path: Path, asked: tuple[str, str], form: str
) -> None:
    printed = run(ledger, *asked, "--format", form).stdout
    written = run(ledger, *asked, "--format", form, "--output", str(tmp_path / "answer"))
    assert (written.exit_code, written.stdout) == (0, "")
    assert (tmp_path / "answer").read_text(encoding="utf-8") == printed != ""


@pytest.mark.parametrize("name", ["standings", "placings", "opening-leads", "findings", "ratings"])
def test_stats_as_parquet_has_rows_and_types(ledger: Path, tmp_path: Path, name: str) -> None:
    path = tmp_path / "answer.parquet"
    assert run(ledger, "stats", name, "--format", "parquet", "-o", str(path)).exit_code == 0
    with duckdb.connect() as connection:
        found = connection.read_parquet(str(path))
        rows = [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
        assert "VARCHAR" not in [str(kind) for column, kind in zip(found.columns, found.types, strict=True)
                                 if column in ("points", "deals", "low", "mean_low", "played_on")]  # fmt: skip
    told = answer(ledger, "stats", name)["rows"]
    assert json.loads(json.dumps(rows, default=str)) == told
    assert list(tmp_path.iterdir()) == [path]


def test_a_league_by_rules_in_a_file(ledger: Path, tmp_path: Path) -> None:
    path = tmp_path / "league.toml"
    path.write_text('title = "Spring"\npoints = [3, 1]\n', encoding="utf-8")
    found = answer(ledger, "stats", "league", "--rules", str(path))
    assert {row["season"] for row in found["rows"]} == {"Spring"}
    assert sum(row["points"] for row in found["rows"]) == 8  # two tables
    path.write_text('title = "Spring"\npoints = [3, "one"]\n', encoding="utf-8")
    refused = run(ledger, "stats", "league", "--rules", str(path))
    assert (refused.exit_code, refused.stdout) == (3, "")
    assert refused.stderr == f"trickledger: {path}: points[1]: not allowed, str: 'one'; expected int\n"


class _WithoutOpenskill(MetaPathFinder):
    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        if fullname.partition(".")[0] == "openskill":
            raise ModuleNotFoundError(name=fullname)


@pytest.mark.parametrize("name", ["ratings", "rating-history"])
def test_ratings_without_their_extra_say_how_it_is_installed(
    ledger: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "meta_path", [_WithoutOpenskill(), *sys.meta_path])
    for loaded in [module for module in sys.modules if module.partition(".")[0] == "openskill"]:
        monkeypatch.delitem(sys.modules, loaded)
    refused = run(ledger, "stats", name)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr == (
        "trickledger: this needs the package openskill, which is not installed: pip install 'trickledger[ratings]'\n"
    )
    assert run(ledger, "stats", "standings").exit_code == 0
    assert run(ledger, "stats", name, "--explain").exit_code == 0


def test_stats_filters(ledger: Path) -> None:
    assert run(ledger, "stats", "standings", "--until", "1900-01-01").stdout == "No deal fits.\n"
    found = answer(ledger, "stats", "standings", "--player", "Bob")
    assert [row["player"] for row in found["rows"]] == ["Bob"]


def test_who_has_fewer_deals_is_left_out(ledger: Path) -> None:
    assert run(ledger, "stats", "standings", "--min-deals", "7").stdout == "No deal fits.\n"
    assert run(ledger, "stats", "standings", "--min-deals", "6").stdout == run(ledger, "stats", "standings").stdout
    assert "--min-deals" in run(ledger, "stats", "head-to-head", "--explain").stdout


def seasons(ledger: Path, *words: str) -> set[str]:
    rows = answer(ledger, "stats", "season-standings", *words)["rows"]
    return {row["season"] for row in rows}


def test_seasons_of_a_club_begin_as_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        for table, day in (("spring", "2025-08-31"), ("autumn", "2025-09-01")):
            record(store, f"table/{table}", *table_events(table), happened_at=f"{day}T12:00:00.000000Z")
    assert seasons(store.path) == {"2025"}
    assert seasons(store.path, "--season-from", "09-01") == {"2024/25", "2025/26"}
    monkeypatch.setenv("TRICKLEDGER_SEASON_FROM", "08-31")
    assert seasons(store.path) == {"2025/26"}
    assert seasons(store.path, "--season-from", "01-01") == {"2025"}
    assert run(store.path, "stats", "standings").exit_code == 0


@pytest.mark.parametrize("day", ["02-29", "13-01", "9-1", "soon"])
def test_seasons_that_begin_on_no_day_of_the_year_are_refused(
    ledger: Path, monkeypatch: pytest.MonkeyPatch, day: str
) -> None:
    told = f"not allowed: '{day}'; expected MM-DD, a day that every year has, as 09-01"
    refused = run(ledger, "stats", "season-standings", "--season-from", day)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"--season-from: {told}" in refused.stderr
    monkeypatch.setenv("TRICKLEDGER_SEASON_FROM", day)
    refused = run(ledger, "stats", "season-standings")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"TRICKLEDGER_SEASON_FROM: {told}" in refused.stderr


def test_intervals_by_table_are_others(tmp_path: Path) -> None:
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        for number in range(5):
            record(store, f"table/t{number}", *table_events(f"t{number}", 6))

    def bounds(*words: str) -> list[tuple[float, float, float]]:
        rows = answer(store.path, "stats", "standings", *words)["rows"]
        return [(row["mean_low"], row["points_per_deal"], row["mean_high"]) for row in rows]

    by_deal, by_table = bounds(), bounds("--by", "table")
    assert [mean for _, mean, _ in by_deal] == [mean for _, mean, _ in by_table]
    assert all(low < mean < high for low, mean, high in by_deal + by_table)
    assert by_deal != by_table


UNKNOWN = {
    ("--player", "bob"): "there is no player bob; perhaps Bob",
    ("--player", "Xaver"): "there is no player Xaver; there is Ann, Bob, Cleo",
    ("--game", "Ombre"): "there is no game Ombre; perhaps ombre",
    ("--game", "whist"): "there is no game whist; there is baska, couillon, kop, ombre, quadrille",
    ("--session", "ghost"): "there is no session ghost; there is none yet",
}


@pytest.mark.parametrize(("words", "form"), covering(list(UNKNOWN), ["text", "json", "csv"]))
def test_a_filter_that_names_nothing_is_no_empty_answer(ledger: Path, words: tuple[str, str], form: str) -> None:
    refused = run(ledger, "stats", "standings", *words, "--format", form)
    assert (refused.exit_code, refused.stdout) == (2, "")
    told = json.loads(refused.stderr)["error"]["message"] if form == "json" else refused.stderr
    assert told == (UNKNOWN[words] if form == "json" else f"trickledger: {UNKNOWN[words]}\n")


def test_a_game_that_nobody_has_played_yet_is_an_empty_answer(ledger: Path) -> None:
    assert run(ledger, "stats", "standings", "--game", "kop").stdout == "No deal fits.\n"


def test_stats_sees_what_was_recorded_since(tmp_path: Path) -> None:
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        assert answer(store.path, "stats", "standings")["rows"] == []
        record(store, "table/t", *table_events())
        assert len(answer(store.path, "stats", "standings")["rows"]) == 3


def test_stats_lists_all_with_their_filters(ledger: Path) -> None:
    found = answer(ledger, "stats", "--list")
    assert [row["name"] for row in found] == list(statistics())
    assert "session" in found[0]["parameters"]
    assert run(ledger, "stats").stdout == run(ledger, "stats", "--list").stdout
    assert all(f"{name} " in run(ledger, "stats").stdout for name in statistics())


_WRONG_USE = Path(__file__).with_name("wrong_use.txt").read_text(encoding="utf-8").splitlines()[2:]
WRONG_USE = [line.rpartition(" | ")[::2] for line in _WRONG_USE]


@pytest.mark.parametrize(("words", "message"), WRONG_USE)
def test_wrong_use_is_explained_with_status_2(ledger: Path, words: str, message: str) -> None:
    result = run(ledger, *shlex.split(words))
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_a_missing_ledger_has_status_5(tmp_path: Path) -> None:
    assert run(tmp_path / "none", "stats", "standings").exit_code == 5
    assert list(tmp_path.iterdir()) == []


def test_query_as_json_has_rows_as_objects(ledger: Path) -> None:
    sql = (
        "SELECT DISTINCT game, played_on IS NULL AS undated, 1.5 AS ratio, sum(1)::HUGEINT AS many,"
        " 'nan'::DOUBLE AS nan, [1, 2] AS list, '{\"a\": 1}'::JSON AS facts, DATE '2026-01-05' AS day"
        " FROM tables GROUP BY ALL"
    )
    found = {"game": "ombre", "undated": False, "ratio": 1.5, "many": 2, "nan": None, "list": [1, 2], "facts": {"a": 1}}
    assert answer(ledger, "query", sql) == [found | {"day": "2026-01-05"}]
    assert answer(ledger, "query", "FROM deals WHERE false") == []


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
    found = answer(ledger, "query", "--list")
    assert {"name": "deal", "type": "INTEGER", "meaning": "the deal's number at its table"} in next(
        table["columns"] for table in found if table["table"] == "deals"
    )


def test_query_as_parquet_keeps_the_types_of_sql_but_for_json(ledger: Path, tmp_path: Path) -> None:
    sql = (
        "SELECT deal, played_on, outcome, 1.25::DECIMAL(9, 2) AS d, now() AS at, [outcome] AS several, deal AS deal"
        " FROM deals ORDER BY ALL; -- all"
    )
    assert run(ledger, "query", sql, "--format", "parquet", "-o", str(tmp_path / "a.parquet")).exit_code == 0
    printed = run(ledger, "query", sql, "--format", "parquet")
    (tmp_path / "b.parquet").write_bytes(printed.stdout_bytes)
    with duckdb.connect() as connection:
        for name in ("a", "b"):
            described = connection.execute(f"DESCRIBE FROM '{tmp_path}/{name}.parquet'").fetchall()
            assert [kind for _, kind, *_ in described] == [
                "INTEGER", "DATE", "VARCHAR", "DECIMAL(9,2)", "TIMESTAMP WITH TIME ZONE", "VARCHAR[]", "INTEGER",
            ]  # fmt: skip
            assert connection.execute(f"SELECT count(*) FROM '{tmp_path}/{name}.parquet'").fetchall() == [(6,)]


def test_a_parquet_answer_that_fails_writes_nothing(ledger: Path, tmp_path: Path) -> None:
    for sql in ("FROM plays", "FROM nothing", "COPY deals TO 'answer/x.csv'"):
        answered = run(ledger, "query", sql, "--format", "parquet", "--max-rows", "9", "-o", str(tmp_path / "a"))
        assert answered.exit_code == 2
        assert answered.stderr.startswith("trickledger: ")
    assert list(tmp_path.iterdir()) == []


def test_a_question_is_saved_once_it_is_answered_and_asked_by_its_name(tmp_path: Path) -> None:
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        record(store, "table/t", *table_events())
    first = run(store.path, "query", "--save", "per-deal", "SELECT deal FROM deals ORDER BY ALL")
    file = tmp_path / "club.ledger.queries" / "per-deal.sql"
    assert first.stderr == f"Saved as {file}; ask again: trickledger query per-deal\n"
    assert run(store.path, "query", "per-deal").stdout == first.stdout
    assert run(store.path, "query", "--list").stdout.endswith("Saved questions: per-deal\n")
    again = run(store.path, "query", "--save", "per-deal", "SELECT 1")
    assert again.exit_code == 4
    assert again.stderr == f"trickledger: {file} exists; edit it, remove it, or take another name\n"
    assert file.read_text(encoding="utf-8") == "SELECT deal FROM deals ORDER BY ALL\n"
    assert run(store.path, "query", "--save", "faulty", "FROM nothing").exit_code == 2
    assert [path.name for path in file.parent.iterdir()] == ["per-deal.sql"]


def test_export_as_parquet_makes_a_new_folder(ledger: Path, tmp_path: Path) -> None:
    made = run(ledger, "export", "--parquet", str(tmp_path / "all"))
    assert made.exit_code == 0
    assert made.stdout.startswith(f"{tmp_path / 'all'}: 24 tables, ")
    assert "\nAs of entry " in made.stdout
    assert (tmp_path / "all" / "plays").is_dir()
    assert run(ledger, "export", "--parquet", str(tmp_path / "all")).exit_code == 4
    with duckdb.connect() as connection:
        for table, column in {
            "deals": "outcome",
            "tables": "options",
            "entries": "event",
            "findings": "values",
        }.items():
            exported = connection.execute(
                f"SELECT typeof({column}), json_valid({column}) FROM '{tmp_path}/all/{table}/**/*.parquet'"
            ).fetchall()
            assert set(exported) <= {("VARCHAR", True)}, table
        assert connection.execute(f"SELECT count(*) FROM '{tmp_path}/all/deals/**/*.parquet'").fetchone() == (6,)
