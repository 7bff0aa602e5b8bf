"""Listeners of a service in this process, from its start until it closes, and everything they receive."""

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote

from ledger.access.grants import Grant
from ledger.web.http.routing import PREFIX
from tests.patience import PATIENCE_S
from tests.web.serving import Served


class Listening(NamedTuple):
    """A stream by `path` with its query."""

    path: str
    who: Grant | None
    accept: str


class Listeners:
    def __init__(self, served: Served) -> None:
        self._served = served
        self._heard: list[list[bytes]] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def join(self, all_of_them: Sequence[Listening]) -> None:
        for one in all_of_them:
            await self._join(one)

    async def _join(self, one: Listening) -> None:
        heard: list[bytes] = []
        self._heard.append(heard)
        path, _, query = (PREFIX + one.path).partition("?")
        headers = [(b"host", b"127.0.0.1"), (b"accept", one.accept.encode())]
        if one.who is not None:
            headers.append((b"authorization", f"Bearer {self._served._access.secret_of(one.who)}".encode()))
        scope = {
            "type": "http", "method": "GET", "path": unquote(path), "query_string": query.encode(), "headers": headers,
            "server": ("127.0.0.1", 80), "client": ("127.0.0.1", 1234), "scheme": "http",
        }  # fmt: skip

        async def receive() -> dict[str, Any]:
            await asyncio.Event().wait()
            raise AssertionError

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                heard.append(repr((message["status"], message["headers"])).encode() + b"\n")
            else:
                heard.append(message["body"])

        self._tasks.append(asyncio.create_task(self._served.app(scope, receive, send)))
        await asyncio.sleep(0)

    async def heard(self) -> list[bytes]:
        """Return what each listener has received once all of them wait for more."""
        hub = self._served.service.hub
        async with asyncio.timeout(PATIENCE_S):
            while not all(self._heard) or any(one.position < hub.head or one._woken is None for one in hub._listeners):
                await asyncio.sleep(0.01)
        return [b"".join(one) for one in self._heard]
