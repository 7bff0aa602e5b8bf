"""The exit statuses of the contract (section 7), each for each of its reasons, and the one line that explains it."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from ledger.log import open_store
from tests.cli.commands import FIRST_DEAL, OPENED, ROOT, CommandLine, environment, lines, process
from tests.covering import covering
from tests.patience import wait_until

OUT_OF_TURN = {"type": "bid_made", "seat": 1, "call": "pass"}
ID = "0193f2a0-5c1e-7d3b-8a4f-2b6c9d0e1f23"


NO_NAMES = ("", " ", "\n", "Ada\n", "A\x1bda", "Ada\u2028", "\u200b")
RECORDING = (
    *(["import", "-"], ["correct", "t", "strike", "--last", "--reason", "x"]),
    *(["dispute", "t", "x", "--deal", "1"], ["ruling", "t", "stands", "x", "--deal", "1"]),
)


@pytest.mark.parametrize(("words", "name"), covering(RECORDING, NO_NAMES))
def test_who_records_has_a_name_that_can_be_read(club: CommandLine, words: list[str], name: str) -> None:
    answered = club.refused(2, *words, "--recorded-by", name, stdin=lines({"type": "noted", "text": "late"}))
    assert "expected a name that can be read" in answered


def test_a_position_of_thousands_of_digits_is_2(club: CommandLine) -> None:
    assert club.refused(2, "score", "t", "--as-of", "9" * 5000)


def test_a_disk_that_is_full_is_no_traceback(club: CommandLine) -> None:
    answered = process("--ledger", club.ledger, "export", "--output", "/dev/full", folder=club.folder)
    assert (answered.returncode, answered.stderr) == (2, b"trickledger: No space left on device\n")


def test_what_finds_no_room_ends_like_a_file_that_cannot_be_written_unless_it_is_the_message(club: CommandLine) -> None:
    words = [sys.executable, "-m", "ledger", "--ledger"]
    with Path("/dev/full").open("wb") as full:
        answer = subprocess.run(
            [*words, club.ledger, "tables"], stdout=full, stderr=subprocess.PIPE, cwd=ROOT, check=False
        )
        assert (answer.returncode, answer.stderr) == (2, b"trickledger: No space left on device\n")
        message = subprocess.run(
            [*words, "none.ledger", "tables"], stdout=full, stderr=full, cwd=club.folder, env=environment(), check=False
        )
        assert message.returncode == 5


NO_ENTRIES = (
    *(b"", b"hello", b"\xff\xfe\x00", b"[1, 2]", b'{"stream":"table/t"}', b'game = "ombre"\n', b'{"position":1}'),
    *(lines(FIRST_DEAL), lines({**OPENED, "game": "whist"}), lines({**OPENED, "extra": 1}), lines(OPENED, OPENED)),
    lines(OPENED, FIRST_DEAL, {"type": "card_played", "seat": 0, "card": "ST"}),
    lines(OPENED, FIRST_DEAL, {"type": "bid_made", "seat": 0, "call": "wesele"}),
)


def test_what_cannot_be_an_entry_is_3_and_nothing_is_stored(cli: CommandLine) -> None:
    for content in NO_ENTRIES:
        said = cli.refused(3, "import", "-", stdin=content)
        assert said.endswith("Nothing of standard input was recorded.\n"), content
        assert cli.json("verify")["entries"] == 0, content


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands wait for a locked ledger a moment only, instead of ten seconds."""
    monkeypatch.setattr("ledger.cli.state.open_store", partial(open_store, lock_timeout_s=0.1))


@pytest.mark.usefixtures("impatient")
def test_a_ledger_that_another_writer_keeps_locked_is_4_and_can_still_be_read(club: CommandLine) -> None:
    with closing(sqlite3.connect(club.ledger, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answered = club.run("import", "-", stdin=lines({"type": "noted", "text": "late"}))
        assert club.run("score", "t").exit_code == 0
    assert answered.exit_code == 4
    assert "locked" in answered.stderr
    club.ok("import", "-", stdin=lines({"type": "noted", "text": "late"}))


READING = (
    *("tables", "score t", "audit --all", "replay t", "export", "verify", "stats standings", "query FROM\tdeals"),
    *("export --anonymous", "backup", "backup --drill", "players", "players Ann --name A.", "players Ann --forget"),
)


def test_a_ledger_that_is_missing_is_5(bare_cli: CommandLine) -> None:
    for words in READING:
        assert bare_cli.refused(5, *words.split(" ")) == (
            f"trickledger: there is no ledger at {bare_cli.ledger}: "
            "give its path, or make one with `trickledger init`\n"
        )
        assert not list(bare_cli.folder.iterdir()), "asking makes no files"


def test_a_file_that_is_no_ledger_is_5(bare_cli: CommandLine) -> None:
    bare_cli.file("club.ledger", b"Dear Sir, " * 1000)
    for words in READING:
        assert "is not a ledger" in bare_cli.refused(5, *words.split(" ")), words


def test_a_folder_is_no_ledger(bare_cli: CommandLine) -> None:
    bare_cli.ledger.mkdir()
    assert bare_cli.run("tables").exit_code == 5


def test_another_sqlite_file_is_no_ledger(bare_cli: CommandLine) -> None:
    with closing(sqlite3.connect(bare_cli.ledger)) as other:
        other.execute("CREATE TABLE entries (position)")
    assert bare_cli.run("tables").exit_code == 5


def test_ctrl_c_is_not_reported_as_a_finding(club: CommandLine) -> None:
    asking = subprocess.Popen(
        [sys.executable, "-m", "ledger", "--ledger", club.ledger, "import", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert asking.stdin is not None
    with asking:
        asking.stdin.write(b" ")
        asking.stdin.flush()
        # SQLite makes this file as soon as the command has the ledger open.
        wait_until((club.folder / "club.ledger-wal").exists)
        asking.send_signal(signal.SIGINT)
        _, complaint = asking.communicate()
    assert (asking.returncode, complaint) == (130, b"")
