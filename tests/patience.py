"""Time in tests, on a machine that has other things to do.

What has to come is waited for until it is there. What has to come soon is measured without the time in which whoever
works at it was kept waiting for a processor: how busy the machine is says nothing about us.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Final

PATIENCE_S: Final = 180.0
"""What has not come by then never comes."""


def wait_until(is_so: Callable[[], object]) -> None:
    end = monotonic() + PATIENCE_S
    while not is_so():
        assert monotonic() < end, "it never came to be so"
        sleep(0.01)


class Stopwatch:
    """Runs from now on, and stands still while this process or one of `pids` waits for a processor.

    Where the system does not tell how long that was (Linux does) it is a plain one.
    """

    def __init__(self, *pids: int) -> None:
        self._tasks = [Path(f"/proc/{pid}/task") for pid in ("self", *pids)]
        self._waited_ns: dict[Path, int] = {}
        self._look()
        self._waited_before_s = self._waited_s
        self._begun = monotonic()

    @property
    def _waited_s(self) -> float:
        return sum(self._waited_ns.values()) / 1e9

    def _look(self) -> None:
        for tasks in self._tasks:
            with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended keeps what was seen of it
                for schedstat in tasks.glob("*/schedstat"):
                    self._waited_ns[schedstat] = int(schedstat.read_text().split()[1])

    @property
    def seconds(self) -> float:
        passed_s = monotonic() - self._begun
        self._look()
        return passed_s - (self._waited_s - self._waited_before_s)
