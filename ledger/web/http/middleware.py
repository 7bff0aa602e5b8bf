"""Plain ASGI middleware around all routes: the access log, and the headers that all answers have.

What needs the request as it is understood (hosts, roles, limits, entity tags, problems) is a step of its own in `app`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ledger.service.running import Settings
from ledger.web.http.access_log import LOGGED, AccessLog, Logged
from ledger.web.http.auth import is_trusted_origin

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
"""What browsers heed on https and on the machine itself; elsewhere they write on the console that they do not."""

_PARTS: Final = (b"text/css", b"text/javascript")
"""What a page loads twenty of: it opens no window, and asks for no camera."""


class HeadersMiddleware:
    """Adds the headers that every answer has, where it has no other ones; answers HEAD without a body."""

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
    """Writes down each request; what is found out of it on the way is in `scope["state"]`, under `LOGGED`."""

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
