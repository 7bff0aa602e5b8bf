"""`--lang ja`: every command over recorded tables of all games answers without a word of English."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html import unescape
from pathlib import Path
from typing import Final

import pytest

from ledger import api
from ledger.cli.commands import SUMMARIES
from ledger.cli.output import show
from ledger.games import registered_games
from ledger.history import LeagueRules, statistics
from ledger.history.questions.statistics import FILTERS
from ledger.i18n import LANGUAGES
from ledger.plots.figures import plots
from ledger.text.questions import statistic_text
from ledger.text.rows import json_rows
from tests.cli.commands import REVOKE, ROOT, CommandLine

RECORDS: Final = sorted((ROOT / "replays").rglob("*.toml"))

STAYS: Final = re.compile(
    r"""
      [\w.-]+[.](?:html|svg|ledger|key|pub|checkpoint|receipt|parquet|toml)\b
    | \+[0-9a-f]{8}\b                                    # ids of keys
    | \b(?:table/|session/)?[a-z0-9]+(?:-[a-z0-9]+)+\b   # slugs of tables, sessions and statistics; files made of them
    | \b[A-Z]{3}-[0-9]+[.][0-9]+\b                       # ids of rules
    | --[a-z-]+                                          # options
    | \$\s.*                                             # a command as it is typed
    | trickledger(?:\ [a-z]+)?                           # the program with its command
    | \b[0-9a-f]{12,64}\b                                # digests
    | \b[0-9-]{10}T[0-9:.]+Z\b                           # moments
    | \S*/\S*                                            # paths
    | \b(?:Tab|SHOW\ TABLES|Ctrl-D|SQL|UTC|IANA|pip\ install)\b
    """,
    re.VERBOSE,
)
"""What is no word of a language: names, ids, codes and what somebody types."""

LETTERS: Final = re.compile(r"[A-Za-z]{2,}")
CARDS: Final = re.compile(r"[♠♥♦♣] ?(?:[AKQJ0-9]+ ?)+")


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A ledger with every recorded table, and one that holds a dispute, a ruling and a correction."""
    cli = CommandLine(tmp_path_factory.mktemp("japanese"))
    cli.ok("init")
    cli.ok("import", *RECORDS)
    cli.ok("dispute", "ombre-revoke", "争いの本文", "--deal", 1, "--step", 24, "--player", "Belinda", "--by", "記録者")
    fine = ("--deltas", "Belinda +10, Baron -10", "--rule", "6.5", "--by", "記録者")
    cli.ok("ruling", "ombre-revoke", "adjust", "裁定の本文", "--deal", 1, *fine)
    cli.ok(
        "correct", "ombre-revoke", "replace", "D4", "--deal", 1, "--step", 24, "--reason", "読み違い", "--by", "記録者"
    )
    rights = ("--table", "ombre-revoke", "--seat", 1, "--hands", "--may-open")
    cli.ok("token", "add", "table-3", "--role", "recorder", *rights, "--expires", "90d")
    cli.ok("token", "add", "friends-of-ours", "--role", "director")
    cli.ok("token", "code", "--table", "ombre-revoke", "--until", "4h")
    return cli


@pytest.fixture(scope="module")
def written(full: CommandLine) -> re.Pattern[str]:
    """What people wrote in the record (names and texts), the texts of rules, and the codes of findings."""
    texts = set()
    for line in full.ok("export").splitlines():
        entry = json.loads(line)
        texts |= {text for text in strings(entry) if LETTERS.search(text)}
    for game in registered_games().values():
        texts |= {rule["text"] for rule in full.json("rules", game.name)}
    for answer in full.run("audit", "--all", "--format", "json").stdout.splitlines():
        texts |= {finding["code"] for finding in json.loads(answer)["findings"]}
    longest_first = sorted(texts, key=len, reverse=True)
    return re.compile(rf"(?<![A-Za-z_])(?:{'|'.join(map(re.escape, longest_first))})(?![A-Za-z_])")


@pytest.fixture(scope="module")
def slugs(full: CommandLine) -> frozenset[str]:
    """Of all tables and sessions. No test adds one."""
    return frozenset(row[key] or "" for row in full.json("tables") for key in ("table", "session"))


