"""Rejected commands: the exit status, one line with the reason, and an unchanged ledger, in English and in Japanese."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from ledger.cli.commands import SUMMARIES
from ledger.games import registered_games
from ledger.history import statistics
from ledger.history.questions.filters import FILTERS
from ledger.i18n import LANGUAGES
from ledger.log import SqliteStore
from ledger.plots.figures import plots
from tests.cli.commands import ROOT, CommandLine, small_club
from tests.cli.japanese import CODES, english_in, without

NAME: Final = "club.example/ledger"


class Refusal(NamedTuple):
    status: int
    words: list[str]
    said: str
    """Part of the error; after `= ` all of it, without the name of the program."""


def refusals() -> Iterator[tuple[str, list[Refusal]]]:
    """Yield the sections of refusals.txt with their rows."""
    text = Path(__file__).with_name("refusals.txt").read_text(encoding="utf-8")
    for section in text.split("\n[")[1:]:
        title, *lines = section.splitlines()
        rows = (re.fullmatch(r"(\d) +(.*?) *(?:\| (.*))?", line) for line in lines if line)
        yield title.rstrip("]"), [Refusal(int(row[1]), shlex.split(row[2]), row[3] or "") for row in rows if row]


SECTIONS: Final = dict(refusals())


def evening(cli: CommandLine) -> None:
    """Make the small club with a session, a saved query, a name to show, a checkpoint, and text files."""
    small_club(cli)
    cli.ok("session", "open", "friday", "--title", "Friday evening", "--date", "2026-01-30", "--place", "Leiden")
    cli.ok("query", "FROM deals LIMIT 1", "--save", "first-deal")
    cli.ok("players", "Ben", "--name", "Benedick")
    cli.ok("checkpoint", "--make-key", NAME, "--key", cli.folder / "club.key")
    cli.ok("checkpoint")
    cli.file("letter.txt", b"Dear Sir,\n\n\xff\n")
    cli.file("essay.txt", b"Dear Sir, " * 1000)
    (cli.folder / "stick").mkdir()
    (cli.folder / "replays").symlink_to(ROOT / "replays")


@pytest.fixture
def club(bare_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """Put the ledger of `evening` into the current folder."""
    monkeypatch.chdir(bare_cli.folder)
    return bare_cli.made_by(evening)


def state_of(club: CommandLine) -> list[object]:
    """Return everything that commands may change: entries, tokens, names, links, and files outside the ledger."""
    files = {path.name for path in club.folder.iterdir() if not path.name.startswith("club.ledger")}
    return [
        files,
        club.entries(),
        *(club.ok(*words) for words in (("token", "list"), ("players",), ("players", "links"))),
    ]


@pytest.mark.parametrize("section", SECTIONS)
def test_a_refused_command_says_why_and_changes_nothing(club: CommandLine, section: str) -> None:
    before, head = state_of(club), len(club.entries())
    for status, words, said in SECTIONS[section]:
        complaint = club.refused(status, *words).removeprefix("trickledger: ")
        assert complaint and "Traceback" not in complaint, words
        if said.startswith("= "):
            assert complaint == f"{said[2:]}\n", words
        else:
            assert said in complaint, words
        assert section != "serve" or complaint.count("\n") == 1, words  # the error is one line in the system's log
        with SqliteStore(club.ledger, access="read") as store:
            assert store.head().position == head, words
    assert state_of(club) == before


NAMED: Final = re.compile(r"[A-Z]{2,}|[a-z]+_[a-z_]+|[.][a-z]+|[a-z]+=|events\[0\]", re.ASCII)
"""Names in errors: arguments of commands, words of SQL, kinds of events, endings of files, fields with a value."""

QUOTED: Final = re.compile(r"'[^']*'|`[^`]*`")

NAMES: Final = {
    *LANGUAGES, *FILTERS, *registered_games(), *statistics(), *plots(), *SUMMARIES, *CODES,
    "Ann", "Ben", "Benedick", "Cleo", "Belinda", "Baron", "Clarissa", "ombre-revoke", "friday", "first-deal",
    "nowhere", "rules", "by", "deltas", "options", "true", "defend", "stop", "text", "json", "hand-record", "kind",
    "seat", "version", "zone", "type", "noted", "corrected", "sign-in", "base64",
    "UTF-8", "trickledger-receipt", "concessions", "ante", "deals", "FROM", "LIMIT",
}  # fmt: skip
"""Words in errors that are not English."""


@pytest.mark.parametrize("section", ["a wrong option", *list(SECTIONS)[1:]])
def test_no_word_of_english_is_in_a_refusal(club: CommandLine, section: str) -> None:
    wrong_options = [Refusal(2, [command, "--nonsense"], "") for command in SUMMARIES]
    english = {}
    for status, words, _ in SECTIONS.get(section, wrong_options):
        complaint = club.refused(status, *words, lang="ja")
        typed = {part for word in words for part in (word, *re.split(r"[\s=,.]", word)) if part.strip("-")}
        english[" ".join(words)] = english_in(NAMED.sub("", without(QUOTED.sub("", complaint), NAMES | typed)))
    assert {words: lines for words, lines in english.items() if lines} == {}
