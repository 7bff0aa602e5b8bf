"""A ledger of contract version 1 stays readable: by this program, and by later ones in which an event has changed.

`tests/fixtures/contract-1.ledger` and `.ndjson` are one ledger with every event of version 1. They are never remade.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self, get_args

import pytest

from ledger.events import Event
from ledger.log import MemoryStore, SqliteStore
from ledger.log.verify import verify
from ledger.recording.exporting import export_lines
from ledger.recording.importing import ImportAs, import_content
from ledger.table.repository import fold_tables
from ledger.table.score import score_answer
from tests.cli.commands import ROOT

FIXTURES = ROOT / "tests" / "fixtures"
LINES = (FIXTURES / "contract-1.ndjson").read_text(encoding="utf-8")
ENTRIES = 252
HEAD = "95cde337e16970af048cdc0d1b41594c982f37cfb609841d7b6a08a39110a5a3"

TOTALS = {
    "ombre-revoke": [-20, 0, 15],
    "ombre-example-12a-defended-won": [-20, 20, -5],
    "ombre-example-02-vuelta-stopped": [-5, 20, -5, -10],
    "quadrille-example-16-alliance-codille": [-25, 5, 5, -1],
    "couillon-01-third-player-takes": [1, 0, 1, 0],
    "kop-example-09-wesele-cancels-kontra": [-2, 2, 2, -2],
    "baska-example-03-the-tie-in-baska": [-2, -2, 2, 2],
    "evening-1": [-19, 21, -2],
}
"""The totals of each table when the old ledger was made."""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return a copy of the ledger of contract version 1."""
    return Path(shutil.copy(FIXTURES / "contract-1.ledger", tmp_path / "club.ledger"))


def test_the_old_ledger_holds_every_event_of_version_1() -> None:
    kinds = {json.loads(line)["event"]["type"] for line in LINES.splitlines()}
    later = {"hands_opened"}  # of contract 1.2
    assert kinds == {str(kind.__struct_config__.tag) for kind in get_args(Event)} - later


def test_the_old_file_is_undamaged_and_exports_the_same_bytes(old: Path) -> None:
    report = verify(old)
    assert (report.damage, report.entries, report.head.digest.hex()) == (None, ENTRIES, HEAD)
    with SqliteStore(old) as store:
        assert b"".join(line + b"\n" for line in export_lines(store)) == LINES.encode()


def test_the_old_export_makes_the_same_ledger_and_its_tables_come_to_what_they_came_to() -> None:
    store = MemoryStore()
    import_content(store, LINES.encode(), "contract-1.ndjson", ImportAs(by="test"))
    assert (store.head().position, store.head().digest.hex()) == (ENTRIES, HEAD)
    assert {slug: score_answer(slug, fold).totals for slug, fold in fold_tables(store)} == TOTALS


def test_the_old_ledger_goes_on(old: Path, first: Program) -> None:
    first.ok(old, "import", "-", stdin=line({"type": "noted", "text": "years later"}))
    assert verify(old).entries == ENTRIES + 1
    assert verify(old).damage is None


AN_ID = "0193f2a0-5c1e-7d3b-8a4f-2b6c9d0e1f23"
CANDLE = [{"type": "noted", "text": "by candle light"}]
CORRECTION = {"type": "corrected", "version": 1, "action": "insert_after", "reason": "told later", "events": CANDLE}


def line(event: dict[str, Any], id: str | None = None) -> str:
    fields = {"stream": "table/evening-1", "event": event}
    return json.dumps(fields if id is None else {**fields, "id": id}) + "\n"


def notes(exported: str) -> list[dict[str, Any]]:
    """Return the notes of an export, including those within corrections."""
    events = [json.loads(one)["event"] for one in exported.splitlines()]
    inner = [instead for event in events for instead in event.get("events", ())]
    return [event for event in (*events, *inner) if event["type"].startswith("noted")]


@pytest.fixture(scope="module")
def first() -> Iterator[Program]:
    with Program(ROOT) as program:
        yield program


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    with second_version(tmp_path_factory.mktemp("second")) as program:
        yield program


