"""All connections: who is let in, who is looked at, and who has to go where there is no room for another one."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable, Iterable
from contextlib import suppress
from operator import itemgetter
from typing import Final

from msgspec import Struct
from uvicorn.config import Config
from uvicorn.server import ServerState

from ledger.web.http.access_log import LineLog
from ledger.web.server.limits import Bounds
from ledger.web.server.protocol import Connection, Rank
from ledger.web.server.sockets import set_up_connection

_AT_ONCE: Final = 20
"""A twentieth of all connections makes room at a time: to find out whose turn it is all are looked at."""

_NO_FILES_S: Final = 0.05
_LEAVING_S: Final = 0.001


class Entrance(Struct, frozen=True):
    """A listening socket, and what answers there."""

    socket: socket.socket
    config: Config
    tls: ssl.SSLContext | None = None


class Crowd:
    """Connections are accepted one by one and only where there is room. So what waits for its client, and be it up to
    the limit of open files, takes no file from the ledger and no place from whoever has something to ask.
    """

    def __init__(self, state: ServerState, bounds: Bounds, log: LineLog, room: int) -> None:
        self._state = state
        self._bounds = bounds
        self._log = log
        self._room = room
        self._arriving: dict[asyncio.Task[None], float] = {}
        self._entrances: list[asyncio.Task[None]] = []
        self._looked_at = asyncio.get_running_loop().time()

    @property
    def connections(self) -> list[Connection]:
        return [one for one in self._state.connections if isinstance(one, Connection)]

    def open(self, entrances: Iterable[Entrance]) -> None:
        self._entrances = [asyncio.create_task(self._accept(entrance)) for entrance in entrances]

    async def close(self) -> None:
        """Let nobody else in."""
        for task in (*self._entrances, *self._arriving):
            task.cancel()
        await asyncio.gather(*self._entrances, *self._arriving, return_exceptions=True)

    def look(self) -> None:
        now = asyncio.get_running_loop().time()
        passed_s, self._looked_at = now - self._looked_at, now
        for connection in self.connections:
            connection.look(now, passed_s)

    async def _accept(self, entrance: Entrance) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, _ = await loop.sock_accept(entrance.socket)
            except OSError:  # no file left, or whoever came is gone
                self._make_room()
                await asyncio.sleep(_NO_FILES_S)
                continue
            task = asyncio.create_task(self._let_in(accepted, entrance))
            self._arriving[task] = loop.time()
            task.add_done_callback(self._arrived)
            while self._is_full:
                self._make_room()
                await asyncio.sleep(_LEAVING_S)

    @property
    def _is_full(self) -> bool:
        return len(self._state.connections) + len(self._arriving) >= self._room

    async def _let_in(self, accepted: socket.socket, entrance: Entrance) -> None:
        loop = asyncio.get_running_loop()
        set_up_connection(accepted)

        def made() -> Connection:
            return Connection(entrance.config, self._state, loop, self._bounds, self._log)

        try:
            handshake_s = None if entrance.tls is None else self._bounds.handshake_s
            await loop.connect_accepted_socket(
                made, accepted, ssl=entrance.tls, ssl_handshake_timeout=handshake_s, ssl_shutdown_timeout=handshake_s
            )
        except (OSError, asyncio.CancelledError):  # a failed handshake is an OSError, too
            accepted.close()

    def _arrived(self, task: asyncio.Task[None]) -> None:
        self._arriving.pop(task, None)
        with suppress(asyncio.CancelledError):
            if (error := task.exception()) is not None:
                self._log.fault(error)

    def _make_room(self) -> None:
        """End those that have waited longest for their client, handshakes among them."""
        waiting: list[tuple[Rank, Callable[[], object]]] = [
            ((False, since), task.cancel) for task, since in self._arriving.items()
        ]
        waiting += [(rank, one.transport.abort) for one in self.connections if (rank := one.rank) is not None]
        waiting.sort(key=itemgetter(0))
        for _, end in waiting[: max(1, self._room // _AT_ONCE)]:
            end()
