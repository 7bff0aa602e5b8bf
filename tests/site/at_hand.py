"""Start services quickly: a process that has loaded the program waits, and each service is a fork of it.

Loading the program and making a read model would otherwise take most of the time of many tests. Other tests start the
service as a command.
"""

import multiprocessing
import os
import sys
from collections.abc import Sequence
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import Final
from unittest.mock import patch

_LOADED: Final = (
    "ledger.cli",
    "ledger.cli.serve",
    "ledger.web.handlers",
    "ledger.web.server.server",
    "tests.web.late_history",
    __name__,
)

_FORKS: Final = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(list(_LOADED))


def started(words: Sequence[str]) -> tuple[ForkServerProcess, Connection]:
    """Start the command with these words in a process of its own; return the process and its output."""
    here, there = _FORKS.Pipe(duplex=False)
    process = _FORKS.Process(target=_run, args=(list(words), there), daemon=True)
    process.start()
    there.close()
    return process, here


def _run(words: Sequence[str], out: Connection) -> None:
    for number, end in ((1, out.fileno()), (2, os.open(os.devnull, os.O_WRONLY))):
        os.dup2(end, number)
    sys.stdout, sys.stderr = (open(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))  # noqa: SIM115
    sys.argv = ["trickledger", *words]
    os.environ.update(TRICKLEDGER_LANG="en", NO_COLOR="1")

    from ledger.__main__ import run
    from tests.web.late_history import LateHistory

    with patch("ledger.service.running.ServedHistory", LateHistory):
        run()
