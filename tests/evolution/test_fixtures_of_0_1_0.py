"""Every later version reads the files of a club of version 0.1.0 and answers as 0.1.0 did.

`corrected_answers.json` has the few numbers that were wrong. `tests/fixtures/0.1.0` was made by that version with its
`make.sh`; it is never remade nor opened in place. Tests use only the command line: files and commands are what a club
has.
"""

import gzip
import hashlib
import json
import re
import shutil
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result

from ledger.cards import SYMBOLS
from ledger.cli import main
from tests.cli.commands import ROOT, CommandLine
from tests.cli.transcripts import Transcript, play, transcripts

FIXTURE = ROOT / "tests" / "fixtures" / "0.1.0"
ENTRIES = 255
HEAD = "300becabe6c4f02d555e56c21bcfa2aa44e60190993d328ffc07be98cd5c5203"
AS_IT_WAS_LEFT = "05bcf2a379ed86f21f72b4d1a51c15f94542b53922a8fe0cdf00f587d33c351d"
IN_THE_BACKUP = 246
"""The number of entries on Tuesday, when backup, checkpoint, receipt and read model were made."""

READ_MODEL = "club.ledger.history.duckdb"
NAMES = ("Zoë Ångström", "花子", "Lucía", "Belinda O’Hara")


class RecordedCommand(NamedTuple):
    """A command given to 0.1.0: the file with its answer, its exit status, its words."""

    file: str
    status: int
    words: str

    @property
    def answer(self) -> str:
        return (FIXTURE / "answers" / self.file).read_text(encoding="utf-8")


COMMAND_LINES = (FIXTURE / "answers" / "commands.tsv").read_text(encoding="utf-8").splitlines()
COMMANDS = [
    RecordedCommand(file, int(status), words) for file, status, words in (line.split("\t") for line in COMMAND_LINES)
]


def run(words: str, *more: str, stdin: str = "") -> Result:
    """Run a command in the current folder. `words` is split at blanks, `more` is not."""
    return CliRunner(catch_exceptions=False).invoke(
        main, [*words.split(), *more], input=stdin.encode(), prog_name="trickledger"
    )


