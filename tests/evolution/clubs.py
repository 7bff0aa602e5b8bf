"""The clubs whose files later versions must read: one folder a version in `tests/fixtures`, made with its `make.sh`.

A folder is never made anew nor opened in place. Tests use only the command line: a club has files and commands.
`corrected_answers.json` has, by version, the few numbers that were wrong.
"""

import gzip
import json
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from click.testing import CliRunner, Result

from ledger.cli import main
from tests.cli.commands import ROOT

READ_MODEL: Final = "club.ledger.history.duckdb"

_CORRECTED: Final = json.loads(Path(__file__).with_name("corrected_answers.json").read_text(encoding="utf-8"))


class Club(NamedTuple):
    """A club, the facts of its folder, and the members of its answers that later versions compute otherwise."""

    version: str
    entries: int
    head: str
    folder_digest: str
    """SHA-256 over the names, sizes and contents of all files."""
    recomputed: frozenset[str] = frozenset()
    """Members whose value may be another float, or null."""
    shrunk: frozenset[tuple[str, ...]] = frozenset()
    """Ends of paths of lists that may have lost elements."""

    @property
    def folder(self) -> Path:
        return ROOT / "tests" / "fixtures" / self.version

    @property
    def exported(self) -> str:
        return (self.folder / "club.ndjson").read_text(encoding="utf-8")

    @property
    def corrected(self) -> dict[str, Any]:
        """Return the answers that were wrong in this version, each with its correction and the reason.

        `instead`: all rows of an answer that has others altogether. `gone`: the `facts` that a text has lost.
        """
        return dict(_CORRECTED.get(self.version, {}))

    def unpack(self, folder: Path) -> Path:
        """Copy the club's files, with the read model, into a new folder."""
        shutil.copytree(self.folder, folder, ignore=shutil.ignore_patterns("answers", "*.gz"))
        packed = (self.folder / f"{READ_MODEL}.gz").read_bytes()
        (folder / READ_MODEL).write_bytes(gzip.decompress(packed))
        return folder


class RecordedCommand(NamedTuple):
    """A command given to the program of the club's version: the file with its answer, its exit status, its words."""

    club: Club
    file: str
    status: int
    words: str

    @property
    def answer(self) -> str:
        return (self.club.folder / "answers" / self.file).read_text(encoding="utf-8")

    @property
    def name(self) -> str:
        return f"{self.club.version}-{self.file}"


def recorded_commands(club: Club) -> Iterator[RecordedCommand]:
    for line in (club.folder / "answers" / "commands.tsv").read_text(encoding="utf-8").splitlines():
        file, status, words = line.split("\t")
        yield RecordedCommand(club, file, int(status), words)


CLUB_0_1_0: Final = Club(
    version="0.1.0",
    entries=255,
    head="300becabe6c4f02d555e56c21bcfa2aa44e60190993d328ffc07be98cd5c5203",
    folder_digest="05bcf2a379ed86f21f72b4d1a51c15f94542b53922a8fe0cdf00f587d33c351d",
    # The intervals of means were too narrow (docs/explanation/intervals.md).
    recomputed=frozenset({"mean_low", "mean_high", "cards_low", "cards_high", "calls_low", "calls_high"}),
    # A sheet was called stale though its amounts stayed as they were.
    shrunk=frozenset({("claimed", "stale"), ("sheet_stale",)}),
)
CLUB_0_2_0: Final = Club(
    version="0.2.0",
    entries=198,
    head="24e4a576d3a89b4393c5e2ad7d848049da59d4472d8c5acf1702a9dbbce8b598",
    folder_digest="099887b505a97823ac7eeb461be0a1ae0dd7d629943e11ab555d49e6012d29e2",
)
CLUBS: Final = (CLUB_0_1_0, CLUB_0_2_0)


@contextmanager
def inside(folder: Path) -> Iterator[Path]:
    """Run commands in a folder that has a `club.ledger`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("TRICKLEDGER_LEDGER", raising=False)
        patch.chdir(folder)
        yield folder


def run(words: str, *more: str, stdin: str = "") -> Result:
    """Run a command in the current folder. `words` is split at blanks outside quotation marks, `more` is not."""
    return CliRunner(catch_exceptions=False).invoke(
        main, [*shlex.split(words), *more], input=stdin.encode(), prog_name="trickledger"
    )


def ok(words: str, *more: str, stdin: str = "") -> str:
    result = run(words, *more, stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def of_json(words: str) -> Any:
    return json.loads(ok(f"{words} --format json"))


def documents(file: str, text: str) -> list[Any]:
    """Return the JSON documents of an answer: one a line in an `.ndjson` file."""
    return [json.loads(one) for one in (text.splitlines() if file.endswith(".ndjson") else [text])]


def points() -> dict[str, int]:
    """Return the points of each player in each game."""
    return {f"{row['player']} in {row['game']}": row["points"] for row in of_json("stats standings")["rows"]}
