"""Metrics for Prometheus, in a registry of their own, and the port that serves them."""

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
    """The metrics of the service. Creation raises `NotFoundError` if prometheus-client is not installed."""

    def __init__(self) -> None:
        client = module_of_extra("serve", "prometheus_client")
        client.disable_created_metrics()  # start times double the lines, and nobody needs them
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
        """Count a request by the pattern of its route; `status`: None if the client had disconnected."""
        self._requests.labels(method, route or "", status or "").inc()
        self._seconds.labels(route or "").observe(seconds)

    def committed(self, requests: int) -> None:
        """Record how many requests one commit answered."""
        self._commits.observe(requests)

    def watch(self, gauge: Gauge, read: Callable[[], float]) -> None:
        """Add a gauge whose value is read in the event loop at each scrape."""
        made = self._client.Gauge(f"trickledger_{gauge}", _help(gauge), registry=self._registry)
        made.set_function(read)

    def text(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        content: bytes = self._client.generate_latest(self._registry)
        return content


def _help(name: str) -> str:
    return label("en", f"metric.{name}")


def metrics_app(metrics: Metrics, port: int) -> ASGIApp:
    """Return the app of the metrics port. It rejects foreign host names, so that no web page can read along by DNS
    rebinding.
    """
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
