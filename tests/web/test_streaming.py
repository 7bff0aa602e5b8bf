"""What many streams cost together."""

from __future__ import annotations

import asyncio
import tracemalloc
from typing import Any, cast

from ledger.log.base import EMPTY, Head, Row
from ledger.service.hub import Hub, Listener, Pace
from ledger.service.live_buffer import Follower
from ledger.service.running import Service
from ledger.service.states import Published
from ledger.service.visibility import View, VisibleHead
from ledger.web.http.sse import ServerSentEvents, Stream

LISTENERS, ENTRIES, GROUP = 200, 10_000, 50
MB = 1_000_000


class Alone:
    """A service of which nothing is needed but its hub."""

    def __init__(self) -> None:
        self.hub = Hub(VisibleHead(head=EMPTY, hidden={}), Pace(gap_s=0))


def group(first: int) -> Published:
    rows = [
        Row(position, "session/s", position, f"{position:036}", "t", "r", None, b'{"type":"noted"}', bytes(32))
        for position in range(first, first + GROUP)
    ]
    return Published(rows=rows, visible=VisibleHead(head=Head(rows[-1].position, bytes(32)), hidden={}))


async def never() -> Any:
    await asyncio.Event().wait()


def test_memory_does_not_grow_with_what_listeners_are_told() -> None:
    async def work() -> None:
        alone = Alone()
        form = ServerSentEvents()
        follower = Follower(View(), None, form)
        heard = [0] * LISTENERS

        async def listen(number: int) -> None:
            stream = Stream(
                cast(Service, alone), Listener(follower, 0, "link"), form, asked_from=0, may_listen=lambda: True,
                receive=never,
            )  # fmt: skip
            async for piece in stream:
                heard[number] += piece.count(b"event: entry")
            await stream.aclose()

        listening = [asyncio.create_task(listen(number)) for number in range(LISTENERS)]
        grown_from = 0
        tracemalloc.start()
        for first in range(1, ENTRIES, GROUP):
            alone.hub.publish(group(first))
            while min(heard) < first + GROUP - 1:
                await asyncio.sleep(0)
            if first + GROUP > ENTRIES // 3 and not grown_from:  # the buffer is full
                grown_from, _ = tracemalloc.get_traced_memory()
                tracemalloc.reset_peak()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert heard == [ENTRIES] * LISTENERS
        assert peak - grown_from < MB
        alone.hub.close()
        await asyncio.gather(*listening)
        assert alone.hub.listening == 0

    asyncio.run(work())
