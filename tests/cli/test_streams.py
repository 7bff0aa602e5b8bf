"""What goes to which stream: answers to standard output, progress and complaints to standard error, and a reader that
leaves early is no error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import CommandLine, environment, lines, process

OPENED = {"type": "table_opened", "game": "ombre", "players": ["Ann", "Ben", "Cleo"]}


@pytest.fixture
def large(cli: CommandLine) -> CommandLine:
    """A ledger whose answers are longer than a pipe holds."""
    cli.ok("import", "-", stdin=cli.ok("simulate", "--tables", 40, "--deals", 5).encode())
    return cli


@pytest.mark.parametrize(
    "words",
    [
        ["export"],
        ["tables"],
        ["score", "--all"],
        ["audit", "--all"],
        ["replay", "--all", "--all-steps", "--format", "json"],
        ["simulate", "--deals", "500"],
        ["query", "SELECT * FROM plays", "--format", "json"],
        ["query", "SELECT * FROM plays", "--format", "csv"],
    ],
    ids=" ".join,
)
def test_a_reader_that_leaves_early_is_no_error(large: CommandLine, words: list[str]) -> None:
    asking = subprocess.Popen(
        [sys.executable, "-m", "ledger", "--ledger", large.ledger, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert asking.stdout is not None and asking.stderr is not None
    with asking:
        asking.stdout.read(10)
        asking.stdout.close()
        complaint = asking.stderr.read()
    assert (asking.returncode, complaint) == (0, b"")


def test_a_short_answer_that_nobody_reads_is_no_error_either(large: CommandLine) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as nobody:
        answered = subprocess.run(
            [sys.executable, "-m", "ledger", "--ledger", large.ledger, "rules", "OMB-6.8"],
            stdout=nobody,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
        )
    assert (answered.returncode, answered.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("words", "told"), [(["verify"], b"verifying"), (["backup", "--drill"], b"checking")], ids=["verify", "drill"]
)
def test_progress_goes_to_standard_error_alone(large: CommandLine, words: list[str], told: bytes) -> None:
    # A terminal at standard error, as when somebody sends the answer to a file.
    terminal, other_end = os.openpty()
    try:
        answered = subprocess.run(
            [sys.executable, "-m", "ledger", "--ledger", large.ledger, *words, "--format", "json"],
            stdout=subprocess.PIPE,
            stderr=other_end,
            env=environment(TERM="xterm"),
            check=True,
        )
        os.close(other_end)
        shown = os.read(terminal, 100_000)
    finally:
        os.close(terminal)
    assert json.loads(answered.stdout)["entries"] == large.json("verify")["entries"]
    assert answered.stdout.count(b"\n") == 1
    assert told in shown


def test_without_a_terminal_there_is_no_progress(large: CommandLine) -> None:
    for words in (
        ["verify"],
        ["stats", "standings"],
        ["import", "-"],
        ["backup", "--drill"],
        ["export", "--anonymous"],
    ):
        bare = large.folder / "bare.ndjson"
        bare.write_bytes(lines(OPENED, table="another"))
        with bare.open("rb") as told:
            answered = process("--ledger", large.ledger, *words, folder=large.folder, stdin=told)
        assert (answered.returncode, answered.stderr) == (0, b""), words


def test_one_ledger_can_be_sent_into_another_through_a_pipe(large: CommandLine, tmp_path: Path) -> None:
    other = tmp_path / "other.ledger"
    assert process("--ledger", other, "init", folder=tmp_path).returncode == 0
    with subprocess.Popen(
        [sys.executable, "-m", "ledger", "--ledger", large.ledger, "export"],
        stdout=subprocess.PIPE,
        env=environment(),
    ) as exporting:
        answered = process("--ledger", other, "import", "-", folder=tmp_path, stdin=exporting.stdout)
    assert (answered.returncode, exporting.returncode) == (0, 0)
    assert (
        CommandLine(large.folder).ok("export") == process("--ledger", other, "export", folder=tmp_path).stdout.decode()
    )


def test_a_terminal_that_cannot_show_suits_shows_something_else(club: CommandLine) -> None:
    for words in (["replay", "ombre-revoke"], ["tables"], ["--lang", "ja", "audit", "ombre-revoke"]):
        answered = process("--ledger", club.ledger, *words, folder=club.folder, PYTHONIOENCODING="latin-1")
        assert answered.returncode in (0, 1)
        assert answered.stderr == b""
        assert b"?" in answered.stdout


@pytest.mark.parametrize(
    "words",
    [["score", b"t\xff"], ["import", b"a\xff.toml"], ["--ledger", b"\xff", "init"], ["query", b"SELECT '\xff'"]],
    ids=repr,
)
def test_words_that_are_not_utf_8_are_wrong_use(club: CommandLine, words: list[str | bytes]) -> None:
    (club.folder / os.fsdecode(b"a\xff.toml")).write_bytes(b"")
    answered = subprocess.run(
        [sys.executable, "-m", "ledger", *words],
        cwd=club.folder,
        capture_output=True,
        env=environment(),
        check=False,
    )
    assert (answered.returncode, answered.stdout) == (2, b"")
    assert b"not UTF-8" in answered.stderr


@pytest.mark.parametrize("path", ["", ".", "/"])
def test_a_ledger_needs_a_name(club: CommandLine, path: str) -> None:
    assert process("--ledger", path, "init", folder=club.folder).returncode == 2
