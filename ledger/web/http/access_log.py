"""The log of the service: one line of JSON for each request and event, without query strings, bodies and secrets."""

from __future__ import annotations

import os
import traceback
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from time import perf_counter
from typing import Any, Final

from msgspec import Struct, field, json

from ledger.log.append_rules import timestamp

STANDARD_ERROR: Final = 2
_MOST_LINES: Final = 10_000
_GATHERED_S: Final = 0.05
_ENDING_S: Final = 0.5
_FRAMES: Final = 5
_PACKAGE: Final = Path(__file__).parents[2]


LOGGED: Final = "logged"
"""The key of a request's `Logged` in `scope["state"]`, where its connection reads it."""


class Logged(Struct):
    """The loggable facts of one request. `token`: the id of the client's token."""

    method: str
    route: str | None = None
    token: str | None = None
    status: int | None = None
    size_bytes: int = 0
    began: float = field(default_factory=perf_counter)


class AccessLog:
    """The log of requests. `write`: as in `LineLog`; `count`: called with method, route, status and seconds of each."""

    def __init__(
        self,
        write: Callable[..., None],
        count: Callable[[str, str | None, int | None, float], None] | None = None,
    ) -> None:
        self._write = write
        self._count = count

    def request(self, logged: Logged) -> None:
        """Log a finished request."""
        spent_s = perf_counter() - logged.began
        self._write(
            "request",
            method=logged.method,
            route=logged.route,
            status=logged.status,
            ms=round(spent_s * 1000, 1),
            bytes=logged.size_bytes,
            token=logged.token,
        )
        if self._count is not None:
            self._count(logged.method, logged.route, logged.status, spent_s)

    def fault(self, logged: Logged, error: Exception) -> None:
        """Log a fault of ours with its location, but without its data."""
        frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
        places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        self._write("fault", method=logged.method, route=logged.route, error=type(error).__name__, at=places)


class LineLog:
    """A log whose thread writes the lines, so that a slow reader delays no request.

    `write` never waits. Lines that nobody takes are dropped, the newest first, and counted.
    """

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
        """Log one line: time, event and values; None values are left out."""
        if len(self._lines) >= _MOST_LINES:
            self._dropped += 1
            return
        self._lines.append(self._line(event, values))
        self._is_awake.set()

    def fault(self, error: BaseException) -> None:
        """Log a fault of the program by type and location. Its message may quote data, and is left out."""
        frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
        where = [f"{_short(frame.filename)}:{frame.lineno}" for frame in frames]
        self.write("fault", error=type(error).__name__, where=where)

    def close(self) -> None:
        """Write the remaining lines, for up to half a second."""
        self._is_ending.set()
        self._is_awake.set()
        self._thread.join(_ENDING_S)

    def _line(self, event: str, values: dict[str, Any]) -> bytes:
        at = timestamp(self._now())
        present = {name: value for name, value in values.items() if value is not None}
        return json.encode({"at": at, "event": event, **present}) + b"\n"

    def _run(self) -> None:
        with suppress(OSError):  # the reader has gone; the service goes on
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
    """Return a file of this package by its path within it, any other file by its name."""
    path = Path(file)
    return str(path.relative_to(_PACKAGE)) if path.is_relative_to(_PACKAGE) else path.name
