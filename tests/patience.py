"""Waiting for an event until it happens, and measuring without the time in which processes wait for a processor."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Final

PATIENCE_S: Final = 180.0
"""The time after which an event counts as missing."""


def wait_until(is_so: Callable[[], object]) -> None:
    """Wait until the condition holds. Fail after `PATIENCE_S`."""
    end = monotonic() + PATIENCE_S
    while not is_so():
        assert monotonic() < end, "it never came to be so"
        sleep(0.01)


class Stopwatch:
    """A stopwatch that leaves out, on Linux, the time in which this process or one of `pids` waited for a processor."""

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
            with suppress(FileNotFoundError, ProcessLookupError):  # an ended thread keeps its last value
                for schedstat in tasks.glob("*/schedstat"):
                    self._waited_ns[schedstat] = int(schedstat.read_text().split()[1])

    @property
    def seconds(self) -> float:
        passed_s = monotonic() - self._begun
        self._look()
        return passed_s - (self._waited_s - self._waited_before_s)
