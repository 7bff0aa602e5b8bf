"""What the service writes down of requests: one line of JSON each, without query strings, bodies and secrets."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from time import perf_counter
from typing import Any, Final

from msgspec import json

LOGGED: Final = "logged"
"""Under which name a request has its `Logged` in `scope["state"]`, where its connection finds it."""


class Logged:
    """One request, as far as it may be told. `token`: the id of the token that asked."""

    __slots__ = ("began", "method", "route", "size_bytes", "status", "token")

    def __init__(self, method: str) -> None:
        self.method = method
        self.route: str | None = None
        self.token: str | None = None
        self.status: int | None = None
        self.size_bytes = 0
        self.began = perf_counter()


class RequestLog:
    """Writes lines where it is told to; without that it writes none."""

    def __init__(self, write: Callable[[bytes], Any] | None = None) -> None:
        self._write = write

    def request(self, logged: Logged) -> None:
        if self._write is not None:
            self.tell(
                "request",
                method=logged.method,
                route=logged.route,
                status=logged.status,
                ms=round((perf_counter() - logged.began) * 1000, 1),
                bytes=logged.size_bytes,
                token=logged.token,
            )

    def fault(self, logged: Logged, error: Exception) -> None:
        """A fault of ours: where it happened, but not what was in it."""
        places = [
            f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)
        ]
        self.tell("fault", method=logged.method, route=logged.route, error=type(error).__name__, at=places[-5:])

    def tell(self, event: str, **values: Any) -> None:
        write = self._write or sys.stderr.buffer.write
        write(json.encode({"event": event, **values}) + b"\n")
