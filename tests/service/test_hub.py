"""Listeners, and when they are woken."""

import asyncio
import tracemalloc
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from ledger.log.base import EMPTY, Head, Row
from ledger.service import hub as hubs
from ledger.service import live_buffer
from ledger.service.hub import Hub, Listener, Pace
from ledger.service.live_buffer import Follower
from ledger.service.states import Published
from ledger.service.visibility import View, VisibleHead
from tests.service.test_live_buffer import NAMES

ALL = Follower(View(), None, NAMES)


def a_listener(token: str = "link", browser: str | None = None) -> Listener:
    return Listener(ALL, 0, token, browser)


def entry(position: int) -> Published:
    row = Row(position, "session/s", position, "", "", "r", None, b"{}", bytes(32))
    return Published(rows=[row], visible=VisibleHead(head=Head(position, bytes(32)), hidden={}))


class Clock(asyncio.SelectorEventLoop):
    """An event loop whose time passes when a test says so."""

    now_s = 0.0

    def time(self) -> float:
        return self.now_s

    async def pass_by(self, seconds: float) -> None:
        """Let time pass and run everything that is due."""
        self.now_s += seconds
        for _ in range(4):
            await asyncio.sleep(0)


def at_a_clock(test: Callable[[Clock], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    def run() -> None:
        clock = Clock()
        with asyncio.Runner(loop_factory=lambda: clock) as runner:
            runner.run(test(clock))

    run.__name__ = test.__name__
    return run


@at_a_clock
async def test_the_first_news_wakes_at_once_and_close_followers_together(clock: Clock) -> None:
    hub, listener = Hub(VisibleHead(head=EMPTY, hidden={}), Pace(gap_s=0.2)), a_listener()
    hub.join(listener)
    await clock.pass_by(1)
    first = asyncio.create_task(listener.wait())
    await clock.pass_by(0)
    hub.publish(entry(1))
    await clock.pass_by(0)
    assert first.done()
    others = asyncio.create_task(listener.wait())
    for position in range(2, 10):
        await clock.pass_by(0.02)
        hub.publish(entry(position))
    await clock.pass_by(0.03)
    assert not others.done()
    await clock.pass_by(0.02)
    assert others.done()
    assert hub.head == 9
    hub.leave(listener)


@at_a_clock
async def test_who_is_not_waiting_is_not_woken_later(clock: Clock) -> None:
    hub, listener = Hub(VisibleHead(head=EMPTY, hidden={}), Pace(tick_s=10)), a_listener()
    hub.join(listener)
    await clock.pass_by(1)
    hub.publish(entry(1))
    waiting = asyncio.create_task(listener.wait())
    await clock.pass_by(5)
    assert not waiting.done()
    assert hub.head == 1  # a listener looks there before it waits


@at_a_clock
async def test_names_that_have_changed_wake_nobody(clock: Clock) -> None:
    hub, listener = Hub(VisibleHead(head=EMPTY, hidden={}), Pace(gap_s=0)), a_listener()
    hub.join(listener)
    waiting = asyncio.create_task(listener.wait())
    await clock.pass_by(1)
    hub.publish(Published(rows=(), visible=VisibleHead(head=EMPTY, hidden={}, names=1)))
    await clock.pass_by(1)
    assert not waiting.done()
    assert hub.buffer.visible.names == 1


@at_a_clock
async def test_each_is_due_by_his_own_clock(clock: Clock) -> None:
    hub = Hub(VisibleHead(head=EMPTY, hidden={}), Pace(ping_s=15, tick_s=0.5))
    early, late = a_listener(), a_listener()
    hub.join(early)
    await clock.pass_by(7.5)
    hub.join(late)
    waiting = [asyncio.create_task(one.wait()) for one in (early, late)]
    await clock.pass_by(7)
    assert [one.done() for one in waiting] == [False, False]
    await clock.pass_by(0.5)
    assert [one.done() for one in waiting] == [early.is_due, late.is_due] == [True, False]
    await clock.pass_by(7.5)
    assert waiting[1].done() and late.is_due


def test_so_many_streams_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "ALL_STREAMS", 6)
    monkeypatch.setattr(hubs, "TOKEN_STREAMS", 4)
    monkeypatch.setattr(hubs, "BROWSER_STREAMS", 2)

    async def work() -> None:
        hub = Hub(VisibleHead(head=EMPTY, hidden={}))
        mine = [a_listener(browser="b"), a_listener(browser="b")]
        for listener in mine:
            assert hub.reached_limit("link", "b") is None
            hub.join(listener)
        assert hub.reached_limit("link", "b") == 2
        assert hub.reached_limit("link", None) is None
        hub.join(a_listener())
        hub.join(a_listener())
        assert hub.reached_limit("link", None) == 4
        assert hub.reached_limit("other", None) is None
        hub.join(a_listener("other"))
        hub.join(a_listener("other"))
        assert hub.reached_limit("other", None) == 6
        hub.leave(mine[0])
        assert hub.listening == 5
        assert hub.reached_limit("other", None) is None

    asyncio.run(work())


def test_memory_does_not_grow_with_what_listeners_receive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_buffer, "ROWS", 100)

    async def work() -> int:
        hub, listeners = Hub(VisibleHead(head=EMPTY, hidden={}), Pace(gap_s=0)), [a_listener() for _ in range(20)]
        for listener in listeners:
            hub.join(listener)
        for position in range(1, 2_001):
            hub.publish(entry(position))
            for listener in listeners:
                listener.position = hub.buffer.piece_after(listener.position, ALL).until
            if position == 500:
                tracemalloc.start()
        return tracemalloc.get_traced_memory()[0]

    assert asyncio.run(work()) < 100_000
    tracemalloc.stop()
