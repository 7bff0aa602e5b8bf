"""Completion in real shells, set up as docs/completion.md says: bash, zsh and fish."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.shell_completion import get_completion_class

from ledger.cli import main
from ledger.cli.shells import answer_shells
from tests.cli.commands import OPENED, ROOT, CommandLine, environment
from tests.patience import PATIENCE_S

SETUP = dict(
    re.findall(
        r"```(bash|zsh|fish)\n(.*?)```", (ROOT / "docs" / "completion.md").read_text(encoding="utf-8"), re.DOTALL
    )
)
"""What the page says to run, or to put into the shell's own file."""


@pytest.fixture
def evening(club: CommandLine) -> CommandLine:
    """The small club's ledger, a player of two words, and the program as `trickledger`."""
    club.record({**OPENED, "players": ["Sir Plume", "Ben", "Cleo"]}, table="poem")
    program = club.folder / "bin" / "trickledger"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m ledger "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return club


def shell_environment(cli: CommandLine) -> dict[str, str]:
    path = f"{cli.folder / 'bin'}:{os.environ['PATH']}"
    return environment(PATH=path, HOME=str(cli.folder), TERM="dumb", LC_ALL="C.UTF-8", XDG_CONFIG_HOME=str(cli.folder))


@contextmanager
def terminal(cli: CommandLine, *words: str) -> Iterator[Callable[[bytes, str], str]]:
    """A shell at a terminal: types, and answers what is shown until a pattern is."""
    ours, theirs = pty.openpty()
    shell = subprocess.Popen(
        words, cwd=cli.folder, stdin=theirs, stdout=theirs, stderr=theirs, env=shell_environment(cli), close_fds=True,
        start_new_session=True,
    )  # fmt: skip
    os.close(theirs)

    def type_until(typed: bytes, pattern: str) -> str:
        os.write(ours, typed)
        shown, until = "", time.monotonic() + PATIENCE_S
        while not re.search(pattern, shown):
            assert time.monotonic() < until, f"{pattern!r} is not in {shown!r}"
            if select.select([ours], [], [], 0.2)[0]:
                shown += os.read(ours, 4096).decode(errors="replace")
        return shown

    try:
        yield type_until
    finally:
        shell.kill()
        shell.wait()
        os.close(ours)


def test_bash_completes_tables_and_players(evening: CommandLine, ci_requires: Callable[[str], str]) -> None:
    with terminal(evening, ci_requires("bash"), "--norc", "--noprofile", "-i") as type_until:
        type_until(b"PS1='ready> '\n" + SETUP["bash"].encode() + b"echo set''up\n", r"\nsetup")
        type_until(b"trickledger score ombre-r\t", r"ombre-revoke ")
        type_until(b"\x15trickledger replay poem --seat Si\t", r"Sir\\ Plume ")


def test_zsh_completes_tables_and_players(evening: CommandLine, ci_requires: Callable[[str], str]) -> None:
    with terminal(evening, ci_requires("zsh"), "-f", "-i") as type_until:
        setup = b"PS1='ready> '; autoload -Uz compinit; compinit -u -D\n" + SETUP["zsh"].encode()
        type_until(setup + b"echo set''up\n", r"\nsetup|\rsetup")
        type_until(b"trickledger score ombre-r\t", r"evoke")
        type_until(b"\x15trickledger replay poem --seat Si\t", r"r\\ Plume")


def test_fish_completes_tables_and_players(evening: CommandLine, ci_requires: Callable[[str], str]) -> None:
    def shown(line: str) -> list[str]:
        script = f"{SETUP['fish']}\ncomplete -C {line!r}"
        words = [ci_requires("fish"), "--no-config", "-c", script]
        answered = subprocess.run(
            words, cwd=evening.folder, capture_output=True, check=True, env=shell_environment(evening), timeout=60
        )
        assert answered.stderr == b""
        return answered.stdout.decode().splitlines()

    assert shown("trickledger score ombre-r") == ["ombre-revoke"]
    assert shown("trickledger replay poem --seat Si") == ["Sir Plume"]
    assert shown("trickledger scor") == ["score\tThe score sheet of TABLE: every payment..."]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_that_the_shell_reads(ci_requires: Callable[[str], str], shell: str, tmp_path: Path) -> None:
    answer_shells()
    kind = get_completion_class(shell)
    assert kind is not None
    file = tmp_path / "script"
    file.write_text(kind(main, {}, "trickledger", "_TRICKLEDGER_COMPLETE").source(), encoding="utf-8")
    subprocess.run([ci_requires(shell), "-n", str(file)], check=True, capture_output=True, timeout=60)
