"""Measure an evening of phones on this machine: tables recorded at the same time, each watched. `python -m bench pages`

A phone sends an act and then requests the recorder's page again; a watcher receives the act and requests the replayer's
page. Watchers are real connections that do what the pages' scripts do, without a browser.
"""

from __future__ import annotations

import asyncio
import json
import re
import statistics
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Final

import ledger as trickledger
from bench._served import Server, server
from bench._served_acts import acts_of, request_of
from ledger.events import Event
from ledger.web.http.routing import PREFIX

SECONDS: Final = 20.0
TABLES: Final = 40
WATCHERS: Final = 200
EVERY_S: Final = 2.0
"""Seconds between two acts at a table; a quick deal of Kop is slower."""

_ENTRY: Final = re.compile(rb"event: entry\ndata: (\{[^\n]*\})")


def main(
    folder: Path | None = None, seconds: float = SECONDS, tables: int = TABLES, watchers: int = WATCHERS
) -> dict[str, float]:
    """Return all figures by name; each name gives its unit. Files are created under `folder`."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        path = Path(name) / "club.ledger"
        trickledger.create(path).close()
        with server(path) as served:
            return asyncio.run(_evening(served, tables, watchers, seconds))


class _Client:
    """A persistent connection that sends one request at a time."""

    def __init__(self, served: Server) -> None:
        self._served = served

    async def begin(self) -> None:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._served.port, limit=1 << 22)

    async def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
        """Send a request and return the status and body of the response."""
        fields = {
            "Host": "127.0.0.1",
            "Accept-Encoding": "gzip",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
        self._writer.write("\r\n".join(lines).encode() + body)
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head)
        assert length is not None, head
        return int(head[9:12]), await self._reader.readexactly(int(length[1]))

    def end(self) -> None:
        self._writer.transport.abort()


class _Watcher:
    """A client that watches a table: it receives entries and requests the step of the newest one.

    `lags_s`: seconds from sending an act until the page after it arrived, unless a later act came in between.
    """

    def __init__(self, served: Server, table: str, sent_at: dict[tuple[str, int], float]) -> None:
        self._served, self._table, self._sent_at = served, table, sent_at
        self._heard: tuple[int, int] | None = None
        self._news = asyncio.Event()
        self.seen = 0
        self.lags_s: list[float] = []

    async def watch(self) -> None:
        async with asyncio.TaskGroup() as both:
            both.create_task(self._listen())
            both.create_task(self._look())

    async def _listen(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._served.port, limit=1 << 22)
        writer.write(f"GET {PREFIX}/live?streams={self._table} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        await reader.readuntil(b"\r\n\r\n")
        rest = b""
        deal = 0
        try:
            while size := int(await reader.readline(), 16):
                whole, end, rest = (rest + (await reader.readexactly(size + 2))[:size]).rpartition(b"\n\n")
                for entry_text in _ENTRY.findall(whole + end):
                    entry = json.loads(entry_text)
                    if entry["event"]["type"] == "deal_started":
                        deal = entry["event"]["deal"]
                    if deal:
                        self._heard = (entry["version"], deal)
                        self._news.set()
        finally:
            writer.transport.abort()

    async def _look(self) -> None:
        client = _Client(self._served)
        await client.begin()
        try:
            while True:
                await self._news.wait()
                self._news.clear()
                assert self._heard is not None
                version, deal = self._heard
                path = f"/t/{self._table.removeprefix('table/')}/{deal}/last"
                status, _ = await client.ask("GET", path, Accept="text/html", HX_Request="true")
                assert status == 200, (path, status)
                self.seen += 1
                if self._heard[0] == version:
                    self.lags_s.append(time.monotonic() - self._sent_at[self._table, version])
        finally:
            client.end()


async def _evening(served: Server, tables: int, count: int, seconds: float) -> dict[str, float]:
    sent_at: dict[tuple[str, int], float] = {}
    each = 2 + round(seconds / EVERY_S)
    acts = [list(islice(acts_of(number, f"evening-{number}"), each)) for number in range(tables)]
    watchers = [_Watcher(served, acts[number % tables][0][0], sent_at) for number in range(count)]
    phones = [_Client(served) for _ in range(tables)]
    for phone, (first, *_) in zip(phones, acts, strict=True):
        await phone.begin()
        await phone.ask("POST", *request_of(*first))
    watching = [asyncio.create_task(one.watch()) for one in watchers]
    await asyncio.sleep(1)
    cpu_s, begun = served.cpu_s(), time.monotonic()
    took = await asyncio.gather(
        *(
            _record(phone, of_one[1:], begun + number / tables * EVERY_S, sent_at)
            for number, (phone, of_one) in enumerate(zip(phones, acts, strict=True))
        )
    )
    lasted_s = time.monotonic() - begun
    await asyncio.sleep(1)
    share = (served.cpu_s() - cpu_s) / lasted_s
    for task in watching:
        if task.done():
            task.result()
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    for phone in phones:
        phone.end()
    acts_s = sorted(one for of_phone in took for one, _ in of_phone)
    pages_s = sorted(one for of_phone in took for _, one in of_phone)
    lags_s = sorted(lag for one in watchers for lag in one.lags_s)
    name = f"{tables} tables, {count} watch pages"
    return {
        f"{name}, acts": len(acts_s) / lasted_s,
        f"{name}, pages of watchers": sum(one.seen for one in watchers) / lasted_s,
        **_spread(f"{name}, act acknowledged", acts_s),
        **_spread(f"{name}, and the recorder's page anew", pages_s),
        **_spread(f"{name}, act to a watcher's page", lags_s),
        f"{name}, of one processor (ratio)": share,
        f"{name}, without a page (count)": float(sum(one.seen == 0 for one in watchers)),
    }


async def _record(
    phone: _Client, acts: list[tuple[str, Event]], due: float, sent_at: dict[tuple[str, int], float]
) -> list[tuple[float, float]]:
    """Return how long each act took to be acknowledged, and to be shown by the recorder's page, in seconds."""
    took = []
    for version, (stream, event) in enumerate(acts, 2):
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        start = sent_at[stream, version] = time.monotonic()
        status, body = await phone.ask("POST", *request_of(stream, event))
        assert status == 201, body
        acknowledged = time.monotonic()
        status, _ = await phone.ask("GET", f"/record/{stream.removeprefix('table/')}/now", Accept="text/html")
        assert status == 200, status
        took.append((acknowledged - start, time.monotonic() - start))
        due += EVERY_S
    return took


def _spread(name: str, seconds: list[float]) -> dict[str, float]:
    return {
        f"{name}, median (ms)": statistics.median(seconds) * 1000,
        f"{name}, p99 (ms)": seconds[len(seconds) * 99 // 100] * 1000,
    }
