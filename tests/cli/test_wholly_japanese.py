"""`--lang ja`: every command over recorded tables of all games answers without a word of English."""

import json
import re
from html import unescape
from itertools import groupby
from pathlib import Path
from typing import Final

import pytest

from ledger import api
from ledger.cli.output import show
from ledger.games import registered_games
from ledger.history import LeagueRules, statistics
from ledger.plots.figures import plots
from ledger.text.history import json_rows, statistic_text
from tests.cli.commands import RECORDS, REVOKE, CommandLine
from tests.cli.japanese import CODES, LETTERS, english_in, without
from tests.covering import IS_SOAK

pytestmark = [pytest.mark.usefixtures("quick_plots"), *([pytest.mark.soak] if IS_SOAK else [])]
"""A soak run repeats these with more records, steps or examples."""


@pytest.fixture(scope="module")
def written(full: CommandLine) -> re.Pattern[str]:
    """Return a pattern of texts that people wrote in the record, and the codes in rules and of findings."""
    texts = set()
    for line in full.ok("export").splitlines():
        entry = json.loads(line)
        texts |= {text for text in strings(entry) if LETTERS.search(text)}
    for game in registered_games():
        texts |= set(QUOTED.findall(api.rulebooks("ja")[game].text))
    for answer in full.run("audit", "--all", "--format", "json").stdout.splitlines():
        texts |= {finding["code"] for finding in json.loads(answer)["findings"]}
    groups = groupby(sorted(texts, key=lambda text: (text[:1], -len(text))), key=lambda text: text[:1])
    # One branch per first letter; one per text would be ten times as slow.
    branches = (f"{re.escape(first)}(?:{'|'.join(re.escape(text[1:]) for text in group)})" for first, group in groups)
    return re.compile(rf"(?<![A-Za-z_])(?:{'|'.join(branches)})(?![A-Za-z_])")


QUOTED: Final = re.compile(r"`[^`\n]*`|\b[SHDC][AKQJT]\b|\bmod\b", re.ASCII)
"""A code, a card or an operator in the text of a rulebook."""

PROSE: Final = frozenset(("text", "reason", "title", "club", "place", "player", "players", "recorded_by"))
"""The fields of an entry that hold a name or a text."""


def strings(value: object, field: str = "") -> list[str]:
    if isinstance(value, dict):
        return [text for key, item in value.items() for text in strings(item, key)]
    if isinstance(value, list):
        return [text for item in value for text in strings(item, field)]
    return [value] if isinstance(value, str) and field in PROSE else []


IN_JAPANESE: Final = Path(__file__).with_name("shown_in_japanese.txt").read_text(encoding="utf-8")
COMMANDS: Final = IN_JAPANESE.replace("REVOKE", str(REVOKE)).replace("ANOTHER", str(RECORDS[0])).splitlines()


@pytest.mark.parametrize("words", [line for line in COMMANDS if line and not line.startswith("#")])
def test_no_word_of_english_is_in_an_answer(full: CommandLine, written: re.Pattern[str], words: str) -> None:
    answer = full.run(*words.split(), lang="ja").stdout
    assert answer
    assert english_in(answer, written)[:10] == []


def test_every_state_of_every_game_is_in_japanese(full: CommandLine, written: re.Pattern[str]) -> None:
    for game in registered_games():
        slug = next(row["table"] for row in full.json("tables") if row["game"] == game and row["deals"])
        for step in (0, 1, 3, 6, 9, 14, 20):
            answer = full.run("replay", slug, "--deal", 1, "--step", step, lang="ja")
            assert answer.exit_code == 0 or step > 1, f"{slug} has no step {step}"
            assert english_in(answer.stdout, written) == []


@pytest.fixture(scope="module")
def signed(full: CommandLine) -> list[str]:
    """Return the output of making the club's key and of signing the ledger with it."""
    made = full.ok("checkpoint", "--make-key", "倶楽部", lang="ja").splitlines()[0]  # then the key
    return [made, full.ok("checkpoint", lang="ja").splitlines()[1]]  # without the first line, which has the root


