"""What is counted and measured for Prometheus, in a registry of its own, and the port where it is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ledger.extras import module_of_extra
from ledger.web.catalogue import label

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

Gauge: TypeAlias = Literal["entries", "writer_queue", "listeners", "answers_kept", "folds_kept", "history_lag"]

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_LATENCIES_S: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
_REQUESTS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Metrics:
    """Raises `NotFoundError` where prometheus-client is not installed."""

    def __init__(self) -> None:
        client = module_of_extra("serve", "prometheus_client")
        client.disable_created_metrics()  # since when it is counted: twice the lines, and nobody asks
        registry: CollectorRegistry = client.CollectorRegistry()
        self._client = client
        self._registry = registry
        self._requests = client.Counter(
            "trickledger_requests", _help("requests"), ("method", "route", "status"), registry=registry
        )
        self._seconds = client.Histogram(
            "trickledger_answer_seconds", _help("answer_seconds"), ("route",), buckets=_LATENCIES_S, registry=registry
        )
        self._commits = client.Histogram(
            "trickledger_commit_requests", _help("commit_requests"), buckets=_REQUESTS, registry=registry
        )

    def answered(self, method: str, route: str | None, status: int | None, seconds: float) -> None:
        """A request, by the pattern of its route; without a status where nobody was there any more."""
        self._requests.labels(method, route or "", status or "").inc()
        self._seconds.labels(route or "").observe(seconds)

    def committed(self, requests: int) -> None:
        """So many requests were answered by one commit."""
        self._commits.observe(requests)

    def watch(self, gauge: Gauge, read: Callable[[], float]) -> None:
        """What is read when somebody asks, in the thread of the event loop."""
        made = self._client.Gauge(f"trickledger_{gauge}", _help(gauge), registry=self._registry)
        made.set_function(read)

    def text(self) -> bytes:
        """All of it in Prometheus' text format."""
        content: bytes = self._client.generate_latest(self._registry)
        return content


def _help(name: str) -> str:
    return label("en", f"metric.{name}")


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
