"""Who listens, and when he is woken."""

from __future__ import annotations

import asyncio

import pytest

from ledger.log.base import EMPTY, Head, Row
from ledger.service import hub as hubs
from ledger.service.acts import Published
from ledger.service.horizon import Horizon
from ledger.service.hub import Hub, Listener, Pace
from ledger.service.ring import Follower
from ledger.service.views import View
from tests.service.test_ring import NAMES

ALL = Follower(View(), None, NAMES)


def a_listener(token: str = "link", browser: str | None = None) -> Listener:
    return Listener(ALL, 0, token, browser)


def entry(position: int) -> Published:
    row = Row(position, "session/s", position, "", "", "r", None, b"{}", bytes(32))
    return Published(rows=[row], horizon=Horizon(head=Head(position, bytes(32)), hidden={}))


async def woken(listener: Listener) -> float:
    """After how many seconds."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    await asyncio.wait_for(listener.wait(), 2)
    return loop.time() - began


def test_what_comes_first_is_told_at_once_and_what_follows_closely_together() -> None:
    async def work() -> None:
        hub, listener = Hub(Horizon(head=EMPTY, hidden={}), Pace(gap_s=0.2)), a_listener()
        hub.join(listener)
        asyncio.get_running_loop().call_later(0.01, hub.publish, entry(1))
        assert await woken(listener) < 0.1
        for position in range(2, 10):
            asyncio.get_running_loop().call_later(0.01, hub.publish, entry(position))
        assert 0.1 < await woken(listener) < 1
        assert hub.head == 9
        hub.leave(listener)

    asyncio.run(work())


def test_who_is_not_waiting_is_not_woken_later() -> None:
    async def work() -> None:
        hub, listener = Hub(Horizon(head=EMPTY, hidden={}), Pace(tick_s=10)), a_listener()
        hub.join(listener)
        hub.publish(entry(1))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(listener.wait(), 0.05)
        assert hub.head == 1  # he looks there before he waits

    asyncio.run(work())


def test_names_that_have_changed_wake_nobody() -> None:
    async def work() -> None:
        hub, listener = Hub(Horizon(head=EMPTY, hidden={}), Pace(gap_s=0)), a_listener()
        hub.join(listener)
        asyncio.get_running_loop().call_later(
            0.01, hub.publish, Published(rows=(), horizon=Horizon(head=EMPTY, hidden={}, names=1))
        )
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(listener.wait(), 0.05)
        assert hub.ring.horizon.names == 1

    asyncio.run(work())


def test_each_is_due_by_his_own_clock() -> None:
    async def work() -> None:
        hub = Hub(Horizon(head=EMPTY, hidden={}), Pace(ping_s=0.3, tick_s=0.02))
        early, late = a_listener(), a_listener()
        hub.join(early)
        await asyncio.sleep(0.15)
        hub.join(late)
        await woken(early)
        assert (early.is_due, late.is_due) == (True, False)
        await woken(late)
        assert late.is_due

    asyncio.run(work())


def test_so_many_streams_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "ALL_STREAMS", 6)
    monkeypatch.setattr(hubs, "TOKEN_STREAMS", 4)
    monkeypatch.setattr(hubs, "BROWSER_STREAMS", 2)

    async def work() -> None:
        hub = Hub(Horizon(head=EMPTY, hidden={}))
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
