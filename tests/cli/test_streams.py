"""Streams: answers go to standard output, progress and errors to standard error; readers may leave early.

Inputs are limited: devices are rejected, and standard input is read up to a limit.
"""

import json
import os
import subprocess
import sys

import pytest

from ledger import limits
from tests.cli.commands import OPENED, CommandLine, empty_ledger, environment, lines, process
from tests.covering import sample


def forty_tables(cli: CommandLine) -> None:
    """Make a ledger whose answers are longer than a pipe holds."""
    empty_ledger(cli)
    cli.ok("import", "-", stdin=cli.ok("simulate", "--tables", 40, "--deals", 5).encode())
    cli.ok("stats", "standings")


@pytest.fixture
def large(bare_cli: CommandLine) -> CommandLine:
    return bare_cli.made_by(forty_tables)


LONG_ANSWERS = (
    *("export", "tables", "score --all", "replay --all --all-steps --format json", "audit --all"),
    *("simulate --deals 500", "query FROM\tplays --format json", "query FROM\tplays --format csv"),
)


@pytest.mark.parametrize("words", sample(LONG_ANSWERS, 3))
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


@pytest.mark.parametrize(
    ("words", "progress"), [(["verify"], b"verifying"), (["backup", "--drill"], b"checking")], ids=["verify", "drill"]
)
def test_progress_goes_to_standard_error_alone(large: CommandLine, words: list[str], progress: bytes) -> None:
    # Standard error is a terminal, e.g. when the answer is redirected to a file.
    terminal, other_end = os.openpty()
    try:
        answered = process(*words, "--format", "json", folder=large.folder, stderr=other_end, TERM="xterm")
        assert answered.returncode == 0
        os.close(other_end)
        shown = os.read(terminal, 100_000)
    finally:
        os.close(terminal)
    assert json.loads(answered.stdout)["entries"] == large.json("verify")["entries"]
    assert answered.stdout.count(b"\n") == 1
    assert progress in shown


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
    for words in (["replay", "ombre-revoke"], ["--lang", "ja", "audit", "ombre-revoke"]):
        answered = process("--ledger", club.ledger, *words, folder=club.folder, PYTHONIOENCODING="latin-1")
        assert answered.returncode in (0, 1)
        assert answered.stderr == b""
        assert b"?" in answered.stdout


def test_words_that_are_not_utf_8_are_wrong_use(club: CommandLine) -> None:
    (club.folder / os.fsdecode(b"a\xff.toml")).write_bytes(b"")
    answered = process("score", os.fsdecode(b"t\xff"), folder=club.folder)
    assert (answered.returncode, answered.stdout, b"not UTF-8" in answered.stderr) == (2, b"", True)
    for words in (["import", b"a\xff.toml"], ["--ledger", b"\xff", "init"], ["query", b"SELECT '\xff'"]):
        assert "not UTF-8" in club.refused(2, *map(os.fsdecode, words)), words


def test_what_the_shell_has_opened_is_read(cli: CommandLine) -> None:
    simulated = 'trickledger() { "$PYTHON" -m ledger "$@"; }; trickledger simulate ombre --deals 1'
    for how in ("import /dev/stdin", "import -"):
        command = ["bash", "-c", f'{simulated} --slug "s{len(how)}" | trickledger --ledger club.ledger {how}']
        done = subprocess.run(
            command, cwd=cli.folder, env=environment(PYTHON=sys.executable), capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, b""), how


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