@pytest.fixture(scope="module")
def third(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    with third_version(tmp_path_factory.mktemp("third")) as program:
        yield program


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory, first: Program, second: Program, third: Program) -> Path:
    """Return the old ledger continued by three versions: it holds notes of three shapes."""
    ledger = Path(shutil.copy(FIXTURES / "contract-1.ledger", tmp_path_factory.mktemp("grown") / "club.ledger"))
    first.ok(ledger, "import", "-", stdin=line({"type": "noted", "text": "one"}, AN_ID) + line(CORRECTION))
    second.ok(ledger, "import", "-", stdin=line({"type": "noted.2", "words": "two"}))
    third.ok(ledger, "import", "-", stdin=line({"type": "noted.3", "text": "trois", "lang": "fr"}))
    return ledger


def test_stored_bytes_and_digests_stay_as_they_are(grown: Path, third: Program) -> None:
    exported = third.ok(grown, "export")
    assert exported.startswith(LINES)
    assert [event["type"] for event in notes(exported)].count("noted.2") == 1
    assert third.ok(grown, "verify").startswith(f"Undamaged: {ENTRIES + 4} entries")


def test_every_shape_is_read_as_todays(grown: Path, third: Program) -> None:
    read = notes(third.ok(grown, "export", "--bare"))
    assert {event["type"] for event in read} == {"noted.3"}
    english = ("one", "two", "three tables", "by candle light")
    assert {(event["text"], event.get("lang")) for event in read} >= {("trois", "fr"), *((it, "en") for it in english)}
    assert {"type": "noted.3", "lang": "en", "text": "Ann went home", "seat": 0, "version": 3} in read


def test_a_ledger_of_three_shapes_moves_whole(grown: Path, third: Program, tmp_path: Path) -> None:
    moved = tmp_path / "moved.ledger"
    third.ok(moved, "init")
    third.ok(moved, "import", "-", stdin=third.ok(grown, "export"))
    assert third.ok(moved, "export") == third.ok(grown, "export")
    assert third.ok(moved, "verify") == third.ok(grown, "verify")


def test_new_entries_have_the_current_shape_whatever_shape_was_sent(old: Path, third: Program) -> None:
    sent = line({"type": "noted", "text": "sent by an old program"}) + line(CORRECTION)
    third.ok(old, "import", "-", stdin=sent)
    texts = ("sent by an old program", "by candle light")
    stored = [{"type": "noted.3", "text": text, "lang": "en"} for text in texts]
    assert notes(third.ok(old, "export")[len(LINES) :]) == stored


def test_an_old_event_sent_again_to_a_later_program_is_recorded_once(grown: Path, third: Program) -> None:
    output = third.ok(grown, "import", "-", stdin=line({"type": "noted", "text": "one"}, AN_ID))
    assert "0 events recorded; 1 event already recorded" in output
    refused = third.run(grown, "import", "-", stdin=line({"type": "noted", "text": "other"}, AN_ID))
    assert refused.status == 4


def test_scores_and_statistics_are_those_of_the_first_year(old: Path, first: Program, third: Program) -> None:
    for words in (("score", "--all", "--format", "json"), ("stats", "standings", "--format", "csv")):
        assert third.ok(old, *words) == first.ok(old, *words)
    audited = third.run(old, "audit", "--all", "--format", "json")
    assert audited.stdout == first.run(old, "audit", "--all", "--format", "json").stdout


def test_a_program_rejects_an_unknown_shape_instead_of_guessing(grown: Path, first: Program) -> None:
    refused = first.run(grown, "score", "evening-1")
    assert (refused.status, refused.stdout) == (5, "")
    assert "noted.2" in refused.stderr
    assert first.ok(grown, "score", "ombre-revoke")


_NOTED = re.compile(r"class Noted\(EventBase.*?\n\n\n", re.DOTALL)

