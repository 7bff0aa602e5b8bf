"""The account of what is answered: a line in the log, and a count for Prometheus where that is asked for."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from ledger.web.http.access_log import LineLog
from ledger.web.http.request_log import Logged, RequestLog
from ledger.web.server.metrics import Metrics


class Account(RequestLog):
    """What the app tells of each request, in the log of the service."""

    def __init__(self, log: LineLog, metrics: Metrics | None = None) -> None:
        super().__init__()
        self._log = log
        self._metrics = metrics

    def request(self, logged: Logged) -> None:
        spent_s = perf_counter() - logged.began
        self._log.write(
            "request",
            method=logged.method,
            route=logged.route,
            status=logged.status,
            ms=round(spent_s * 1000, 1),
            bytes=logged.size_bytes,
            token=logged.token,
        )
        if self._metrics is not None:
            self._metrics.answered(logged.method, logged.route, logged.status, spent_s)

    def tell(self, event: str, **values: Any) -> None:
        self._log.write(event, **values)
