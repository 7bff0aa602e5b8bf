"""Plain ASGI middleware around all routes: hosts, problems, the access log, and the headers that all answers have.

What depends on the route (who may, limits, entity tags) is a step of its own in `app`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ledger.errors import LedgerError
from ledger.service.running import Settings
from ledger.web.http.access_log import LOGGED, AccessLog, Logged
from ledger.web.http.auth import check_host, is_trusted_origin
from ledger.web.http.problems import WebError, web_error
from ledger.web.http.response import Response

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
        is_trusted = is_trusted_origin(self._settings, HTTPConnection(scope))

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = dict(message["headers"])
                is_part = own.get(b"content-type", b"").startswith(_PARTS)
                added = _OF_ALL if is_part else _OF_TRUSTED_DOCUMENTS if is_trusted else _OF_DOCUMENTS
                headers = [*(line for line in added if line[0] not in own), *message["headers"]]
                message = {**message, "headers": headers}
            elif is_head:
                message = {**message, "body": b""}
            await send(message)

        await self._app(scope, receive, send_with_headers)


class AccessLogMiddleware:
    """Writes down each request; what is found out of it on the way is in `scope["state"]`, under `LOGGED`."""

    def __init__(self, app: ASGIApp, log: AccessLog) -> None:
        self._app = app
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        logged = scope.setdefault("state", {})[LOGGED] = Logged(scope["method"])

        async def send_counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                logged.status = message["status"]
            else:
                logged.size_bytes += len(message["body"])
            await send(message)

        try:
            await self._app(scope, receive, send_counted)
        finally:
            self._log.request(logged)


class ProblemMiddleware:
    """Answers an error by `refusal`: what it means for who asked, or that we have failed, but never a traceback."""

    def __init__(
        self, app: ASGIApp, log: AccessLog, refusal: Callable[[LedgerError | WebError, HTTPConnection], Response]
    ) -> None:
        self._app = app
        self._log = log
        self._refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        logged: Logged = scope["state"][LOGGED]
        try:
            await self._app(scope, receive, send)
            return
        except (LedgerError, WebError) as error:
            refused = error
        except (asyncio.CancelledError, ConnectionError):
            raise
        except Exception as error:
            self._log.fault(logged, error)
            refused = web_error("internal", "internal")
        if logged.status is not None:
            raise ConnectionAbortedError  # the client must not take what it has for the whole
        await self._refusal(refused, HTTPConnection(scope))(scope, receive, send)


class HostMiddleware:
    """Refuses what is meant for another host."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        check_host(self._settings, HTTPConnection(scope))
        await self._app(scope, receive, send)
