"""Listeners at a real socket and in this process, from the start of a service until it closes."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, Self
from urllib.parse import unquote

from ledger.access.grants import Grant
from ledger.service.hub import Hub, Pace
from ledger.web.app import App
from ledger.web.http.access_log import AccessLog, LineLog
from ledger.web.http.routing import PREFIX
from ledger.web.server.protocol import Limits
from ledger.web.server.server import Hosted, Listening, _Server
from ledger.web.server.sockets import listening_sockets
from tests.patience import PATIENCE_S
from tests.web.serving import VIEWER, Served, faults_alone


class Message(NamedTuple):
    """A message that a client has received completely, up to its closing empty line."""

    event: str
    id: int | None
    data: Any


class Client:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._rest = b""
        self.status = 0
        self.headers: dict[str, str] = {}

    async def begin(self, request: str) -> Self:
        self._writer.write(request.encode())
        async with asyncio.timeout(PATIENCE_S):
            head = (await self._reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        self.status = int(head[0].split()[1])
        self.headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
        return self

    async def piece(self) -> bytes:
        try:
            size = int(await self._reader.readline() or b"0", 16)
            return (await self._reader.readexactly(size + 2))[:size]
        except (asyncio.IncompleteReadError, ConnectionError):
            return b""

    async def block(self) -> bytes | None:
        return await self.line(b"\n\n")

    async def line(self, end: bytes = b"\n") -> bytes | None:
        while end not in self._rest:
            # not `wait_for`: in Python 3.11 it loses a cancellation that meets a message
            async with asyncio.timeout(PATIENCE_S):
                piece = await self.piece()
            if not piece:
                return None
            self._rest += piece
        line, _, self._rest = self._rest.partition(end)
        return line

    async def message(self) -> Message | None:
        """Return the next message with an event; None at the end."""
        while (block := await self.block()) is not None:
            fields = dict(line.split(": ", 1) for line in block.decode().split("\n"))
            if "event" in fields:
                id = fields.get("id")
                return Message(fields["event"], None if id is None else int(id), json.loads(fields["data"]))
        return None

    async def messages(self, count: int) -> list[Message]:
        messages = [await self.message() for _ in range(count)]
        return [one for one in messages if one is not None]

    async def entries(self, count: int) -> list[Message]:
        entries: list[Message] = []
        while len(entries) < count:
            message = await self.message()
            assert message is not None, f"the stream ended after {len(entries)} of {count} entries"
            if message.event == "entry":
                entries.append(message)
        return entries

    async def body(self) -> Any:
        async with asyncio.timeout(PATIENCE_S):
            return json.loads(await self._reader.read())

    def drop(self) -> None:
        self._writer.transport.abort()


class At:
    def __init__(self, port: int, served: Served, server: _Server) -> None:
        self.port, self.served, self.server = port, served, server
        self._clients: list[Client] = []

    async def connect(
        self, path: str, *, who: Grant | None = VIEWER, headers: Mapping[str, str] | None = None, method: str = "GET"
    ) -> Client:
        """Return a client that has received the head of the answer."""
        fields = {"Host": f"127.0.0.1:{self.port}", **(headers or {})}
        if who is not None:
            fields["Authorization"] = f"Bearer {self.served._access.secret_of(who)}"
        lines = [f"{method} {PREFIX}{path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
        client = Client(*await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20))
        self._clients.append(client)
        return await client.begin("\r\n".join(lines))

    async def problem(self, path: str, **how: Any) -> dict[str, Any]:
        client = await self.connect(path, **{**how, "headers": {"Connection": "close", **how.get("headers", {})}})
        body: dict[str, Any] = await client.body()
        assert client.headers["content-type"] == "application/problem+json", body
        return body

    async def listening(self, count: int) -> None:
        hub = self.served.service.hub
        async with asyncio.timeout(PATIENCE_S):
            while hub.listening != count:
                await asyncio.sleep(0.01)

    def drop_all(self) -> None:
        for client in self._clients:
            client.drop()


@asynccontextmanager
async def at_a_socket(served: Served, *, pace: Pace | None = None, limits: Limits | None = None) -> AsyncIterator[At]:
    """Serve at a free port until the end of the block."""
    service = served.service
    if pace is not None:
        service.hub = Hub(service.visible, pace)

    hosted = Hosted(app=App(service, AccessLog(faults_alone)), closing=service.begin_closing)
    sockets = listening_sockets("127.0.0.1", 0)
    log = LineLog(os.open(os.devnull, os.O_WRONLY))
    server = _Server(hosted, Listening(sockets=sockets), log, None, limits or Limits(), 1_000)
    serving = asyncio.create_task(server.serve())
    at = At(sockets[0].getsockname()[1], served, server)
    try:
        yield at
    finally:
        at.drop_all()
        server.end()
        await serving


def listen(served: Served, work: Callable[[At], Awaitable[None]], **how: Any) -> None:
    """Do some work at a socket of a service; `how`: as `at_a_socket`."""

    async def do() -> None:
        async with at_a_socket(served, **how) as at:
            await work(at)

    served.run(do())


def at_socket(**how: Any) -> Callable[[Callable[[At], Awaitable[None]]], Callable[[Served], None]]:
    """Decorate a test that listens at a socket of the fixture `served`; `how`: as `at_a_socket`."""

    def decorated(test: Callable[[At], Awaitable[None]]) -> Callable[[Served], None]:
        def run(served: Served) -> None:
            listen(served, test, **how)

        run.__name__, run.__doc__ = test.__name__, test.__doc__
        return run

    return decorated


class OpenStream(NamedTuple):
    """A stream by `path` with its query."""

    path: str
    who: Grant | None
    accept: str


class Listeners:
    def __init__(self, served: Served) -> None:
        self._served = served
        self._heard: list[list[bytes]] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def join(self, all_of_them: Sequence[OpenStream]) -> None:
        for one in all_of_them:
            await self._join(one)

    async def _join(self, one: OpenStream) -> None:
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
