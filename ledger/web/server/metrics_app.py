"""The port of the metrics: `/metrics` in Prometheus' text format, for this machine alone."""

from __future__ import annotations

from ledger.web.http.error_middleware import App
from ledger.web.http.request import Headers
from ledger.web.http.response import Receive, Scope, Send
from ledger.web.server.metrics import CONTENT_TYPE, Metrics


def metrics_app(metrics: Metrics, port: int) -> App:
    """A page of somebody else that has its own name point to this machine does not read along: it calls by its name."""
    ours = [f"{name}:{port}" for name in ("127.0.0.1", "localhost")]

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if Headers(scope["headers"]).get("host") not in ours:
            await _answer(send, 421)
        elif scope["path"] != "/metrics":
            await _answer(send, 404)
        elif scope["method"] not in ("GET", "HEAD"):
            await _answer(send, 405)
        else:
            await _answer(send, 200, metrics.text())

    return answer


async def _answer(send: Send, status: int, body: bytes = b"") -> None:
    headers = [(b"content-type", CONTENT_TYPE), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
