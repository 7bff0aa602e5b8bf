"""Plain ASGI middleware around all routes: the access log, common headers, and the last resort for errors.

Steps that need the parsed request (hosts, roles, limits, entity tags, problems) are in `app`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Sequence
from http import HTTPStatus
from typing import Final, Literal, TypeAlias

from msgspec import Struct, json
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ledger.service.running import Settings
from ledger.web.http.access_log import LOGGED, AccessLog, LineLog, Logged
from ledger.web.http.auth import is_trusted_origin
from ledger.web.http.problems import PROBLEM, headers_of, problem_of, web_error
from ledger.web.http.request import language_of

VARY: Final = (b"vary", b"Accept, Accept-Language, Authorization, Cookie")
_OF_ALL: Final = (
    VARY,
    (b"x-content-type-options", b"nosniff"),
    (b"x-robots-tag", b"noindex"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        b"manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
)
_OF_DOCUMENTS: Final = (*_OF_ALL, (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"))
_OF_TRUSTED_DOCUMENTS: Final = (*_OF_DOCUMENTS, (b"cross-origin-opener-policy", b"same-origin"))
"""Headers that browsers accept only in secure contexts; elsewhere they write warnings to the console."""

_PARTS: Final = (b"text/css", b"text/javascript")
"""Types of which a page loads twenty: they open no window and use no camera."""


class HeadersMiddleware:
    """Middleware that adds the common headers where an answer has no others, and answers HEAD without a body."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_head = scope["method"] == "HEAD"

        def send_with_headers(message: Message) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                own = dict(message["headers"])
                added = self._headers(scope, own.get(b"content-type", b""))
                message = {**message, "headers": [*[line for line in added if line[0] not in own], *message["headers"]]}
            elif is_head:
                message = {**message, "body": b""}
            return send(message)

        await self._app(scope, receive, send_with_headers)

    def _headers(self, scope: Scope, content_type: bytes) -> Sequence[tuple[bytes, bytes]]:
        if content_type.startswith(_PARTS):
            return _OF_ALL
        return _OF_TRUSTED_DOCUMENTS if is_trusted_origin(self._settings, HTTPConnection(scope)) else _OF_DOCUMENTS


class AccessLogMiddleware:
    """Middleware that logs each request; later steps add to its `Logged` in `scope["state"]`."""

    def __init__(self, app: ASGIApp, log: AccessLog) -> None:
        self._app = app
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        logged = scope.setdefault("state", {})[LOGGED] = Logged(scope["method"])

        def send_counted(message: Message) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                logged.status = message["status"]
            else:
                logged.size_bytes += len(message["body"])
            return send(message)

        try:
            await self._app(scope, receive, send_counted)
        finally:
            self._log.request(logged)


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
    """A problem outside of any route: the request is not HTTP, too slow or too large, or the app failed."""

    status: int
    headers: tuple[Header, ...]
    body: bytes

    def as_http(self, headers: Iterable[Header] = ()) -> bytes:
        """Return the answer as bytes of HTTP/1.1, with which the connection ends."""
        first = f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}\r\n".encode()
        lines = [name + b": " + value + b"\r\n" for name, value in (*headers, *self.headers)]
        return b"".join((first, *lines, b"\r\n", self.body))


def last_answer(
    code: LastCode, *, headers: Sequence[Header] = (), path: str = "/", limit: int | None = None
) -> LastAnswer:
    """Return the last answer for a code. `headers`: those of the request received so far; `path`: without its query."""
    lang = language_of(Headers(raw=list(headers)).get("accept-language"))
    error = web_error(code, _SAID[code], limit=limit)
    problem = problem_of(error, path or "/", lang)
    body = json.encode(problem)
    fields = {
        "content-type": PROBLEM,
        "content-length": str(len(body)),
        "content-language": lang,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        **headers_of(error, problem),
        "connection": "close",
    }
    lines = ((name.encode(), value.encode()) for name, value in fields.items())
    return LastAnswer(problem.status, (VARY, *lines), body)


class ErrorMiddleware:
    """Middleware that answers with a problem if the app fails, or is cancelled, before it has begun to answer."""

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
        except ConnectionError:  # the client has gone, or must not mistake a part for the whole answer
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