PROSE: Final = frozenset(("text", "reason", "title", "club", "place", "player", "players", "recorded_by"))
"""The fields of an entry in which somebody wrote a name or a text."""


def strings(value: object, field: str = "") -> list[str]:
    if isinstance(value, dict):
        return [text for key, item in value.items() for text in strings(item, key)]
    if isinstance(value, list):
        return [text for item in value for text in strings(item, field)]
    return [value] if isinstance(value, str) and field in PROSE else []


def english_in(answer: str, written: re.Pattern[str]) -> list[str]:
    """The lines that have a word of English."""
    found = []
    joined = written.sub("", answer)
    for line in joined.splitlines():
        if LETTERS.search(line) and LETTERS.search(STAYS.sub("", CARDS.sub("", line))):
            found.append(line)
    return found


TOLD: Final = [
    ("tables",),
    ("players",),
    ("score", "--all"),
    ("score", "--all", "--without-rulings"),
    ("audit", "--all"),
    ("replay", "--all"),
    ("replay", "--all", "--all-steps"),
    ("replay", "--all", "--seat", 1),
    ("replay", "--all", "--diff"),
    ("replay", "ombre-revoke", "--step", 0),
    ("replay", "ombre-revoke", "--step", 24),
    ("dispute", "ombre-revoke"),
    ("dispute", "ombre-revoke", "--case-sheet", 39),
    ("dispute", "ombre-revoke", "また", "--deal", 1, "--dry-run"),
    ("ruling", "ombre-revoke", "stands", "そのまま", "--deal", 1, "--dry-run"),
    ("correct", "ombre-revoke", "strike", "--last", "--reason", "二重", "--dry-run"),
    ("check", REVOKE),
    ("compare", REVOKE, "ombre-revoke"),
    ("compare", REVOKE, RECORDS[0]),
    ("close", "ombre-revoke", "--dry-run"),
    ("note", "ombre-revoke", "また", "--dry-run"),
    ("session", "open", "friday", "--title", "金曜の一夜", "--place", "川崎", "--dry-run"),
    ("session", "amend", "ombre-examples", "--title", "例", "--reason", "改題", "--dry-run"),
    ("session", "close", "ombre-examples", "--dry-run"),
    ("note", "session/ombre-examples", "また", "--dry-run"),
    ("verify",),
    ("rules", "--search", "無"),
    ("backup", "--drill"),
    ("token", "list"),
    ("token", "revoke", "code-1"),
]


@pytest.mark.parametrize("words", TOLD, ids=lambda words: " ".join(map(str, words)))
def test_no_word_of_english_is_in_an_answer(
    full: CommandLine, written: re.Pattern[str], words: tuple[object, ...]
) -> None:
    answer = full.run(*words, lang="ja").stdout
    assert answer
    assert english_in(answer, written)[:10] == []


