"""Problems that are answered where no route can: of a request that is none, that came too slowly or too large, or at
which the app itself failed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Sequence
from http import HTTPStatus
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ledger.web.http.access_log import LineLog
from ledger.web.http.middleware import VARY
from ledger.web.http.negotiation import language_of
from ledger.web.http.problems import PROBLEM, encoded, headers_of, problem_of, web_error

LastCode: TypeAlias = Literal[
    "not_http", "request_timeout", "headers_too_large", "too_many_requests", "closing", "internal"
]
Header: TypeAlias = tuple[bytes, bytes]

_SAID: Final[dict[LastCode, str]] = {
    "not_http": "cut.not_http",
    "request_timeout": "cut.request_timeout",
    "headers_too_large": "cut.headers_too_large",
    "too_many_requests": "in_flight",
    "closing": "closing",
    "internal": "internal",
}


class LastAnswer(Struct, frozen=True):
    status: int
    headers: tuple[Header, ...]
    body: bytes

    def as_http(self, headers: Iterable[Header] = ()) -> bytes:
        """The answer as bytes of HTTP/1.1, with which the connection ends."""
        first = f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}\r\n".encode()
        lines = [name + b": " + value + b"\r\n" for name, value in (*headers, *self.headers)]
        return b"".join((first, *lines, b"\r\n", self.body))


def last_answer(
    code: LastCode, *, headers: Sequence[Header] = (), path: str = "/", limit: int | None = None
) -> LastAnswer:
    """`headers`: those of the request, as far as they came; `path`: without what was asked there."""
    lang = language_of(Headers(raw=list(headers)).get("accept-language"))
    error = web_error(code, _SAID[code], limit=limit)
    problem = problem_of(error, path or "/", lang)
    body = encoded(problem)
    told = {
        "content-type": PROBLEM,
        "content-length": str(len(body)),
        "content-language": lang,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        **headers_of(error, problem),
        "connection": "close",
    }
    lines = ((name.encode(), value.encode()) for name, value in told.items())
    return LastAnswer(problem.status, (VARY, *lines), body)


class ErrorMiddleware:
    """Answers with a problem where the app fails, or is broken off, before it has begun to answer."""

    def __init__(self, app: ASGIApp, log: LineLog) -> None:
        self._app = app
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False

        def send_begun(message: Message) -> Awaitable[None]:
            nonlocal has_begun
            has_begun = True
            return send(message)

        code: LastCode = "internal"
        try:
            await self._app(scope, receive, send_begun)
        except ConnectionError:  # nobody is there any more, or the client must not take what it has for the whole
            if has_begun:
                raise
        except asyncio.CancelledError:
            code = "closing"
        except Exception as error:
            self._log.fault(error)
        if not has_begun:
            last = last_answer(code, headers=scope["headers"], path=scope["path"])
            await send({"type": "http.response.start", "status": last.status, "headers": list(last.headers)})
            await send({"type": "http.response.body", "body": last.body})
