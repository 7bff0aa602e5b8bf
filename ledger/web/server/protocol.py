"""One connection: HTTP/1.1 as uvicorn implements it, with limits on a client's time and memory.

uvicorn waits for ever for slow headers, slow bodies and readers that take nothing. Here every connection is checked
twice a second, which costs a request nothing: it needs no timer.
"""

from __future__ import annotations

import asyncio
import fcntl
import struct
import termios
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from ledger.web.http.access_log import LOGGED, LineLog
from ledger.web.http.auth import NOBODY, PUBLIC
from ledger.web.http.middleware import LastCode, last_answer


class Limits(Struct, frozen=True, kw_only=True):
    """The limits of a connection. The defaults are those of the HTTP contract, section 6; tests use shorter times."""

    header_bytes: int = 16 * 1024
    """The size of request line and headers together."""

    pipelined: int = 32
    """The number of requests that wait on one connection while an earlier one is being answered."""

    headers_s: float = 10
    """The time from the first byte of a request, or from the connection, to the end of the headers."""

    body_s: float = 10
    """The time from the headers to the end of the body; time in which the service itself does not read is not counted.
    """

    idle_s: int = 75
    """The time between an answer and the next request."""

    stalled_s: float = 60
    """The time without progress after which a reader counts as gone."""

    handshake_s: float = 10
    linger_s: float = 1
    """The time in which further input is discarded after a refusal, so that the client can read it."""

    look_s: float = 0.5
    """The interval of the check of all connections, and so the precision of these limits."""

    grace_s: float = 5
    """The time for pending answers when the service ends."""

    ending_s: float = 0.2
    """The time for an incomplete body, or a stalled reader, when the service ends."""


Part: TypeAlias = Literal["headers", "body"]
Rank: TypeAlias = tuple[bool, float]

_LINE_END_BYTES: Final = 4
"""The size of `: ` and the end of the line, around a header's name and value."""

_NOBODY: Final = frozenset((None, NOBODY.token, PUBLIC.token))


def _untaken_bytes(transport: asyncio.Transport) -> int:
    """Return the number of sent bytes that the client has not taken from the system; 0 if the system does not report
    it.
    """
    try:
        packed = fcntl.ioctl(transport.get_extra_info("socket").fileno(), termios.TIOCOUTQ, bytes(4))
    except OSError:
        return 0
    (untaken,) = struct.unpack("i", packed)
    return int(untaken)


class _NotTaken(Exception):
    """The exception that stops the parser."""


