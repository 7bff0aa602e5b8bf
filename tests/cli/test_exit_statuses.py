"""The exit statuses of the contract (section 7), each for each of its reasons, and the one line that explains it."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from ledger.log import open_store
from tests.cli.commands import CommandLine, environment, lines, process
from tests.covering import covering
from tests.patience import wait_until

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
    with Path("/dev/full").open("wb") as full:
        answer = process("--ledger", club.ledger, "tables", folder=club.folder, stdout=full)
        assert (answer.returncode, answer.stderr) == (2, b"trickledger: No space left on device\n")
        message = process("--ledger", "none.ledger", "tables", folder=club.folder, stdout=full, stderr=full)
        assert message.returncode == 5


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands wait only a moment for a locked ledger, instead of ten seconds."""
    monkeypatch.setattr("ledger.cli.state.open_store", partial(open_store, lock_timeout_s=0.1))


@pytest.mark.usefixtures("impatient")
def test_a_ledger_that_another_writer_keeps_locked_is_4_and_can_still_be_read(club: CommandLine) -> None:
    with closing(sqlite3.connect(club.ledger, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "locked" in club.refused(4, "import", "-", stdin=lines({"type": "noted", "text": "late"}))
        club.ok("score", "t")
    club.record({"type": "noted", "text": "late"})


def test_another_sqlite_file_is_no_ledger(bare_cli: CommandLine) -> None:
    with closing(sqlite3.connect(bare_cli.ledger)) as other:
        other.execute("CREATE TABLE entries (position)")
    bare_cli.refused(5, "tables")


def test_ctrl_c_is_not_reported_as_a_finding(club: CommandLine) -> None:
    with club.started("import", "-") as verifying:
        assert verifying.stdin is not None
        verifying.stdin.write(b" ")
        verifying.stdin.flush()
        # SQLite makes this file as soon as the command has the ledger open.
        wait_until((club.folder / "club.ledger-wal").exists)
        verifying.send_signal(signal.SIGINT)
        _, complaint = verifying.communicate()
    assert (verifying.returncode, complaint) == (130, b"")


INTERRUPTING = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"
"""A module that is interrupted while it is loaded."""


def interrupted_loading(module: str, folder: Path, *words: str, ignoring: bool = False) -> tuple[int, bytes, bytes]:
    """Return the result of `trickledger` if Ctrl-C is pressed while this module is being loaded."""
    (folder / f"{module}.py").write_text(f"{INTERRUPTING}raise ImportError('went on')\n")
    command = subprocess.run(
        [sys.executable, "-m", "ledger", *words],
        cwd=folder,
        env=environment(PYTHONPATH=f"{folder}:{environment()['PYTHONPATH']}"),
        capture_output=True,
        check=False,
        preexec_fn=(lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) if ignoring else None,
    )
    return command.returncode, command.stdout, command.stderr


@pytest.mark.parametrize("module", ["click", "msgspec", "sqlite3"])
def test_ctrl_c_while_a_command_is_loaded_ends_it_quietly(club: CommandLine, module: str) -> None:
    assert interrupted_loading(module, club.folder, "--ledger", str(club.ledger), "tables") == (130, b"", b"")


def test_ctrl_c_that_the_caller_has_ignored_stays_so(club: CommandLine) -> None:
    status, _, errors = interrupted_loading("click", club.folder, "tables", ignoring=True)
    assert status == 1
    assert b"went on" in errors


def test_ctrl_c_while_a_command_works_is_reported_by_it(club: CommandLine) -> None:
    words = ("--ledger", str(club.ledger), "query", "SELECT 1")
    assert interrupted_loading("duckdb", club.folder, *words) == (130, b"", b"")
