"""Streams and exit statuses of commands: readers may leave early, inputs are limited, each status has its one line."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from ledger import limits
from ledger.log import open_store
from tests.cli.commands import OPENED, CommandLine, empty_ledger, environment, lines, process
from tests.covering import covering, sample
from tests.patience import wait_until


def ten_tables(cli: CommandLine) -> None:
    """Make a ledger whose export is longer than a pipe holds."""
    empty_ledger(cli)
    cli.ok("import", "-", stdin=cli.ok("simulate", "--tables", 10, "--deals", 5).encode())
    cli.ok("stats", "standings")


@pytest.fixture
def large(bare_cli: CommandLine) -> CommandLine:
    return bare_cli.made_by(ten_tables)


LONG_ANSWERS = (
    *("export", "tables", "score --all", "replay --all --all-steps --format json", "audit --all"),
    *("simulate --deals 500", "query FROM\tplays --format json", "query FROM\tplays --format csv"),
)


@pytest.mark.parametrize("words", sample(LONG_ANSWERS, 1))
def test_a_reader_that_leaves_early_is_no_error(large: CommandLine, words: str) -> None:
    with large.started(*words.split(" ")) as listing:
        assert listing.stdout is not None and listing.stderr is not None
        listing.stdout.read(10)
        listing.stdout.close()
        complaint = listing.stderr.read()
    assert (listing.returncode, complaint) == (0, b"")


def test_a_short_answer_that_nobody_reads_is_no_error_either(large: CommandLine) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as nobody:
        answered = process("rules", "OMB-6.8", folder=large.folder, stdout=nobody)
    assert (answered.returncode, answered.stderr) == (0, b"")


PROGRESS = {"verify": b"verifying", "backup --drill": b"checking"}


@pytest.mark.parametrize("words", sample(list(PROGRESS), 1))
def test_progress_goes_to_standard_error_alone(large: CommandLine, words: str) -> None:
    # Standard error is a terminal, e.g. when the answer is redirected to a file.
    terminal, other_end = os.openpty()
    try:
        answered = process(*words.split(), "--format", "json", folder=large.folder, stderr=other_end, TERM="xterm")
        assert answered.returncode == 0
        os.close(other_end)
        shown = os.read(terminal, 100_000)
    finally:
        os.close(terminal)
    assert json.loads(answered.stdout)["entries"] == large.json("verify")["entries"]
    assert answered.stdout.count(b"\n") == 1
    assert PROGRESS[words] in shown


def test_without_a_terminal_there_is_no_progress(large: CommandLine) -> None:
    answered = process("--ledger", large.ledger, "verify", folder=large.folder)
    assert (answered.returncode, answered.stderr) == (0, b"")
    for words in (["stats", "standings"], ["import", "-"], ["backup", "--drill"], ["export", "--anonymous"]):
        here = large.run(*words, stdin=lines(OPENED, table="another"))
        assert (here.exit_code, here.stderr) == (0, ""), words


def test_one_ledger_can_be_sent_into_another_through_a_pipe(large: CommandLine) -> None:
    other = large.elsewhere()
    with large.started("export") as exporting:
        answered = process("import", "-", folder=other.folder, stdin=exporting.stdout)
    assert (answered.returncode, exporting.returncode) == (0, 0)
    assert other.ok("export") == large.ok("export")


def test_a_terminal_that_cannot_show_suits_shows_something_else(club: CommandLine) -> None:
    words = ("--ledger", club.ledger, "--lang", "ja", "replay", "ombre-revoke")
    answered = process(*words, folder=club.folder, PYTHONIOENCODING="latin-1")
    assert (answered.returncode, answered.stderr, b"?" in answered.stdout) == (0, b"", True)


def test_words_that_are_not_utf_8_are_wrong_use(club: CommandLine) -> None:
    (club.folder / os.fsdecode(b"a\xff.toml")).write_bytes(b"")
    answered = process("score", os.fsdecode(b"t\xff"), folder=club.folder)
    assert (answered.returncode, answered.stdout, b"not UTF-8" in answered.stderr) == (2, b"", True)
    for words in (["import", b"a\xff.toml"], ["--ledger", b"\xff", "init"], ["query", b"SELECT '\xff'"]):
        assert "not UTF-8" in club.refused(2, *map(os.fsdecode, words)), words


def test_what_the_shell_has_opened_is_read(cli: CommandLine) -> None:
    simulated = 'trickledger() { "$PYTHON" -m ledger "$@"; }; trickledger simulate ombre --deals 1'
    command = ["bash", "-c", f"{simulated} | trickledger --ledger club.ledger import /dev/stdin"]
    done = subprocess.run(
        command, cwd=cli.folder, env=environment(PYTHON=sys.executable), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_what_a_correction_reads_is_bounded(club: CommandLine) -> None:
    words = ["correct", "t", "replace", "-", "--version", 3, "--reason", "typo"]
    assert club.refused(3, *words, stdin=b" " * (limits.LINE_BYTES + 1)) == (
        "trickledger: standard input: the correction is too long: 1,000,001 bytes; expected at most 1,000,000 bytes\n"
    )


def test_no_receipt_is_made_that_nobody_could_read(club: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    club.ok("checkpoint", "--make-key", "club.example/ledger")
    club.ok("checkpoint")
    monkeypatch.setattr(limits, "RECEIPT_BYTES", 1_000)
    refused = club.refused(3, "receipt", "ombre-revoke", "--deal", 1, "-o", club.folder / "r")
    assert "the receipt is too large: " in refused
    assert not (club.folder / "r").exists()


def test_a_question_that_never_ends_is_not_waited_for(club: CommandLine) -> None:
    """The input is cut at the limit of a query, on one line and on many."""
    for line in (b"SELECT 1 ", b"SELECT 1\n"):
        refused = club.refused(2, "query", "--shell", stdin=line * (limits.QUERY_CHARS // 5))
        assert "characters; at most 100,000 are allowed" in refused


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
