"""The commands `stats` and `query`: `commands.txt` has them with their output, comparisons are here."""

import csv
import json
import shlex
import sys
from importlib.abc import MetaPathFinder
from pathlib import Path

import duckdb
import pytest

from ledger import extras
from ledger.errors import LedgerError
from ledger.history import statistics
from ledger.history.questions.saved import SavedQuestions
from ledger.log import SqliteStore
from tests.cli.commands import CommandLine, empty_ledger
from tests.cli.transcripts import Transcript, play, transcripts
from tests.history.helpers import ledger_at, record, table_events

pytestmark = pytest.mark.usefixtures("quick_sandbox")


def two_tables(cli: CommandLine) -> None:
    ledger_at(cli.ledger, "one", "two")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    return CommandLine(tmp_path_factory.mktemp("club")).made_by(two_tables)


LEDGERS = {"two_tables": two_tables, "empty_ledger": empty_ledger}
TRANSCRIPTS = list(transcripts(Path(__file__).with_name("commands.txt")))


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda transcript: transcript.name)
def test_transcripts_of_stats_and_sql(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, transcript: Transcript) -> None:
    monkeypatch.chdir(tmp_path)
    cli = CommandLine(tmp_path).made_by(LEDGERS[transcript.ledger])
    cli.ledger = Path("club.ledger")
    play(cli, transcript)


def test_stats_as_json_says_what_it_rests_on(club: CommandLine) -> None:
    answer = club.json("stats", "standings")
    assert list(answer) == ["name", "position", "digest", "rows"]
    with SqliteStore(club.ledger) as store:
        assert (answer["position"], answer["digest"]) == (store.head().position, store.head().digest.hex())
    assert list(answer["rows"][0]) == list(statistics()["standings"].columns)


def test_stats_as_text_and_csv(club: CommandLine) -> None:
    text = club.ok("stats", "standings")
    assert text.splitlines()[0].split() == list(statistics()["standings"].columns)
    assert "As of entry" in text
    rows = list(csv.DictReader(club.ok("stats", "standings", "--format", "csv").splitlines()))
    assert {row["player"] for row in rows} == {"Ann", "Bob", "Cleo"}


def test_stats_explains_rows_and_columns(club: CommandLine) -> None:
    statistic = statistics()["contracts"]
    assert club.ok("stats", "contracts", "--explain").startswith(f"{statistic.sentence}\n{statistic.row}\n")
    explanation = club.json("stats", "contracts", "--explain")
    assert [column["name"] for column in explanation["columns"]] == list(statistic.columns)


QUERY = "SELECT DISTINCT player, '♠' AS suit FROM seats ORDER BY ALL"


@pytest.mark.parametrize("form", ["text", "json", "csv"])
@pytest.mark.parametrize("command", [("stats", "head-to-head"), ("query", QUERY)])
def test_a_file_has_the_printed_answer(club: CommandLine, tmp_path: Path, command: tuple[str, str], form: str) -> None:
    printed = club.ok(*command, "--format", form)
    assert club.ok(*command, "--format", form, "--output", tmp_path / "answer") == ""
    assert (tmp_path / "answer").read_text(encoding="utf-8") == printed != ""


@pytest.mark.parametrize("name", ["standings", "placings", "opening-leads", "findings", "ratings"])
def test_stats_as_parquet_has_rows_and_types(club: CommandLine, tmp_path: Path, name: str) -> None:
    path = tmp_path / "answer.parquet"
    club.ok("stats", name, "--format", "parquet", "-o", path)
    with duckdb.connect() as connection:
        relation = connection.read_parquet(str(path))
        rows = [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]
        assert "VARCHAR" not in [str(kind) for column, kind in zip(relation.columns, relation.types, strict=True)
                                 if column in ("points", "deals", "low", "mean_low", "played_on")]  # fmt: skip
    as_json = club.json("stats", name)["rows"]
    assert json.loads(json.dumps(rows, default=str)) == as_json
    assert list(tmp_path.iterdir()) == [path]


class _WithoutOpenskill(MetaPathFinder):
    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        if fullname.partition(".")[0] == "openskill":
            raise ModuleNotFoundError(name=fullname)


