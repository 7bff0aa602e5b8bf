"""The port of the metrics: `/metrics` in Prometheus' text format, for this machine alone."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ledger.web.server.metrics import CONTENT_TYPE, Metrics


def metrics_app(metrics: Metrics, port: int) -> ASGIApp:
    """A page of somebody else that has its own name point to this machine does not read along: it calls by its name."""
    ours = [f"{name}:{port}" for name in ("127.0.0.1", "localhost")]

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        status, text = 200, b""
        if Headers(raw=scope["headers"]).get("host") not in ours:
            status = 421
        elif scope["path"] != "/metrics":
            status = 404
        elif scope["method"] not in ("GET", "HEAD"):
            status = 405
        else:
            text = metrics.text()
        await Response(text, status, media_type=CONTENT_TYPE)(scope, receive, send)

    return answer
