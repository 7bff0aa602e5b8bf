"""Many listeners on the live stream while others record: is each entry delivered once and in order, and how soon?"""

from __future__ import annotations

import asyncio
import re
import statistics
import time
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Final

from bench._served import Server, ask
from bench._served_acts import acts_of, append_lines, request_of
from ledger.events import Event
from ledger.web.http.routing import PREFIX

_ENTRY: Final = re.compile(rb'id: (\d+)\nevent: entry\ndata: \{[^\n]*?"recorded_at":"([^"]+)"')
_EVERY_S: Final = 0.5
"""Seconds between two acts at a table, in an evening."""


class Listener:
    """A client of the live stream that counts the entries it receives and the gaps between their positions.

    `lags_s`: seconds from the `recorded_at` of an entry until it arrived, if `keeps_lags`.
    """

    def __init__(self, after: int, *, keeps_lags: bool) -> None:
        self.position = after
        self.faults = 0
        self.heard = 0
        self.lags_s: list[float] = []
        self._keeps_lags = keeps_lags

    async def listen(self, port: int) -> None:
        """Receive entries until the stream ends or the task is cancelled."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
        lines = (f"GET {PREFIX}/live?after={self.position} HTTP/1.1", "Host: 127.0.0.1", "", "")
        writer.write("\r\n".join(lines).encode())
        rest = b""
        await reader.readuntil(b"\r\n\r\n")
        try:
            while size := int(await reader.readline(), 16):
                piece = (await reader.readexactly(size + 2))[:size]
                whole, end, rest = (rest + piece).rpartition(b"\n\n")
                self._take(whole + end)
        finally:
            writer.transport.abort()

    def _take(self, messages: bytes) -> None:
        now = time.time()
        for position, recorded_at in _ENTRY.findall(messages):
            self.faults += int(position) != self.position + 1
            self.position = int(position)
            self.heard += 1
            if self._keeps_lags:
                self.lags_s.append(now - datetime.fromisoformat(recorded_at.decode()).timestamp())


class Crowd:
    """Several listeners that follow the stream from one position on."""

    def __init__(self, served: Server, count: int, after: int, *, keeps_lags: bool = False) -> None:
        self.all = [Listener(after, keeps_lags=keeps_lags) for _ in range(count)]
        self._tasks = [asyncio.create_task(one.listen(served.port)) for one in self.all]

    async def up_to(self, position: int) -> None:
        """Wait until all listeners have received the entry at `position`, for 60 s at most."""
        end = time.monotonic() + 60
        while any(one.position < position for one in self.all) and time.monotonic() < end:
            for task in self._tasks:
                if task.done():
                    task.result()
            await asyncio.sleep(0.01)

    async def close(self) -> None:
        """Cancel all listeners."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def delivered(self, after: int, head: int) -> dict[str, float]:
        """Return how many entries were delivered, lost, and repeated or out of order, over all listeners."""
        return {
            "messages (count)": float(sum(one.heard for one in self.all)),
            "lost (count)": float(sum(head - after - one.heard for one in self.all)),
            "doubled or out of order (count)": float(sum(one.faults for one in self.all)),
        }


async def listeners_while(served: Server, place: Path, count: int, seconds: float) -> dict[str, float]:
    """Measure appends by eight connections at full speed while `count` listeners follow them."""
    after = await _head(served)
    crowd = Crowd(served, count, after)
    await asyncio.sleep(1)
    lines = append_lines("heard", 8, 500 + round(seconds * 1_000), as_played=False)
    cpu_s = served.cpu_s()
    answer = await asyncio.to_thread(ask, served, place / "heard", lines, seconds)
    head = await _head(served)
    await crowd.up_to(head)
    cpu_s = served.cpu_s() - cpu_s
    await crowd.close()
    name = f"{count} listeners, 8 connections"
    figures = {
        name: answer.per_second,
        f"{name}, p99 (ms)": answer.p99 / 1000,
        f"{name}, processor for one with all its messages (µs)": cpu_s / answer.requests * 1e6,
    }
    return figures | {f"{name}, {what}": figure for what, figure in crowd.delivered(after, head).items()}


async def evening(served: Server, tables: int, count: int, seconds: float) -> dict[str, float]:
    """Measure an evening: acts at intervals at several tables, one phone each, while everyone follows all tables."""
    after = await _head(served)
    crowd = Crowd(served, count, after, keeps_lags=True)
    await asyncio.sleep(1)
    each = round(seconds / _EVERY_S)
    acts = [list(islice(acts_of(number, f"evening-{number}"), each)) for number in range(tables)]
    cpu_s, begun = served.cpu_s(), time.monotonic()
    starts = [begun + number / tables * _EVERY_S for number in range(tables)]
    recorded = await asyncio.gather(*(_record(served, *of_one) for of_one in zip(acts, starts, strict=True)))
    head = await _head(served)
    await crowd.up_to(head)
    share = (served.cpu_s() - cpu_s) / (time.monotonic() - begun)
    await crowd.close()
    answered_s = sorted(took for one in recorded for took in one)
    lags_s = sorted(lag for one in crowd.all for lag in one.lags_s)
    name = f"{tables} tables, {count} watch"
    figures = {
        name: len(answered_s) / seconds,
        f"{name}, act to answer, median (ms)": statistics.median(answered_s) * 1000,
        f"{name}, act to answer, p99 (ms)": answered_s[len(answered_s) * 99 // 100] * 1000,
        f"{name}, act to watcher, median (ms)": statistics.median(lags_s) * 1000,
        f"{name}, act to watcher, p99 (ms)": lags_s[len(lags_s) * 99 // 100] * 1000,
        f"{name}, of one processor (ratio)": share,
    }
    return figures | {f"{name}, {what}": figure for what, figure in crowd.delivered(after, head).items()}


async def _record(served: Server, acts: list[tuple[str, Event]], due: float) -> list[float]:
    """Record the acts at intervals and return how long each took to be answered, in seconds.

    `due`: the time of the first act, by the monotonic clock.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    took: list[float] = []
    for stream, event in acts:
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        path, body = request_of(stream, event)
        head = (
            f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json",
            f"Content-Length: {len(body)}", "", "",
        )  # fmt: skip
        start = time.monotonic()
        writer.write("\r\n".join(head).encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 201 "), answer
        length = re.search(rb"content-length: (\d+)", answer)
        assert length
        await reader.readexactly(int(length[1]))
        took.append(time.monotonic() - start)
        due += _EVERY_S
    writer.transport.abort()
    return took


async def _head(served: Server) -> int:
    """Return the head position that the service reports."""
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write(f"GET {PREFIX}/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    writer.transport.abort()
    position = re.search(rb"trickledger-position: (\d+)", head)
    assert position
    return int(position[1])