def ok(words: str, *more: str, stdin: str = "") -> str:
    result = run(words, *more, stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def of_json(words: str) -> Any:
    return json.loads(ok(f"{words} --format json"))


def unpacked(folder: Path) -> Path:
    """Return a copy of the club's files, with the read model."""
    shutil.copytree(FIXTURE, folder, ignore=shutil.ignore_patterns("answers", "*.gz"))
    (folder / READ_MODEL).write_bytes(gzip.decompress((FIXTURE / f"{READ_MODEL}.gz").read_bytes()))
    return folder


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a club of 0.1.0, in which the test runs."""
    folder = unpacked(tmp_path / "club")
    monkeypatch.delenv("TRICKLEDGER_LEDGER", raising=False)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(scope="module")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked(tmp_path_factory.mktemp("shared") / "club")


@pytest.fixture
def shared_club(shared_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return one folder for all tests that only read."""
    monkeypatch.delenv("TRICKLEDGER_LEDGER", raising=False)
    monkeypatch.chdir(shared_folder)
    return shared_folder


def is_wording(path: tuple[str, ...]) -> bool:
    """Return whether a member of an answer holds the program's wording and not the record's."""
    *_, parent, key = ("", *path)
    return key in ("message", "rule_text") or (key == "text" and parent in ("lines", "why"))


BOUNDS_OF_MEANS = {"mean_low", "mean_high", "cards_low", "cards_high", "calls_low", "calls_high"}
"""Members that 0.1.0 computed by another method, whose intervals were too narrow (docs/explanation/intervals.md)."""


def assert_holds(old: Any, new: Any, path: tuple[str, ...] = ()) -> None:
    """Assert that every member of the old answer is in the new one with the same value; wordings may differ."""
    where = ".".join(path)
    if isinstance(old, dict):
        assert isinstance(new, dict) and old.keys() <= new.keys(), where
        for key, value in old.items():
            assert_holds(value, new[key], (*path, key))
    elif path[-2:] == ("claimed", "stale") or path[-1:] == ("sheet_stale",):
        assert set(new) <= set(old), where  # 0.1.0 called a sheet stale though its amounts stayed as they were
    elif isinstance(old, list):
        assert isinstance(new, list) and len(new) == len(old), where
        for one, other in zip(old, new, strict=True):
            assert_holds(one, other, path)
    elif old is not None and is_wording(path):
        assert isinstance(new, str) and new, where
    elif path and path[-1] in BOUNDS_OF_MEANS:
        assert new is None or isinstance(new, float), where
    elif isinstance(old, float):
        assert new == pytest.approx(old), where
    else:
        assert (type(new), new) == (type(old), old), where


MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d\.\d{6}Z")
"""A moment as 0.1.0 wrote it; later versions write it to the minute."""


def facts(text: str) -> set[str]:
    """Return the facts in a text, however it is worded: rules, cards, numbers and names."""
    text = with_signs(MOMENT.sub(r"\1 \2 UTC", text))
    return set(re.findall(rf"[A-Z]{{3}}-\d+\.\d+|[♠♥♦♣]\w+|[+-]?\d+|p\d\d|{'|'.join(NAMES)}", text))


def documents(file: str, text: str) -> list[Any]:
    return [json.loads(one) for one in (text.splitlines() if file.endswith(".ndjson") else [text])]


CORRECTED_ANSWERS = json.loads(Path(__file__).with_name("corrected_answers.json").read_text(encoding="utf-8"))
"""Rows of statistics that were wrong in 0.1.0, each with its correction and the reason.

`instead`: all rows of an answer that has others altogether. `gone`: the `facts` that a text has lost.
"""


def corrected_answer(command: RecordedCommand) -> list[Any]:
    """Return the old answer with its wrong rows corrected."""
    answer = documents(command.file, command.answer)
    if command.file not in CORRECTED_ANSWERS:
        return answer
    rows, now = answer[0]["rows"], CORRECTED_ANSWERS[command.file]
    if "instead" in now:
        assert rows != now["instead"], command.file
        rows[:] = now["instead"]
    for change in now.get("rows", []):
        if change.get("is_new"):
            rows.insert(change["row"], change["now"])
            continue
        (row,) = [row for row in rows if change["of"].items() <= row.items()]
        if change.get("is_gone"):
            rows.remove(row)
        else:
            assert all(row[key] != value for key, value in change["now"].items()), change
            row.update(change["now"])
    for column in reversed(now.get("order", [])):
        rows.sort(key=itemgetter(column.removeprefix("-")), reverse=column.startswith("-"))
    return answer


@pytest.mark.usefixtures("shared_club")
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.file)
def test_a_later_version_answers_as_0_1_0_did(command: RecordedCommand) -> None:
    result = run(command.words)
    assert result.exit_code == command.status, result.stderr
    if command.file.endswith(".txt"):
        gone = set(CORRECTED_ANSWERS.get(command.file, {}).get("gone", ()))
        assert sorted(facts(command.answer) - facts(result.stdout)) == sorted(gone), result.stdout
    else:
        assert_holds(corrected_answer(command), documents(command.file, result.stdout))


def test_every_recorded_answer_has_its_command() -> None:
    recorded = {path.name for path in (FIXTURE / "answers").iterdir()} - {"commands.tsv"}
    assert recorded == {command.file for command in COMMANDS}


def test_the_folder_is_as_0_1_0_left_it() -> None:
    """Check that the fixture is unchanged: an answer that no longer fits is a fault of the program."""
    digest = hashlib.sha256()
    for path in sorted(path for path in FIXTURE.rglob("*") if path.is_file()):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(FIXTURE).as_posix()} {len(content)}\n".encode() + content)
    assert digest.hexdigest() == AS_IT_WAS_LEFT


def test_a_changed_value_a_lost_member_and_a_lost_row_are_seen() -> None:
    row = {"player": "p01", "points": 3, "text": "his words"}
    assert_holds({"rows": [row]}, {"rows": [row | {"since": None}], "more": 1})
    lost = {"player": "p01", "text": "his words"}
    for rows in ([row | {"points": 4}], [lost], [row | {"text": "other words"}], []):
        with pytest.raises(AssertionError):
            assert_holds({"rows": [row]}, {"rows": rows})
    assert_holds({"lines": [{"text": "the ante"}]}, {"lines": [{"text": "the ante of the dealer"}]})


