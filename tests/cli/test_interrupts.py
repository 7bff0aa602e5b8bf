"""Ctrl-C ends a command at every moment without a traceback, with the status that shells report it by."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import CommandLine, environment

INTERRUPTING = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"
"""A module that is interrupted while it is loaded."""


def interrupted_loading(module: str, folder: Path, *words: str, ignoring: bool = False) -> tuple[int, bytes, bytes]:
    """What `trickledger` answers where Ctrl-C comes while this module is being loaded."""
    (folder / f"{module}.py").write_text(f"{INTERRUPTING}raise ImportError('went on')\n")
    asked = subprocess.run(
        [sys.executable, "-m", "ledger", *words],
        cwd=folder,
        env=environment(PYTHONPATH=f"{folder}:{environment()['PYTHONPATH']}"),
        capture_output=True,
        check=False,
        preexec_fn=(lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) if ignoring else None,
    )
    return asked.returncode, asked.stdout, asked.stderr


@pytest.mark.parametrize("module", ["click", "msgspec", "sqlite3"])
def test_ctrl_c_while_a_command_is_loaded_ends_it_quietly(club: CommandLine, module: str) -> None:
    assert interrupted_loading(module, club.folder, "--ledger", str(club.ledger), "tables") == (130, b"", b"")


def test_ctrl_c_that_the_caller_has_ignored_stays_so(club: CommandLine) -> None:
    status, _, told = interrupted_loading("click", club.folder, "tables", ignoring=True)
    assert status == 1
    assert b"went on" in told


def test_ctrl_c_while_a_command_works_is_told_by_it(club: CommandLine) -> None:
    assert interrupted_loading("duckdb", club.folder, "--ledger", str(club.ledger), "query", "SELECT 1") == (
        130,
        b"",
        b"",
    )