WRONG: Final[list[tuple[object, ...]]] = [
    *[(command, "--nonsense") for command in SUMMARIES],
    ("tables", "--lang", "xx"),
    (),
    ("scroe",),
    ("--tz", "Mars/Olympus", "tables"),
    ("init",),
    ("import",),
    ("import", "nowhere.toml"),
    ("import", RECORDS[0], "--correct"),
    ("import", "--follow", RECORDS[0]),
    ("export", "--table", "nowhere"),
    ("export", "--parquet", "."),
    ("export", "--as", "hand-record"),
    ("export", "--as", "hand-record", "nowhere"),
    ("export", "--as", "hand-record", "ombre-revoke", "--bare"),
    ("new", "t", "--game", "bridge", "--players", "花子"),
    ("new", "t", "--game", "ombre", "--players", "花子,花子,次郎"),
    ("compare", "nowhere", "nowhere"),
    ("check", "nowhere"),
    ("fmt", "--in-place", "--check", REVOKE),
    ("correct", "nowhere", "strike", "--last", "--reason", "x"),
    ("correct", "ombre-revoke", "strike", "--last"),
    ("correct", "ombre-revoke", "strike", "--reason", "x"),
    ("correct", "ombre-revoke", "replace", "--last", "--reason", "x"),
    ("correct", "ombre-revoke", "replace", "[1]", "--last", "--reason", "x"),
    ("correct", "ombre-revoke", "replace", "XX", "--deal", 1, "--step", 24, "--reason", "x"),
    ("correct", "ombre-revoke", "replace", "D4", "--deal", 1, "--step", 999, "--reason", "x"),
    ("correct", "ombre-revoke", "strike", "--version", 1, "--reason", "x", "--dry-run"),
    ("correct", "ombre-revoke", "strike", "--last", "--reason", "x", "--expected-version", 1),
    ("correct", "ombre-revoke", "strike", "--last", "--reason", "x", "--id", "1"),
    ("dispute", "ombre-revoke", "x"),
    ("dispute", "ombre-revoke", "", "--deal", 1),
    ("dispute", "ombre-revoke", "x", "--deal", 9),
    ("dispute", "ombre-revoke", "x", "--deal", 1, "--player", "誰か"),
    ("dispute", "ombre-revoke", "x", "--deal", 1, "--step", 24, "--version", 25),
    ("dispute", "ombre-revoke", "--case-sheet", 2),
    ("dispute", "ombre-revoke", "--output", "x.html"),
    ("ruling", "ombre-revoke", "adjust", "x", "--deal", 1),
    ("ruling", "ombre-revoke", "adjust", "x", "--deal", 1, "--deltas", "1"),
    ("ruling", "ombre-revoke", "adjust", "x", "--deal", 1, "--deltas", "Belinda +1"),
    ("ruling", "ombre-revoke", "adjust", "x", "--deal", 1, "--deltas", "a b c"),
    ("ruling", "ombre-revoke", "award", "x", "--deal", 1, "--award", "winner"),
    ("ruling", "ombre-revoke", "stands", "x", "--deal", 1, "--dispute", 2),
    ("ruling", "ombre-revoke", "stands", "x", "--deal", 1, "--rule", "99.9"),
    ("close", "nowhere"),
    ("close", "kop-match-official", "--expected-version", 1),
    ("note", "ombre-revoke", ""),
    ("note", "ombre-revoke", "x", "--deal", 1),
    ("note", "ombre-revoke", "x", "--player", "誰か"),
    ("note", "session/ombre-examples", "x", "--deal", 1),
    ("token", "add", "x"),
    ("token", "add", "--role", "viewer"),
    ("token", "add", "X Y", "--role", "viewer"),
    ("token", "add", "public", "--role", "viewer"),
    ("token", "add", "table-3", "--role", "viewer"),
    ("token", "add", "x", "--role", "viewer", "--seat", 1),
    ("token", "add", "x", "--role", "admin", "--table", "ombre-revoke"),
    ("token", "add", "x", "--role", "viewer", "--expires", "soon"),
    ("token", "add", "x", "--role", "viewer", "--expires", "2026-01-01"),
    ("token", "add", "x", "--role", "viewer", "--url", "nowhere"),
    ("token", "add", "x", "--role", "viewer", "--qr"),
    ("token", "add", "x", "--role", "viewer", "--url", "http://a", "--qr", "x.gif"),
    ("token", "code", "--table", "ombre-revoke"),
    ("token", "code", "--table", "ombre-revoke", "--until", "4h", "--role", "director"),
    ("token", "list", "x"),
    ("token", "revoke"),
    ("token", "revoke", "nobody"),
    ("token", "revoke", "x", "--hands"),
    ("session", "open", "x"),
    ("session", "open", "ombre-examples", "--title", "x"),
    ("session", "open", "X Y", "--title", "x"),
    ("session", "amend", "ombre-examples", "--reason", "x"),
    ("session", "amend", "ombre-examples", "--title", "x"),
    ("session", "close", "nowhere"),
    ("session", "close", "ombre-examples", "--title", "x"),
    ("session", "close", "ombre-examples"),
    ("session", "reopen", "ombre-examples", "--reason", "x"),
    ("correct", "session/ombre-examples", "strike", "--version", 1, "--reason", "x"),
    ("correct", "session/ombre-examples", "strike", "--version", 9, "--reason", "x"),
    ("score",),
    ("score", "nowhere"),
    ("score", "ombre-revok"),
    ("report", "ombre-exampels"),
    ("stats", "standing"),
    ("plot", "standing"),
    ("score", "ombre-revoke", "--as-of", "x"),
    ("score", "ombre-revoke", "--as-of", 9_999_999),
    ("audit", "ombre-revoke", "--all"),
    ("replay", "ombre-revoke", "--deal", 9),
    ("replay", "ombre-revoke", "--deal", "x"),
    ("replay", "ombre-revoke", "--step", 999),
    ("replay", "ombre-revoke", "--seat", 9),
    ("replay", "ombre-revoke", "--diff", "--step", 1),
    ("verify", "--receipt", "nowhere.receipt"),
    ("verify", "--consistent-with", "nowhere.checkpoint"),
    ("verify", "--key", "nowhere.pub"),
    ("receipt", "ombre-revoke"),
    ("receipt", "ombre-revoke", "--deal", 1, "--checkpoint", "nowhere.checkpoint"),
    ("backup", "nowhere/there.ledger"),
    ("restore",),
    ("restore", "nowhere.ledger"),
    ("players", "誰か", "花子"),
    ("players", "誰か", "--forget"),
    ("query", "DROP TABLE deals"),
    ("query", "SELECT 1", "--max-rows", "x"),
    ("query", "nothing"),
    ("stats", "nothing"),
    ("stats", "standings", "--player", "誰か"),
    ("stats", "standings", "--game", "bridge"),
    ("stats", "standings", "--since", "soon"),
    ("stats", "standings", "--session", "nowhere"),
    ("stats", "contracts", "--rules", "nowhere.toml"),
    ("stats", "league"),
    ("stats", "league", "--rules", "nowhere.toml"),
    ("plot", "nothing"),
    ("plot", "standings", "-o", "x.txt"),
    ("report", "nowhere"),
    ("report", "ombre-examples", "-o", "x.txt"),
    ("rules", "OMB-99.9"),
    ("rules", "bridge"),
    ("rules",),
    ("simulate", "bridge"),
    ("simulate", "ombre", "--players", "A,B"),
    ("simulate", "ombre", "--option", "x"),
    ("simulate", "ombre", "--option", "players=9"),
    ("simulate", "ombre", "--deals", "-1"),
]
"""Commands that are used wrongly, or that find nothing."""

