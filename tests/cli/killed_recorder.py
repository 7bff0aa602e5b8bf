"""`trickledger`, killed during one of its appends: `python -m tests.cli.killed_recorder WHEN NUMBER WORDS…`."""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from ledger.__main__ import run
from ledger.log.sqlite import SqliteStore


def die_at(when: str, number: int) -> None:
    """Kill this process at its append of that number, from 1: before it, with its rows written but not committed, or
    committed but not answered.
    """
    write, seen = SqliteStore._write, 0

    def killing(store: SqliteStore, work: Callable[[], Any]) -> Any:
        nonlocal seen
        seen += 1
        is_it = seen == number

        def working() -> Any:
            answer = work()
            if is_it and when == "during":
                die()
            return answer

        if is_it and when == "before":
            die()
        answer = write(store, working)
        if is_it:
            die()
        return answer

    SqliteStore._write = killing  # type: ignore[method-assign]


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    when, number, *words = sys.argv[1:]
    if int(number):
        die_at(when, int(number))
    sys.argv = ["trickledger", *words]
    run()
