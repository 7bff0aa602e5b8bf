"""The log of the service: JSON lines, written by a thread of its own, so that a slow reader holds up no request."""

from __future__ import annotations

import os
import traceback
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

import msgspec

from ledger.log.admission import timestamp

STANDARD_ERROR: Final = 2
_MOST_LINES: Final = 10_000
_GATHERED_S: Final = 0.05
_ENDING_S: Final = 0.5
_FRAMES: Final = 5
_PACKAGE: Final = Path(__file__).parents[2]


class LineLog:
    """`write` never waits. Lines that nobody takes are dropped, the newest first, and their number is told."""

    def __init__(self, descriptor: int = STANDARD_ERROR, now: Callable[[], datetime] | None = None) -> None:
        self._descriptor = descriptor
        self._now = now or (lambda: datetime.now(UTC))
        self._lines: deque[bytes] = deque()
        self._dropped = 0
        self._is_awake = Event()
        self._is_ending = Event()
        self._thread = Thread(target=self._run, name="trickledger-log", daemon=True)
        self._thread.start()

    def write(self, event: str, **values: Any) -> None:
        """One line: when, what, and its values; those that are None are left out."""
        if len(self._lines) >= _MOST_LINES:
            self._dropped += 1
            return
        self._lines.append(self._line(event, values))
        self._is_awake.set()

    def fault(self, error: BaseException) -> None:
        """A fault of the program: of which kind and where. What the error says may quote data, and stays out."""
        frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
        where = [f"{_short(frame.filename)}:{frame.lineno}" for frame in frames]
        self.write("fault", error=type(error).__name__, where=where)

    def close(self) -> None:
        """Write what is left, if it is taken within half a second."""
        self._is_ending.set()
        self._is_awake.set()
        self._thread.join(_ENDING_S)

    def _line(self, event: str, values: dict[str, Any]) -> bytes:
        at = timestamp(self._now())
        told = {name: value for name, value in values.items() if value is not None}
        return msgspec.json.encode({"at": at, "event": event, **told}) + b"\n"

    def _run(self) -> None:
        with suppress(OSError):  # nobody reads on; the service does not end for that
            while not self._is_ending.is_set():
                self._is_awake.wait()
                self._is_ending.wait(_GATHERED_S)
                self._is_awake.clear()
                self._write_out()
            self._write_out()

    def _write_out(self) -> None:
        lines = [self._lines.popleft() for _ in range(len(self._lines))]
        if dropped := self._dropped:
            self._dropped -= dropped
            lines.append(self._line("dropped", {"lines": dropped}))
        left = memoryview(b"".join(lines))
        while left:
            # Not through `sys.stderr`: Python could not end while a thread waits within it.
            left = left[os.write(self._descriptor, left) :]


def _short(file: str) -> str:
    """A file of the package by its place in it; of another one its name alone."""
    path = Path(file)
    return str(path.relative_to(_PACKAGE)) if path.is_relative_to(_PACKAGE) else path.name