_SHAPE = """
class {name}(EventBase, frozen=True, tag="{tag}"):
    {text}: Text{more}
    seat: Seat | None = None
    version: Version | None = None


"""
_SHAPE_1 = _SHAPE.format(name="Noted1", tag="noted", text="text", more="")
_SHAPE_2 = _SHAPE.replace("{tag}", "noted.2").replace("{text}", "words").replace("{more}", "")
_SHAPE_3 = _SHAPE.format(name="Noted", tag="noted.3", text="text", more='\n    lang: Word = "und"')

_RECORDABLE = re.compile(r"(?<=^Recordable: TypeAlias = )", re.MULTILINE)
_UPCASTERS = re.compile(r"UPCASTERS: Final\[dict\[type, Callable\[\[Any\], Event\]\]\] = \{\}")
_UPCAST_1 = "{name}(words=old.text, seat=old.seat, version=old.version)"
_UPCAST_2 = 'Noted(text=old.words, lang="en", seat=old.seat, version=old.version)'

_SERVE = """
import json, sys
from click.testing import CliRunner
from ledger.cli import main
from ledger.history.model import schema
schema._comments = lambda connection, statements: ()  # they take the most time
for line in sys.stdin:
    words, stdin = json.loads(line)
    result = CliRunner().invoke(main, words, input=stdin.encode(), prog_name="trickledger")
    print(json.dumps([result.exit_code, result.stdout, result.stderr]), flush=True)
"""


class CommandResult(NamedTuple):
    """The result of a command."""

    status: int
    stdout: str
    stderr: str


class Program:
    """The command line of one version: a process that runs one command after the other."""

    def __init__(self, package: Path) -> None:
        serve = [sys.executable, "-c", _SERVE]
        env = {**os.environ, "PYTHONPATH": str(package), "PYTHONUTF8": "1"}
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(serve, stdin=pipe, stdout=pipe, text=True, cwd=package, env=env)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def run(self, ledger: Path, *words: str, stdin: str = "") -> CommandResult:
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps([["--ledger", str(ledger), *words], stdin]), file=self._process.stdin, flush=True)
        return CommandResult(*json.loads(self._process.stdout.readline()))

    def ok(self, ledger: Path, *words: str, stdin: str = "") -> str:
        answer = self.run(ledger, *words, stdin=stdin)
        assert answer.status == 0, answer.stderr
        return answer.stdout


def second_version(folder: Path) -> Program:
    """Make a version in which `noted` has `words` in place of `text`."""
    upcasters = {"Noted1": _UPCAST_1.format(name="Noted")}
    return _program(folder, _SHAPE_1 + _SHAPE_2.format(name="Noted"), upcasters)


def third_version(folder: Path) -> Program:
    """Make a version in which `noted` has `text` again, with its language."""
    shapes = _SHAPE_1 + _SHAPE_2.format(name="Noted2") + _SHAPE_3
    return _program(folder, shapes, {"Noted1": _UPCAST_1.format(name="Noted2"), "Noted2": _UPCAST_2})


def _program(folder: Path, shapes: str, upcasters: dict[str, str]) -> Program:
    shutil.copytree(ROOT / "ledger", folder / "ledger")  # with what is compiled
    events = folder / "ledger" / "events.py"
    text = events.read_text(encoding="utf-8")
    text = _replaced(_NOTED, shapes.lstrip("\n"), text)
    text = _replaced(_RECORDABLE, "".join(f"{name} | " for name in upcasters), text)
    table = ", ".join(f"{old}: lambda old: {new}" for old, new in upcasters.items())
    text = _replaced(_UPCASTERS, f"UPCASTERS: Final[dict[type, Callable[[Any], Event]]] = {{{table}}}", text)
    events.write_text(text, encoding="utf-8")
    return Program(folder)


def _replaced(pattern: re.Pattern[str], new: str, text: str) -> str:
    changed, count = pattern.subn(lambda _: new, text)
    assert count == 1, f"ledger/events.py has changed: {pattern.pattern} fits {count} times"
    return changed