def exported() -> str:
    return (FIXTURE / "club.ndjson").read_text(encoding="utf-8")


@pytest.mark.usefixtures("shared_club")
def test_the_export_is_the_same_to_the_byte() -> None:
    assert ok("export") == exported()


TRANSCRIPTS = list(transcripts(Path(__file__).with_name("club_of_0_1_0.txt")))


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda transcript: transcript.name)
def test_the_files_of_the_club_work_as_before(club: Path, transcript: Transcript) -> None:
    cli = CommandLine(club)
    cli.ledger = Path("club.ledger")
    play(cli, transcript)


def points() -> dict[str, int]:
    """Return the points of each player in each game."""
    return {f"{row['player']} in {row['game']}": row["points"] for row in of_json("stats standings")["rows"]}


def test_the_read_model_is_brought_up_to_the_ledger_without_loss(club: Path) -> None:
    brought_up = dump()
    assert brought_up["log_position"] == ENTRIES
    assert dump() == brought_up
    (club / READ_MODEL).unlink()
    assert dump() == brought_up


def dump() -> dict[str, Any]:
    """Return the position and digest of the read model, its sizes and its points."""
    tables = ("deals", "disputes", "entries", "findings", "points", "rulings", "score_lines", "seats")
    counts = ", ".join(f"(SELECT count(*) FROM {table}) AS {table}" for table in tables)
    (row,) = json.loads(ok("query --format json", f"SELECT log_position, digest, {counts} FROM meta"))
    return {**row, "standings": points()}


@pytest.mark.usefixtures("club")
def test_the_read_model_takes_in_what_is_recorded_now() -> None:
    before = points()
    ok("ruling ombre-4 adjust fine --deal 2 --rule OMB-6.5 --by director --deltas 3,-3,0")
    now = points()
    assert [now[name] - before[name] for name in ("p05 in ombre", "p06 in ombre")] == [3, -3]
    assert of_json("stats standings")["position"] == ENTRIES + 1


@pytest.mark.usefixtures("club")
def test_a_receipt_is_proven_by_the_public_key_alone_without_a_ledger() -> None:
    Path("club.ledger").unlink()
    assert of_json("verify --receipt ombre-1-1.receipt --key club.pub")["proven"] is True
    receipt = Path("ombre-1-1.receipt").read_text(encoding="utf-8")
    assert "fine for the revoke" in receipt
    Path("forged.receipt").write_text(receipt.replace("fine for the revoke", "gift for the revoke"), encoding="utf-8")
    assert run("verify --receipt forged.receipt --key club.pub").exit_code == 1


@pytest.mark.usefixtures("club")
def test_the_anonymous_export_has_the_same_points() -> None:
    ok("--ledger research.ledger init")
    ok("--ledger research.ledger import anonymous.ndjson")
    rows = of_json("--ledger research.ledger stats standings")["rows"]
    assert sorted(row["points"] for row in rows) == sorted(points().values())


@pytest.mark.usefixtures("club")
def test_hand_records_and_bare_events_are_recorded_as_they_were() -> None:
    """Compare typed records with the tables as first written, without corrections and rulings."""
    records = sorted(Path("records").glob("*.toml"), key=lambda path: path.stem != "ombre-1")  # it opens the session
    ok("--ledger typed.ledger init")
    ok("--ledger typed.ledger import", *map(str, records), "remarks.ndjson", "thursday.ndjson")
    again = {table["table"]: table["totals"] for table in scores("--ledger typed.ledger score --all")}
    assert again == {table["table"]: table["totals"] for table in scores("score --all --without-rulings --as-recorded")}


def scores(words: str) -> list[Any]:
    return documents(".ndjson", ok(f"{words} --format json"))


_CODE = re.compile(r"\b([SHDC])([AKQJT2-9]?)\b")


def with_signs(sentence: str) -> str:
    """Replace card and suit codes by signs: `Baron played H2` becomes `Baron played ♥2`."""
    return _CODE.sub(lambda code: SYMBOLS[code[1]] + code[2].replace("T", "10"), sentence)
