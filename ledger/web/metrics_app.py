"""The port of the metrics: `/metrics` in Prometheus' text format, for this machine alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger.web.accounting import App, Receive, Scope, Send
from ledger.web.hosts import host_named
from ledger.web.metrics import CONTENT_TYPE, Measured

_OUR_NAMES: Final = frozenset(("127.0.0.1", "::1", "localhost"))
"""A page of somebody else that has its name point to this machine does not read along."""


def metrics_app(measured: Measured) -> App:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if host_named(scope["headers"]) not in _OUR_NAMES:
            await _answer(send, 421)
        elif scope["path"] != "/metrics":
            await _answer(send, 404)
        elif scope["method"] not in ("GET", "HEAD"):
            await _answer(send, 405, allow=b"GET, HEAD")
        else:
            await _answer(send, 200, measured.text())

    return answer


async def _answer(send: Send, status: int, body: bytes = b"", allow: bytes | None = None) -> None:
    headers: Iterable[tuple[bytes, bytes]] = (
        (b"content-type", CONTENT_TYPE),
        (b"content-length", str(len(body)).encode()),
        *(((b"allow", allow),) if allow is not None else ()),
    )
    await send({"type": "http.response.start", "status": status, "headers": list(headers)})
    await send({"type": "http.response.body", "body": body})
