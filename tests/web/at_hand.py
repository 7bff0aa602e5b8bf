"""Start servers quickly, as forks of a process that has loaded the program; other tests start it as a command."""

import multiprocessing
import os
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

_LOADED: Final = (
    "ledger.cli", "ledger.cli.serve", "ledger.web.handlers", "ledger.web.server.server", "tests.web.late_history",
    "tests.web.bare_server", "tests.web.warm", __name__,
)  # fmt: skip

_FORKS: Final = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(list(_LOADED))


def started(
    work: Callable[..., None], *arguments: Any, log: Path | None = None, **environment: str
) -> tuple[ForkServerProcess, Connection]:
    """Run this function in a process of its own; return the process and its output. `log`: the file of its errors."""
    here, there = _FORKS.Pipe(duplex=False)
    given = (work, arguments, there, log, {**os.environ, **environment})
    process = _FORKS.Process(target=_run, args=given, daemon=True)
    process.start()
    there.close()
    return process, here


def _run(
    work: Callable[..., None],
    arguments: tuple[Any, ...],
    out: Connection,
    log: Path | None,
    environment: dict[str, str],
) -> None:
    os.environ.clear()
    os.environ.update(environment)
    errors = os.open(log or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for number, end in ((1, out.fileno()), (2, errors)):
        os.dup2(end, number)
    sys.stdout, sys.stderr = (open(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))  # noqa: SIM115
    work(*arguments)


def command(*words: str) -> None:
    """Run `trickledger` with these words."""
    from ledger.__main__ import run

    sys.argv = ["trickledger", *words]
    run()


def command_with_late_history(*words: str) -> None:
    """Run a service that builds its read model at the first query."""
    from tests.web.late_history import LateHistory

    with patch("ledger.service.running.ServedHistory", LateHistory):
        command(*words)
