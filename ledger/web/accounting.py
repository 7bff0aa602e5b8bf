"""Around the app: each request in the log and the metrics, and the answer where the app gives none."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from time import perf_counter
from typing import Any, TypeAlias

from ledger.web.last_resort import LastCode, last_answer
from ledger.web.line_log import LineLog
from ledger.web.metrics import Metrics
from ledger.web.noted import CUT, ROUTE, TOKEN

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]


def accounted(app: App, log: LineLog, metrics: Metrics) -> App:
    """The app with its account: method, route, status, milliseconds, bytes and id of the token, and nothing that was
    asked or told. A stream stands in the log when it has ended.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        begun = perf_counter()
        status: int | None = None
        answered_s = 0.0
        size = 0

        async def counted(message: Message) -> None:
            nonlocal status, answered_s, size
            if message["type"] == "http.response.start":
                status, answered_s = message["status"], perf_counter() - begun
            else:
                size += len(message.get("body", b""))
            await send(message)

        code: LastCode = "internal"
        try:
            await app(scope, receive, counted)
        except asyncio.CancelledError:
            code = "closing"
        except Exception as error:
            if CUT not in scope["state"]:
                log.fault(error)
        state = scope["state"]
        if status is None and CUT not in state:
            await _answer_last(code, scope, counted)
        told = state[CUT] if status is None else status
        route, method = state.get(ROUTE), scope["method"]
        spent_s = perf_counter() - begun
        log.write(
            "request",
            method=method,
            route=route,
            status=told,
            ms=round(spent_s * 1000, 3),
            bytes=size,
            token=state.get(TOKEN),
        )
        metrics.answered(method, route, told, answered_s or spent_s)

    return answer


async def _answer_last(code: LastCode, scope: Scope, send: Send) -> None:
    answer = last_answer(code, headers=scope["headers"], path=scope["path"])
    await send({"type": "http.response.start", "status": answer.status, "headers": list(answer.headers)})
    await send({"type": "http.response.body", "body": answer.body})
