"""The process that serves: uvicorn with uvloop, its connections within bounds, and an end that loses no answer."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from socket import socket
from typing import Any, Final

import uvicorn
import uvloop
from msgspec import Struct
from uvicorn.config import Config

from ledger.web.http.access_log import LineLog
from ledger.web.http.error_middleware import App, never_silent
from ledger.web.server.connections import Crowd, Entrance
from ledger.web.server.limits import Bounds
from ledger.web.server.metrics import Metrics
from ledger.web.server.metrics_app import metrics_app
from ledger.web.server.sockets import Listening, room_for_connections

_TICK_S: Final = 1.0
_ENDING_LOOK_S: Final = 0.02
_READING_S: Final = 0.05
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


async def _nothing() -> None:
    pass


class Hosted(Struct, frozen=True, kw_only=True):
    """An app, and what is to be told when the process begins and ends, in this order."""

    app: App
    started: Callable[[], Awaitable[None]] = _nothing
    """The event loop runs, and nobody has been let in yet."""

    closing: Callable[[], None] = lambda: None
    """Streams are to end, new requests to be told so (`closing`)."""

    drained: Callable[[], Awaitable[None]] = _nothing
    """Every answer is given: the writer is to finish."""


def serve(
    hosted: Hosted,
    listening: Listening,
    *,
    log: LineLog,
    metrics: Metrics | None = None,
    bounds: Bounds | None = None,
    room: int | None = None,
) -> None:
    """Serve until SIGTERM or Ctrl-C; a second one ends at once.

    `room`: how many connections there may be, by default what the limit of open files leaves.
    """
    logging.getLogger("uvicorn").disabled = True
    for name in ("uvicorn.error", "uvicorn.access", "uvicorn.asgi", "asyncio"):
        logging.getLogger(name).disabled = True  # what they have to say goes into our log, as JSON and without data
    server = _Server(
        hosted, listening, log, metrics, Bounds() if bounds is None else bounds,
        room_for_connections() if room is None else room,
    )  # fmt: skip
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(server.serve())


class _Server(uvicorn.Server):
    """uvicorn's, with an entrance, an eye on its connections, and an end of our own."""

    def __init__(
        self, hosted: Hosted, listening: Listening, log: LineLog, metrics: Metrics | None, bounds: Bounds, room: int
    ) -> None:
        super().__init__(_config(never_silent(hosted.app, log), bounds))
        self._metrics = metrics
        self._hosted = hosted
        self._listening = listening
        self._log = log
        self._bounds = bounds
        self._room = room
        self._is_asked = asyncio.Event()

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
        if self._is_asked.is_set():  # what is recorded is safe, whatever ends us
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        self.end()

    def end(self) -> None:
        """Begin to end, as the first signal does; to be called in the event loop."""
        self._is_asked.set()

    async def startup(self, sockets: list[socket] | None = None) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._tell_fault)
        await self._hosted.started()
        self.crowd = Crowd(self.server_state, self._bounds, self._log, self._room)
        entrances = [Entrance(one, self.config, self._listening.tls) for one in self._listening.sockets]
        if self._metrics is not None:
            for one in self._listening.metrics_sockets:
                config = _config(metrics_app(self._metrics, one.getsockname()[1]), self._bounds)
                entrances.append(Entrance(one, config))
        await self.on_tick(0)
        self.crowd.open(entrances)
        self._watch = asyncio.create_task(self._look(self._bounds.look_s))
        self.started = True

    async def main_loop(self) -> None:
        while not self._is_asked.is_set():
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._is_asked.wait(), _TICK_S)
            await self.on_tick(0)

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """First nobody is let in and streams are told to end; then answers are given, and the writer finishes."""
        await self.crowd.close()
        self._hosted.closing()
        await asyncio.sleep(_READING_S)  # what has arrived already is read, and answered
        self._watch.cancel()
        self._watch = asyncio.create_task(self._look(_ENDING_LOOK_S))
        for connection in self.crowd.connections:
            connection.shutdown()
        await self._until(lambda: not self.server_state.tasks, self._bounds.grace_s)
        for task in self.server_state.tasks:
            task.cancel()
        await self._hosted.drained()
        await self._until(lambda: not self.server_state.connections, self._bounds.ending_s)
        for connection in self.crowd.connections:
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
            self.crowd.look()
            await asyncio.sleep(every_s)

    def _tell_fault(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if (error := context.get("exception")) is not None:
            self._log.fault(error)


def _config(app: Any, bounds: Bounds) -> Config:
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
        timeout_keep_alive=bounds.idle_s,
    )
    config.load()
    return config
