"""The listeners of live streams. Each has a position in the log and no queue; news wakes them, and each reads on.

Everything happens in the event loop. The format of the stream is not decided here.
"""

from __future__ import annotations

import asyncio
from typing import Final

from msgspec import Struct

from ledger.service.live_buffer import Follower, LiveBuffer
from ledger.service.states import Published
from ledger.service.visibility import VisibleHead

ALL_STREAMS: Final = 1_000
"""The most streams in all: a championship has hundreds of players with phones, besides those who watch."""
TOKEN_STREAMS: Final = 400
"""The most streams of one token; one link serves many watchers."""
BROWSER_STREAMS: Final = 8
"""The most streams of one signed-in browser."""


class Pace(Struct, frozen=True, kw_only=True):
    """The timing of live streams. `ping_s`: the interval at which a listener receives the head of the log. `gap_s`: the
    shortest time between two wake-ups, so that entries that come together are sent together. `tick_s`: the interval of
    the check for listeners that are due.
    """

    ping_s: float = 15.0
    gap_s: float = 0.02
    tick_s: float = 0.5


class Listener:
    """A client that has received everything up to `position`. `browser`: the signed-in browser, if any.

    `is_due`: the listener has not received the head for a while. `has_gone`: the client has disconnected.
    """

    def __init__(self, follower: Follower, position: int, token: str, browser: str | None = None) -> None:
        self.follower = follower
        self.position = position
        self.token = token
        self.browser = browser
        self.is_due = False
        self.has_gone = False
        self.next_ping = 0.0
        self._woken: asyncio.Future[None] | None = None

    async def wait(self) -> None:
        """Wait until there may be something to send."""
        self._woken = asyncio.get_running_loop().create_future()
        try:
            await self._woken
        finally:
            self._woken = None

    def wake(self) -> None:
        """Wake the listener."""
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(None)

    def go(self) -> None:
        """Mark the client as disconnected and wake the listener."""
        self.has_gone = True
        self.wake()


class Hub:
    """All listeners, and the buffer that they read from."""

    def __init__(self, visible: VisibleHead, pace: Pace | None = None) -> None:
        self.buffer = LiveBuffer(visible)
        self.pace = pace or Pace()
        self.is_closing = False
        self._listeners: set[Listener] = set()
        self._woken_at = 0.0
        self._wake_timer: asyncio.TimerHandle | None = None
        self._ticking: asyncio.TimerHandle | None = None

    @property
    def head(self) -> int:
        """The position up to which everything has been published."""
        return self.buffer.visible.head.position

    @property
    def listening(self) -> int:
        """The number of listeners."""
        return len(self._listeners)

    def listeners(self) -> list[Listener]:
        """Return the listeners of this moment."""
        return list(self._listeners)

    def reached_limit(self, token: str, browser: str | None) -> int | None:
        """Return the limit that one more stream would exceed; None if it is allowed."""
        if len(self._listeners) >= ALL_STREAMS:
            return ALL_STREAMS
        if sum(one.token == token for one in self._listeners) >= TOKEN_STREAMS:
            return TOKEN_STREAMS
        if browser is not None and sum(one.browser == browser for one in self._listeners) >= BROWSER_STREAMS:
            return BROWSER_STREAMS
        return None

    def join(self, listener: Listener) -> None:
        """Add a listener."""
        loop = asyncio.get_running_loop()
        listener.next_ping = loop.time() + self.pace.ping_s
        self._listeners.add(listener)
        if self._ticking is None:
            self._ticking = loop.call_later(self.pace.tick_s, self._tick)

    def leave(self, listener: Listener) -> None:
        """Remove a listener."""
        self._listeners.discard(listener)

    def publish(self, published: Published) -> None:
        """Add published entries to the buffer and wake the listeners, at once or after the gap."""
        self.buffer.take(published)
        if self._listeners and published.rows and self._wake_timer is None:
            loop = asyncio.get_running_loop()
            wait_s = self._woken_at + self.pace.gap_s - loop.time()
            if wait_s <= 0:
                self._wake_listeners()
            else:
                self._wake_timer = loop.call_later(wait_s, self._wake_listeners)

    def _wake_listeners(self) -> None:
        self._wake_timer = None
        self._woken_at = asyncio.get_running_loop().time()
        for listener in self._listeners:
            listener.wake()

    def _tick(self) -> None:
        self._ticking = None
        if not self._listeners:
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        for listener in self._listeners:
            if now >= listener.next_ping:
                listener.next_ping += self.pace.ping_s
                listener.is_due = True
                listener.wake()
        self._ticking = loop.call_later(self.pace.tick_s, self._tick)

    def close(self) -> None:
        """Notify all listeners that the service is ending."""
        self.is_closing = True
        for listener in self._listeners:
            listener.wake()