def test_what_is_written_to_files_is_in_japanese(
    full: CommandLine, signed: list[str], written: re.Pattern[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    empty = CommandLine(tmp_path / "empty")
    lines = [
        *signed,
        full.ok("receipt", "ombre-revoke", "--deal", 1, lang="ja"),
        full.ok("verify", "--consistent-with", full.folder / "club.checkpoint", lang="ja"),
        full.ok("backup", tmp_path / "copy.ledger", lang="ja"),
        full.ok("--ledger", tmp_path / "again.ledger", "restore", tmp_path / "copy.ledger", lang="ja"),
        empty.ok("init", lang="ja"),
        empty.ok("tables", lang="ja"),
        empty.ok("players", lang="ja"),
        empty.ok("import", RECORDS[0], lang="ja"),
        full.ok("export", "--parquet", tmp_path / "parquet", lang="ja"),
        full.ok("plot", "standings", "-o", "standings.svg", lang="ja"),
        full.ok("stats", "standings", "--since", "1900-01-01", "--until", "1900-01-02", lang="ja"),
    ]
    for answer in lines:
        assert english_in(answer, written) == []


@pytest.mark.usefixtures("signed")
def test_a_receipt_is_in_japanese(full: CommandLine, written: re.Pattern[str], tmp_path: Path) -> None:
    for row in full.json("tables"):
        if row["deals"] and row["table"].endswith(("revoke", "-01", "stop", "53")):
            file = tmp_path / f"{row['table']}.receipt"
            full.ok("receipt", row["table"], "--deal", 1, "-o", file)
            answer = full.ok("verify", "--receipt", file, "--key", full.folder / "club.pub", lang="ja")
            assert english_in(answer, written) == []


def test_pages_are_in_japanese(full: CommandLine, written: re.Pattern[str], tmp_path: Path) -> None:
    full.ok("dispute", "ombre-revoke", "--case-sheet", 39, "-o", tmp_path / "case.html", lang="ja")
    full.ok("report", "ombre-examples", "-o", tmp_path / "evening.html", lang="ja")
    for page in ("case.html", "evening.html"):
        content = (tmp_path / page).read_text(encoding="utf-8")
        shown = re.sub(r"<style>.*?</style>|<svg.*?</svg>|<[^>]*>", " ", content, flags=re.DOTALL)
        assert english_in(unescape(shown), written) == []


@pytest.mark.parametrize("command", ["stats", "plot"])
def test_what_can_be_queried_is_in_japanese(full: CommandLine, written: re.Pattern[str], command: str) -> None:
    answer = full.ok(command, "--list", lang="ja")
    assert english_in(without(answer, CODES | {*statistics(), *plots()}), written) == []
    lines = [row["sentence"] for row in full.json(command, "--list", lang="ja")]
    assert lines and all(sentence in answer for sentence in lines)


def test_every_statistic_is_explained_in_japanese(full: CommandLine, written: re.Pattern[str]) -> None:
    for name, statistic in statistics().items():
        answer = full.ok("stats", name, "--explain", lang="ja")
        names = CODES | {name, "ratings", "standings", "table-points", "min_tables"} | set(statistic.columns)
        assert english_in(without(answer, names), written) == [], name
        lines = full.json("stats", name, "--explain", lang="ja")
        assert all(column["meaning"] in answer for column in lines["columns"]), name


def test_japanese_statistics(full: CommandLine, written: re.Pattern[str], capsys: pytest.CaptureFixture[str]) -> None:
    with api.open_history(full.ledger) as history:
        for name, statistic in list(statistics().items())[:: 1 if IS_SOAK else 3]:
            rules = LeagueRules(title="春", points=(3, 1)) if "rules" in statistic.parameters else None
            computed = api.stats(history, name, api.Filters(rules=rules))
            show(statistic_text(computed, {}, "ja"))
            recorded = {value for row in json_rows(computed.answer) for value in row.values() if isinstance(value, str)}
            assert english_in(without(capsys.readouterr().out, recorded), written) == [], name


def test_the_tables_of_a_query_are_in_japanese(full: CommandLine, written: re.Pattern[str]) -> None:
    answer = full.ok("query", "--list", lang="ja")
    tables = full.json("query", "--list", lang="ja")
    names = {name for table in tables for name in (table["table"], *(one["name"] for one in table["columns"]))}
    types = {word for table in tables for one in table["columns"] for word in re.findall(r"\w+", one["type"])}
    examples = {"card_played", "audit", "score", "ID", "pool", "REMISE", "new_trumps", "couillon-D-mit", "kop-jacks"}
    examples |= {"dealt", "drawn", "played", "put_aside", "kept", "trickledger players link"}
    assert english_in(without(answer, CODES | names | types | examples), written) == []
