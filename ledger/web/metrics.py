"""What the service counts and measures for Prometheus, on a port of its own; nothing where nobody asked for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias, get_args

from ledger.extras import module_of_extra
from ledger.web.words import label

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

Gauge: TypeAlias = Literal["writer_queue", "listeners", "folds_cached", "history_lag"]

CONTENT_TYPE: Final = b"text/plain; version=0.0.4; charset=utf-8"
_LATENCIES_S: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
_GROUPS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Metrics(Protocol):
    def answered(self, method: str, route: str | None, status: int | None, seconds: float) -> None:
        """A request, by the pattern of its route; `seconds` until the answer began."""

    def appended(self, entries: int, requests: int) -> None:
        """A commit: how many entries, of how many requests."""

    def watch(self, gauge: Gauge, read: Callable[[], float]) -> None:
        """What is read when somebody asks, in the thread of the event loop."""


class Unmeasured:
    """Where nobody asked for metrics."""

    def answered(self, method: str, route: str | None, status: int | None, seconds: float) -> None:
        pass

    def appended(self, entries: int, requests: int) -> None:
        pass

    def watch(self, gauge: Gauge, read: Callable[[], float]) -> None:
        pass


class Measured:
    """Counted by prometheus-client in a registry of its own; raises `NotFoundError` where that is not installed."""

    def __init__(self) -> None:
        client = module_of_extra("serve", "prometheus_client")
        client.disable_created_metrics()  # the moment since when is counted: twice the lines, and nobody asks
        registry: CollectorRegistry = client.CollectorRegistry()
        self._client = client
        self._registry = registry
        self._requests = client.Counter(
            "trickledger_requests", _help("requests"), ("method", "route", "status"), registry=registry
        )
        self._seconds = client.Histogram(
            "trickledger_answer_seconds", _help("answer_seconds"), ("route",), buckets=_LATENCIES_S, registry=registry
        )
        self._entries = client.Counter("trickledger_appended_entries", _help("appended_entries"), registry=registry)
        self._groups = client.Histogram(
            "trickledger_commit_requests", _help("commit_requests"), buckets=_GROUPS, registry=registry
        )
        self._gauges = {
            name: client.Gauge(f"trickledger_{name}", _help(name), registry=registry) for name in get_args(Gauge)
        }

    def answered(self, method: str, route: str | None, status: int | None, seconds: float) -> None:
        self._requests.labels(method, route or "", status or "").inc()
        self._seconds.labels(route or "").observe(seconds)

    def appended(self, entries: int, requests: int) -> None:
        self._entries.inc(entries)
        self._groups.observe(requests)

    def watch(self, gauge: Gauge, read: Callable[[], float]) -> None:
        self._gauges[gauge].set_function(read)

    def text(self) -> bytes:
        """All of it in Prometheus' text format."""
        told: bytes = self._client.generate_latest(self._registry)
        return told


def _help(name: str) -> str:
    return label("en", f"metric.{name}")
