"""Who listens: places in the log, not queues. What has been published wakes them; each takes what comes next himself.

All of it happens in the event loop. How a listener is told is not decided here.
"""

from __future__ import annotations

import asyncio
from typing import Final

from msgspec import Struct

from ledger.service.live_buffer import Follower, LiveBuffer
from ledger.service.states import Published
from ledger.service.visibility import VisibleHead

ALL_STREAMS: Final = 400
TOKEN_STREAMS: Final = 400
"""One link serves many watchers."""
BROWSER_STREAMS: Final = 8
"""So many may one signed-in browser have open."""


class Pace(Struct, frozen=True, kw_only=True):
    """`ping_s`: so often a listener hears where the log ends. `gap_s`: so long apart listeners are woken, that many
    entries are told at once when many come. `tick_s`: so often it is looked who is to hear something.
    """

    ping_s: float = 15.0
    gap_s: float = 0.02
    tick_s: float = 0.5


class Listener:
    """Somebody who has been told everything up to `position`. `browser`: which signed-in one it is, if any.

    `is_due`: he has not heard for a while where the log ends. `has_gone`: nobody takes what he is told any more.
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
        """Until there may be something to tell."""
        self._woken = asyncio.get_running_loop().create_future()
        try:
            await self._woken
        finally:
            self._woken = None

    def wake(self) -> None:
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(None)

    def go(self) -> None:
        self.has_gone = True
        self.wake()


class Hub:
    """Everybody who listens, and the buffer from which they are told."""

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
        """So many listen now."""
        return len(self._listeners)

    def reached_limit(self, token: str, browser: str | None) -> int | None:
        """How many streams there may be where one more would be too many; None where it would not."""
        if len(self._listeners) >= ALL_STREAMS:
            return ALL_STREAMS
        if sum(one.token == token for one in self._listeners) >= TOKEN_STREAMS:
            return TOKEN_STREAMS
        if browser is not None and sum(one.browser == browser for one in self._listeners) >= BROWSER_STREAMS:
            return BROWSER_STREAMS
        return None

    def join(self, listener: Listener) -> None:
        loop = asyncio.get_running_loop()
        listener.next_ping = loop.time() + self.pace.ping_s
        self._listeners.add(listener)
        if self._ticking is None:
            self._ticking = loop.call_later(self.pace.tick_s, self._tick)

    def leave(self, listener: Listener) -> None:
        self._listeners.discard(listener)

    def publish(self, published: Published) -> None:
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
        """Everybody is told that it is over."""
        self.is_closing = True
        for listener in self._listeners:
            listener.wake()