NAMED: Final = re.compile(r"[A-Z]{2,}|[a-z]+_[a-z_]+|[.][a-z]+|[a-z]+=|events\[0\]", re.ASCII)
"""How errors name arguments of commands, words of SQL, kinds of events, ends of files, and fields with a value."""


@pytest.mark.parametrize("words", WRONG, ids=lambda words: " ".join(map(str, words))[-40:])
def test_no_word_of_english_is_in_an_error(
    full: CommandLine,
    written: re.Pattern[str],
    slugs: frozenset[str],
    words: tuple[object, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    told = full.run(*words, lang="ja")
    assert told.exit_code not in (0, 1)
    typed = {part for word in words for part in re.split(r"[\s=,]", str(word)) if part}
    named = {*LANGUAGES, *FILTERS, *registered_games(), *statistics(), *plots(), *SUMMARIES}
    named |= {"nowhere", "rules", "by", "deltas", "options", "true", "defend", "stop"}
    assert english_in(NAMED.sub("", without(told.stderr, CODES | typed | named | slugs)), written) == []


def test_every_state_of_every_game_is_told_in_japanese(full: CommandLine, written: re.Pattern[str]) -> None:
    for game in registered_games():
        slug = next(row["table"] for row in full.json("tables") if row["game"] == game and row["deals"])
        for step in (0, 1, 3, 6, 9, 14, 20):
            answer = full.run("replay", slug, "--deal", 1, "--step", step, lang="ja")
            assert answer.exit_code == 0 or step > 1, f"{slug} has no step {step}"
            assert english_in(answer.stdout, written) == []


def test_what_is_written_to_files_is_told_in_japanese(
    full: CommandLine, written: re.Pattern[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    empty = CommandLine(tmp_path / "empty")
    told = [
        full.ok("checkpoint", "--make-key", "倶楽部", lang="ja").splitlines()[0],  # then the key
        full.ok("checkpoint", lang="ja").splitlines()[1],  # behind the root, which is code
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
    for answer in told:
        assert english_in(answer, written) == []


def test_a_receipt_is_told_in_japanese(full: CommandLine, written: re.Pattern[str], tmp_path: Path) -> None:
    key = full.folder / "club.key"
    if not key.exists():
        full.ok("checkpoint", "--make-key", "倶楽部")
    full.ok("checkpoint")
    for row in full.json("tables"):
        if row["deals"] and row["table"].endswith(("revoke", "-01", "stop", "53")):
            file = tmp_path / f"{row['table']}.receipt"
            full.ok("receipt", row["table"], "--deal", 1, "-o", file)
            answer = full.ok("verify", "--receipt", file, "--key", full.folder / "club.pub", lang="ja")
            assert english_in(answer, written) == []


def test_pages_are_told_in_japanese(full: CommandLine, written: re.Pattern[str], tmp_path: Path) -> None:
    full.ok("dispute", "ombre-revoke", "--case-sheet", 39, "-o", tmp_path / "case.html", lang="ja")
    full.ok("report", "ombre-examples", "-o", tmp_path / "evening.html", lang="ja")
    for page in ("case.html", "evening.html"):
        content = (tmp_path / page).read_text(encoding="utf-8")
        shown = re.sub(r"<style>.*?</style>|<svg.*?</svg>|<[^>]*>", " ", content, flags=re.DOTALL)
        assert english_in(unescape(shown), written) == []


CODES: Final = frozenset(
    """
    null Wilson Plackett Luce openskill kop baska couillon ombre quadrille alliance forced declarer defenders
    deal adjust closing replace void accept award stands strike insert_after error warning info
    complete open voided unscorable none mit kontra re bok slup d5 d8 pass solo surrender SA HK CQ CODILLE points
    """.split()  # noqa: SIM905 - a list would be longer and no clearer
)
"""What stands in columns and is told of in Japanese, and whose methods these are."""


def without(answer: str, names: Iterable[str]) -> str:
    """The answer without these names, wherever they stand as words of their own."""
    longest_first = sorted((name for name in names if name and name in answer), key=len, reverse=True)
    return (
        answer
        if not longest_first
        else re.sub("|".join(rf"(?<![A-Za-z_]){re.escape(name)}(?![A-Za-z_])" for name in longest_first), "", answer)
    )


@pytest.mark.parametrize("command", ["stats", "plot"])
def test_what_can_be_asked_is_told_in_japanese(full: CommandLine, written: re.Pattern[str], command: str) -> None:
    answer = full.ok(command, "--list", lang="ja")
    known = {*statistics(), *plots()}
    assert english_in(without(answer, CODES | known), written) == []
    told = [row["sentence"] for row in full.json(command, "--list", lang="ja")]
    assert told and all(sentence in answer for sentence in told)


@pytest.mark.parametrize("name", list(statistics()))
def test_every_statistic_is_explained_in_japanese(full: CommandLine, written: re.Pattern[str], name: str) -> None:
    answer = full.ok("stats", name, "--explain", lang="ja")
    names = CODES | {name, "ratings", "standings", "table-points", "min_tables"} | set(statistics()[name].columns)
    assert english_in(without(answer, names), written) == []
    told = full.json("stats", name, "--explain", lang="ja")
    assert all(column["meaning"] in answer for column in told["columns"])


def test_every_statistic_is_answered_in_japanese(
    full: CommandLine, written: re.Pattern[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with api.open_history(full.ledger) as history:
        for name, statistic in statistics().items():
            rules = LeagueRules(title="春", points=(3, 1)) if "rules" in statistic.parameters else None
            found = api.stats(history, name, rules=rules)
            show(statistic_text(found, {}, "ja"))
            recorded = {value for row in json_rows(found.answer) for value in row.values() if isinstance(value, str)}
            assert english_in(without(capsys.readouterr().out, recorded), written) == [], name


def test_the_tables_of_a_question_are_told_in_japanese(full: CommandLine, written: re.Pattern[str]) -> None:
    answer = full.ok("query", "--list", lang="ja")
    tables = full.json("query", "--list", lang="ja")
    names = {name for table in tables for name in (table["table"], *(one["name"] for one in table["columns"]))}
    types = {word for table in tables for one in table["columns"] for word in re.findall(r"\w+", one["type"])}
    examples = {"card_played", "audit", "score", "id", "pool", "REMISE", "new_trumps", "couillon-D-mit", "kop-jacks"}
    examples |= {"dealt", "drawn", "played", "put_aside", "kept"}
    assert english_in(without(answer, CODES | names | types | examples), written) == []