class Connection(HttpToolsProtocol):
    """A connection. `awaited`: the part of a request that is incomplete, if any; `due`: its deadline."""

    def __init__(
        self, config: Config, state: ServerState, loop: asyncio.AbstractEventLoop, limits: Limits, log: LineLog
    ) -> None:
        super().__init__(config, state, app_state={}, _loop=loop)
        self._limits = limits
        self._log = log
        self.awaited: Part | None = "headers"
        self.due = loop.time() + limits.headers_s
        self.waiting_since = loop.time()
        self.is_known = False
        self._is_refused = False
        self._is_ending = False
        self._held_back: LastCode | None = None
        self._why: LastCode = "not_http"
        self._chunk_bytes = 0
        self._is_head_alone = True
        self._head_bytes = 0
        self._unsent_bytes = 0
        self._stalled_since: float | None = None
        self.url = b""

    @property
    def rank(self) -> Rank | None:
        """The order in which connections are closed to make room: of those that wait for their client, first those that
        never showed a token, then the longest waiting. None while a request is being answered.
        """
        return None if self._is_answering and self.awaited is None else (self.is_known, self.waiting_since)

    @property
    def _is_answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request, unlike uvicorn's type
        return cycle is not None and not cycle.response_complete

    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            return
        self._chunk_bytes = len(data)
        self._is_head_alone = True
        super().data_received(data)
        if self.awaited == "headers" and self._is_head_alone and not self._is_refused:
            self._head_bytes += self._chunk_bytes
            if self._head_bytes > self._limits.header_bytes:
                self._refuse("headers_too_large")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self.awaited is None:
            self.awaited = "headers"
            self.due = self.loop.time() + self._limits.headers_s
        self._head_bytes = 0

    def on_headers_complete(self) -> None:
        if (
            self._head_bytes + self._chunk_bytes > self._limits.header_bytes
            and self._size() > self._limits.header_bytes
        ):
            self._why = "headers_too_large"
            raise _NotTaken
        if len(self.pipeline) >= self._limits.pipelined:
            self._why = "too_many_requests"
            raise _NotTaken
        if b"://" in self.url and not self._names_host_of_headers():
            raise _NotTaken
        super().on_headers_complete()
        self.awaited = "body"
        self.due = self.loop.time() + self._limits.body_s

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self.awaited = None
        self._is_head_alone = False  # further bytes belong to the next request
        self.waiting_since = self.loop.time()

    def _names_host_of_headers(self) -> bool:
        """Return whether an absolute target (`http://host/…`) names the same host as the headers."""
        scheme, _, rest = self.url.partition(b"://")
        if scheme.startswith(b"/"):
            return True
        authority = rest.partition(b"/")[0].partition(b"?")[0]
        return [value.lower() for name, value in self.headers if name == b"host"] == [authority.lower()]

    def _size(self) -> int:
        lines = sum(len(name) + len(value) + _LINE_END_BYTES for name, value in self.headers)
        return len(self.url) + lines

    def send_400_response(self, msg: str) -> None:
        self._refuse(self._why)

    def eof_received(self) -> bool:  # type: ignore[override]
        """Keep the connection open for an answer where the client only closed its sending half; a listener is gone."""
        if self.awaited is not None or not self._is_answering or self.cycle.response_started:
            return False
        self.cycle.keep_alive = False
        return self.transport.can_write_eof()  # with TLS there are no halves

    def on_response_complete(self) -> None:
        now = self.loop.time()
        self.waiting_since = now
        logged = self.cycle.scope["state"].get(LOGGED)
        self.is_known = self.is_known or (logged is not None and logged.token not in _NOBODY)
        if self.awaited == "headers":
            self.due = now + self._limits.headers_s
        super().on_response_complete()
        if self._held_back is not None and not self._is_answering:
            self._refuse(self._held_back)

    def look(self, now: float, passed_s: float) -> None:
        """Close what has taken too long. `passed_s`: the time since the last check."""
        if self.awaited is not None:
            if self.flow.read_paused:
                self.due += passed_s
            elif now >= self.due:
                self._end_late()
        if self._is_stalled(now):
            self.transport.abort()

    def _end_late(self) -> None:
        if self._is_refused:
            self.transport.abort()
        elif self.awaited == "headers" and not self._head_bytes:
            self.transport.close()
        else:
            self._refuse("closing" if self._is_ending else "request_timeout")

    def _is_stalled(self, now: float) -> bool:
        """Return whether output waits and the client has taken nothing for too long.

        The system reports what it still holds: a slow client empties our own buffer only now and then.
        """
        waiting_bytes = self.transport.get_write_buffer_size()
        unsent_bytes = waiting_bytes and waiting_bytes + _untaken_bytes(self.transport)
        if not unsent_bytes or unsent_bytes < self._unsent_bytes:
            self._stalled_since = None
        elif self._stalled_since is None:
            self._stalled_since = now
        self._unsent_bytes = unsent_bytes
        bound_s = self._limits.ending_s if self._is_ending else self._limits.stalled_s
        return self._stalled_since is not None and now - self._stalled_since >= bound_s

    def _refuse(self, code: LastCode) -> None:
        """Send a problem and close; earlier requests are answered first."""
        self._is_refused = True
        if self._is_answering and self.awaited == "headers":
            self._held_back = code
            self.awaited = None
            return
        path = self.url.partition(b"?")[0].decode("ascii", "replace")
        limits = {"headers_too_large": self._limits.header_bytes, "too_many_requests": self._limits.pipelined}
        answer = last_answer(code, headers=self.headers or (), path=path, limit=limits.get(code))
        if self._is_answering:
            if self.cycle.response_started:
                self.transport.abort()
                return
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self._log.write("refused", status=answer.status, code=code)
        self.transport.write(answer.as_http(self.server_state.default_headers))
        if self._is_ending:
            self.transport.close()
            return
        self.awaited = "body"
        self.due = self.loop.time() + self._limits.linger_s
        self.flow.resume_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()

    def shutdown(self) -> None:
        self._is_ending = True
        if self._is_refused:
            self.transport.close()
            return
        if self.awaited == "body" and self._is_answering:
            self.cycle.keep_alive = False
            self.due = min(self.due, self.loop.time() + self._limits.ending_s)
            return
        super().shutdown()
