"""Many listeners on the live stream while others record: is each entry delivered once and in order, and how soon?"""

from __future__ import annotations

import asyncio
import re
import statistics
import time
from collections.abc import Sequence
from datetime import datetime
from itertools import cycle, islice
from pathlib import Path
from typing import Final, NamedTuple

from bench._served import Load, Server, ask
from bench._served_acts import acts_of, append_lines, request_of
from ledger.events import Event
from ledger.web.http.routing import PREFIX

_ENTRY: Final = re.compile(rb'id: (\d+)\nevent: entry\ndata: \{[^\n]*?"recorded_at":"([^"]+)"')
_EVERY_S: Final = 0.5
"""Seconds between two acts at a table, in an evening."""


class Listener:
    """A client of the live stream that counts the entries it receives and the gaps between their positions.

    `lags_s`: seconds from the `recorded_at` of an entry until it arrived, and `arrivals_s` when, if `keeps_lags`.
    """

    def __init__(self, after: int, *, keeps_lags: bool) -> None:
        self.position = after
        self.faults = 0
        self.heard = 0
        self.lags_s: list[float] = []
        self.arrivals_s: dict[int, float] = {}
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
                self.arrivals_s[self.position] = now
                self.lags_s.append(now - datetime.fromisoformat(recorded_at.decode()).timestamp())


class Crowd:
    """Several listeners at each service, which follow the stream from one position on."""

    def __init__(self, services: Sequence[Server], count: int, after: int, *, keeps_lags: bool = False) -> None:
        self.all = [Listener(after, keeps_lags=keeps_lags) for _ in range(count * len(services))]
        listening = zip(cycle(services), self.all, strict=False)
        self._tasks = [asyncio.create_task(one.listen(served.port)) for served, one in listening]

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


async def listeners_while(services: Sequence[Server], place: Path, count: int, seconds: float) -> dict[str, float]:
    """Measure appends by eight connections at full speed while `count` listeners at each service follow them."""
    after = await _head(services)
    crowd = Crowd(services, count, after)
    await asyncio.sleep(1)
    each = 8 // len(services)
    used_s = sum(served.cpu_s() for served in services)

    def record(number: int) -> Load:
        lines = append_lines(f"heard-{number}", each, 500 + round(seconds * 8_000 / each), as_played=False)
        return ask(services[number], place / f"heard-{number}", lines, seconds)

    loads = await asyncio.gather(*(asyncio.to_thread(record, number) for number in range(len(services))))
    await asyncio.sleep(1)  # until the requests are recorded that `wrk` no longer waited for
    head = await _head(services)
    await crowd.up_to(head)
    used_s = sum(served.cpu_s() for served in services) - used_s
    await crowd.close()
    name = f"{count} listeners, 8 connections"
    figures = {
        name: sum(load.per_second for load in loads),
        f"{name}, p99 (ms)": max(load.p99 for load in loads) / 1000,
        f"{name}, processor for one with all its messages (µs)": used_s / sum(load.requests for load in loads) * 1e6,
    }
    return figures | {f"{name}, {what}": figure for what, figure in crowd.delivered(after, head).items()}


async def evening(services: Sequence[Server], tables: int, count: int, seconds: float) -> dict[str, float]:
    """Measure an evening: acts at intervals at several tables, one phone each, while everyone follows all tables.

    The tables are distributed among the services; `count`: the listeners at each of them.
    """
    after = await _head(services)
    crowd = Crowd(services, count, after, keeps_lags=True)
    await asyncio.sleep(1)
    each = round(seconds / _EVERY_S)
    acts = [list(islice(acts_of(number, f"evening-{number}"), each)) for number in range(tables)]
    used_s, begun = sum(served.cpu_s() for served in services), time.monotonic()
    starts = [begun + number / tables * _EVERY_S for number in range(tables)]
    recorded = await asyncio.gather(*map(_record, cycle(services), acts, starts))
    head = await _head(services)
    await crowd.up_to(head)
    used_s = sum(served.cpu_s() for served in services) - used_s
    took_s = time.monotonic() - begun
    await crowd.close()
    answers = [answer for one in recorded for answer in one]
    lags_s = [lag for one in crowd.all for lag in one.lags_s]
    last_s = [max(one.arrivals_s[answer.position] for one in crowd.all) - answer.at_s for answer in answers]
    name = f"{tables} tables, {count} watch"
    figures = {name: len(answers) / seconds}
    for what, values in (
        ("act to answer", [answer.took_s for answer in answers]),
        ("act to watcher", lags_s),
        ("answer to last watcher", last_s),
    ):
        in_order = sorted(values)
        figures |= {
            f"{name}, {what}, median (ms)": statistics.median(in_order) * 1000,
            f"{name}, {what}, p99 (ms)": in_order[len(in_order) * 99 // 100] * 1000,
        }
    figures |= {
        f"{name}, processor for one with all its messages (µs)": used_s / len(answers) * 1e6,
        f"{name}, of one processor (ratio)": used_s / took_s,
    }
    return figures | {f"{name}, {what}": figure for what, figure in crowd.delivered(after, head).items()}


class _Answer(NamedTuple):
    """An act that was recorded: its position, how long the answer took, and when it came, by the clock."""

    position: int
    took_s: float
    at_s: float


async def _record(served: Server, acts: list[tuple[str, Event]], due: float) -> list[_Answer]:
    """Record the acts at intervals and return their answers.

    `due`: the time of the first act, by the monotonic clock.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    answers: list[_Answer] = []
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
        content = await reader.readexactly(int(length[1]))
        took_s = time.monotonic() - start
        position = re.search(rb'"last_position":(\d+)', content)
        assert position, content
        answers.append(_Answer(int(position[1]), took_s, time.time()))
        due += _EVERY_S
    writer.transport.abort()
    return answers


async def _head(services: Sequence[Server]) -> int:
    """Return the last head position that a service reports."""
    positions = []
    for served in services:
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        writer.write(f"GET {PREFIX}/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        writer.transport.abort()
        position = re.search(rb"trickledger-position: (\d+)", head)
        assert position
        positions.append(int(position[1]))
    return max(positions)
