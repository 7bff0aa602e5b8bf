"""The server: uvicorn with uvloop, connection limits, and a shutdown that loses no answer."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from operator import itemgetter
from typing import Any, Final

import uvicorn
import uvloop
from msgspec import Struct
from starlette.types import ASGIApp
from uvicorn.config import Config
from uvicorn.server import ServerState

from ledger.web.http.access_log import LineLog
from ledger.web.http.middleware import ErrorMiddleware
from ledger.web.server.metrics import Metrics, metrics_app
from ledger.web.server.protocol import Connection, Limits, Rank
from ledger.web.server.sockets import Listening, room_for_connections, set_up_connection

_AT_ONCE: Final = 20
"""The fraction of connections (1/20) that is closed at a time to make room: choosing them examines all."""

_NO_FILES_S: Final = 0.05
_LEAVING_S: Final = 0.001


class ListeningSocket(Struct, frozen=True):
    """A listening socket, and the app that answers there."""

    socket: socket.socket
    config: Config
    tls: ssl.SSLContext | None = None


class Connections:
    """The connections, accepted one by one while there is room.

    Connections that wait for their client, even up to the limit of open files, cannot use up files of the ledger or
    keep other clients out.
    """

    def __init__(self, state: ServerState, limits: Limits, log: LineLog, room: int) -> None:
        self._state = state
        self._limits = limits
        self._log = log
        self._room = room
        self._arriving: dict[asyncio.Task[None], float] = {}
        self._listening: list[asyncio.Task[None]] = []
        self._looked_at = asyncio.get_running_loop().time()

    @property
    def accepted(self) -> list[Connection]:
        return [one for one in self._state.connections if isinstance(one, Connection)]

    def open(self, listening: Iterable[ListeningSocket]) -> None:
        """Start accepting connections."""
        self._listening = [asyncio.create_task(self._accept(at)) for at in listening]

    async def close(self) -> None:
        """Stop accepting connections."""
        for task in (*self._listening, *self._arriving):
            task.cancel()
        await asyncio.gather(*self._listening, *self._arriving, return_exceptions=True)

    def look(self) -> None:
        """Check the limits of all connections."""
        now = asyncio.get_running_loop().time()
        passed_s, self._looked_at = now - self._looked_at, now
        for connection in self.accepted:
            connection.look(now, passed_s)

    async def _accept(self, at: ListeningSocket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, _ = await loop.sock_accept(at.socket)
            except OSError:  # out of files, or the client has gone
                self._make_room()
                await asyncio.sleep(_NO_FILES_S)
                continue
            task = asyncio.create_task(self._let_in(accepted, at))
            self._arriving[task] = loop.time()
            task.add_done_callback(self._arrived)
            while self._is_full:
                self._make_room()
                await asyncio.sleep(_LEAVING_S)

    @property
    def _is_full(self) -> bool:
        return len(self._state.connections) + len(self._arriving) >= self._room

    async def _let_in(self, accepted: socket.socket, at: ListeningSocket) -> None:
        loop = asyncio.get_running_loop()
        set_up_connection(accepted)

        def made() -> Connection:
            return Connection(at.config, self._state, loop, self._limits, self._log)

        try:
            handshake_s = None if at.tls is None else self._limits.handshake_s
            await loop.connect_accepted_socket(
                made, accepted, ssl=at.tls, ssl_handshake_timeout=handshake_s, ssl_shutdown_timeout=handshake_s
            )
        except (OSError, asyncio.CancelledError):  # a failed handshake is an OSError, too
            accepted.close()

    def _arrived(self, task: asyncio.Task[None]) -> None:
        self._arriving.pop(task, None)
        with suppress(asyncio.CancelledError):
            if (error := task.exception()) is not None:
                self._log.fault(error)

    def _make_room(self) -> None:
        """Close the connections that have waited longest for their client, including handshakes."""
        waiting: list[tuple[Rank, Callable[[], object]]] = [
            ((False, since), task.cancel) for task, since in self._arriving.items()
        ]
        waiting += [(rank, one.transport.abort) for one in self.accepted if (rank := one.rank) is not None]
        waiting.sort(key=itemgetter(0))
        for _, end in waiting[: max(1, self._room // _AT_ONCE)]:
            end()


_TICK_S: Final = 1.0
_ENDING_LOOK_S: Final = 0.02
_READING_S: Final = 0.05
_USUAL_LIMITS: Final = Limits()
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


async def _nothing() -> None:
    pass


class Hosted(Struct, frozen=True, kw_only=True):
    """An app, and the functions called when the process begins and ends, in this order."""

    app: ASGIApp
    started: Callable[[], Awaitable[None]] = _nothing
    """Called when the event loop runs, before any connection is accepted."""

    closing: Callable[[], None] = lambda: None
    """Called when streams must end and new requests are refused (`closing`)."""

    drained: Callable[[], Awaitable[None]] = _nothing
    """Called when every answer is sent and the writer must finish."""


def serve(
    hosted: Hosted,
    listening: Listening,
    *,
    log: LineLog,
    metrics: Metrics | None = None,
    limits: Limits = _USUAL_LIMITS,
    room: int | None = None,
) -> None:
    """Serve until SIGTERM or Ctrl-C; a second signal ends the process at once.

    `room`: the most connections; by default as many as the limit of open files allows.
    """
    logging.getLogger("uvicorn").disabled = True
    for name in ("uvicorn.error", "uvicorn.access", "uvicorn.asgi", "asyncio"):
        logging.getLogger(name).disabled = True  # our own log has their events, as JSON and without data
    server = _Server(hosted, listening, log, metrics, limits, room_for_connections() if room is None else room)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(server.serve())


class _Server(uvicorn.Server):
    """uvicorn's server with our sockets, connection checks and shutdown."""

    def __init__(
        self, hosted: Hosted, listening: Listening, log: LineLog, metrics: Metrics | None, limits: Limits, room: int
    ) -> None:
        super().__init__(_config(ErrorMiddleware(hosted.app, log), limits))
        self._metrics = metrics
        self._hosted = hosted
        self._listening = listening
        self._log = log
        self._limits = limits
        self._room = room
        self._end_requested = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for one in _SIGNALS:
            loop.add_signal_handler(one, self._ask_to_end, one)
        try:
            yield
        finally:
            for one in _SIGNALS:
                loop.remove_signal_handler(one)

    def _ask_to_end(self, number: int) -> None:
        if self._end_requested.is_set():  # recorded entries are safe however the process ends
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        self.end()

    def end(self) -> None:
        """Begin the shutdown, as the first signal does; to be called in the event loop."""
        self._end_requested.set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._log_fault)
        await self._hosted.started()
        self.connections = Connections(self.server_state, self._limits, self._log, self._room)
        listening = [ListeningSocket(one, self.config, self._listening.tls) for one in self._listening.sockets]
        if self._metrics is not None:
            for one in self._listening.metrics_sockets:
                config = _config(metrics_app(self._metrics, one.getsockname()[1]), self._limits)
                listening.append(ListeningSocket(one, config))
        await self.on_tick(0)
        self.connections.open(listening)
        self._watch = asyncio.create_task(self._look(self._limits.look_s))
        self.started = True

    async def main_loop(self) -> None:
        while not self._end_requested.is_set():
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._end_requested.wait(), _TICK_S)
            await self.on_tick(0)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting and end streams; then send pending answers and let the writer finish."""
        await self.connections.close()
        self._hosted.closing()
        await asyncio.sleep(_READING_S)  # requests that have arrived are read and answered
        self._watch.cancel()
        self._watch = asyncio.create_task(self._look(_ENDING_LOOK_S))
        for connection in self.connections.accepted:
            connection.shutdown()
        await self._until(lambda: not self.server_state.tasks, self._limits.grace_s)
        for task in self.server_state.tasks:
            task.cancel()
        await self._hosted.drained()
        await self._until(lambda: not self.server_state.connections, self._limits.ending_s)
        for connection in self.connections.accepted:
            connection.transport.abort()
        self._watch.cancel()
        self._listening.close()

    async def _until(self, is_done: Callable[[], bool], most_s: float) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + most_s
        while not is_done() and loop.time() < end:
            await asyncio.sleep(_ENDING_LOOK_S)

    async def _look(self, every_s: float) -> None:
        while True:
            self.connections.look()
            await asyncio.sleep(every_s)

    def _log_fault(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if (error := context.get("exception")) is not None:
            self._log.fault(error)


def _config(app: Any, limits: Limits) -> Config:
    config = Config(
        app,
        http="httptools",
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=limits.idle_s,
    )
    config.load()
    return config