@pytest.mark.parametrize("name", ["ratings", "rating-history"])
def test_ratings_without_their_extra_name_it(club: CommandLine, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", [_WithoutOpenskill(), *sys.meta_path])
    monkeypatch.setattr(extras, "this_installation", extras.Installation)
    for loaded in [module for module in sys.modules if module.partition(".")[0] == "openskill"]:
        monkeypatch.delitem(sys.modules, loaded)
    assert club.refused(2, "stats", name) == (
        "trickledger: this needs the package openskill, which is not installed: pip install 'trickledger[ratings]'\n"
    )
    club.ok("stats", "standings")
    club.ok("stats", name, "--explain")


def seasons(club: CommandLine, *words: str) -> set[str]:
    rows = club.json("stats", "season-standings", *words)["rows"]
    return {row["season"] for row in rows}


def test_seasons_of_a_club_begin_as_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = CommandLine(tmp_path)
    with SqliteStore.create(club.ledger) as store:
        for table, day in (("spring", "2025-08-31"), ("autumn", "2025-09-01")):
            record(store, f"table/{table}", *table_events(table), happened_at=f"{day}T12:00:00.000000Z")
    assert seasons(club) == {"2025"}
    assert seasons(club, "--season-from", "09-01") == {"2024/25", "2025/26"}
    monkeypatch.setenv("TRICKLEDGER_SEASON_FROM", "08-31")
    assert seasons(club) == {"2025/26"}
    assert seasons(club, "--season-from", "01-01") == {"2025"}
    club.ok("stats", "standings")


def test_a_season_that_begins_on_no_real_day_is_refused(club: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRICKLEDGER_SEASON_FROM", "02-29")
    message = "TRICKLEDGER_SEASON_FROM: not allowed: '02-29'; expected MM-DD, a day that every year has, e.g. 09-01"
    assert message in club.refused(2, "stats", "season-standings")


def test_stats_lists_all_with_their_filters(club: CommandLine) -> None:
    assert [row["name"] for row in club.json("stats", "--list")] == list(statistics())
    text = club.ok("stats")
    assert all(f"{name} " in text for name in statistics())


_WRONG_USE = Path(__file__).with_name("wrong_use.txt").read_text(encoding="utf-8").splitlines()[2:]
WRONG_USE = [line.rpartition(" | ")[::2] for line in _WRONG_USE]


@pytest.mark.parametrize(("words", "message"), WRONG_USE)
def test_wrong_use_is_explained_with_status_2_before_anything_is_written(
    club: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in club.refused(2, *shlex.split(words))
    assert list(tmp_path.iterdir()) == []


def test_query_as_parquet_keeps_the_types_of_sql_but_for_json(club: CommandLine, tmp_path: Path) -> None:
    sql = (
        "SELECT deal, played_on, outcome, 1.25::DECIMAL(9, 2) AS d, now() AS at, [outcome] AS several, deal AS deal"
        " FROM deals ORDER BY ALL; -- all"
    )
    club.ok("query", sql, "--format", "parquet", "-o", tmp_path / "a.parquet")
    printed = club.run("query", sql, "--format", "parquet")
    (tmp_path / "b.parquet").write_bytes(printed.stdout_bytes)
    with duckdb.connect() as connection:
        for name in ("a", "b"):
            described = connection.execute(f"DESCRIBE FROM '{tmp_path}/{name}.parquet'").fetchall()
            assert [kind for _, kind, *_ in described] == [
                "INTEGER", "DATE", "VARCHAR", "DECIMAL(9,2)", "TIMESTAMP WITH TIME ZONE", "VARCHAR[]", "INTEGER",
            ]  # fmt: skip
            assert connection.execute(f"SELECT count(*) FROM '{tmp_path}/{name}.parquet'").fetchall() == [(6,)]


def test_a_parquet_answer_that_fails_writes_nothing(club: CommandLine, tmp_path: Path) -> None:
    for sql in ("FROM plays", "FROM nothing", "COPY deals TO 'answer/x.csv'"):
        refused = club.refused(2, "query", sql, "--format", "parquet", "--max-rows", "9", "-o", tmp_path / "a")
        assert refused.startswith("trickledger: ")
    assert list(tmp_path.iterdir()) == []


def test_export_as_parquet_makes_a_new_folder(club: CommandLine, tmp_path: Path) -> None:
    made = club.ok("export", "--parquet", tmp_path / "all")
    assert made.startswith(f"{tmp_path / 'all'}: 24 tables, ")
    assert "\nAs of entry " in made
    club.refused(4, "export", "--parquet", tmp_path / "all")
    json_columns = {"deals": "outcome", "tables": "options", "entries": "event", "findings": "values"}
    with duckdb.connect() as connection:
        for table, column in json_columns.items():
            exported = connection.execute(
                f"SELECT typeof({column}), json_valid({column}) FROM '{tmp_path}/all/{table}/**/*.parquet'"
            ).fetchall()
            assert set(exported) <= {("VARCHAR", True)}, table
        assert connection.execute(f"SELECT count(*) FROM '{tmp_path}/all/deals/**/*.parquet'").fetchone() == (6,)


def test_a_query_that_is_not_there_or_cannot_be_saved_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved, of_no_folder = (SavedQuestions(tmp_path / name / "club.ledger") for name in ("", "gone"))
    saved.save("one", "SELECT 1")
    (saved.folder / "odd.sql").write_bytes(b"\xff")
    monkeypatch.setattr(SavedQuestions, "refuse_taken", lambda *_: None)  # as if another program wrote just then
    for act, said in {
        lambda: saved.sql("odd"): "odd.sql is not UTF-8",
        lambda: saved.remove("two"): "there is no saved query two",
        lambda: saved.save("one", "SELECT 2"): "one.sql exists",
        lambda: of_no_folder.save("one", "SELECT 1"): "No such file or directory",
    }.items():
        with pytest.raises(LedgerError, match=said):
            act()
