"""Measure the service over HTTP on this machine, with `wrk` as the client. `python -m bench serve`

It measures durable appends against raw synced writes of the same minute, replays, listeners while others record, and
memory.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import ledger as trickledger
from bench._listeners import evening, listeners_while
from bench._served import Load, Server, ask, has_wrk, server
from bench._served_acts import append_lines, tables_to_read
from ledger.web.http.routing import PREFIX

SECONDS = 5.0
CONNECTIONS = (1, 8, 32)
REQUESTS = 100_000
LISTENERS = 200
READ = 8
"""Tables that are read, each over a connection of its own."""
TABLES = 40
RAW_BYTES = 400
"""The approximate size of a card's entry with its digest."""


def main(
    folder: Path | None = None,
    seconds: float = SECONDS,
    requests: int = REQUESTS,
    listeners: int = LISTENERS,
    connections: tuple[int, ...] = CONNECTIONS,
    tables: int = TABLES,
) -> dict[str, float]:
    """Return all figures by name; each name gives its unit. Files are created under `folder`. Without `wrk`, return
    nothing.
    """
    if not has_wrk():
        print("\nLEFT OUT: `wrk` is not installed (apt-get install wrk): the service is not measured", file=sys.stderr)
        return {}
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(dir=folder) as name:
        place = Path(name)
        path = place / "club.ledger"
        trickledger.create(path).close()
        with server(path) as served:
            for count in connections:
                figures |= _appends(served, place, count, seconds, is_judged=True)
                figures |= _appends(served, place, count, seconds, is_judged=False)
            figures |= _replays(served, place, path, seconds)
            figures |= _memory(served, place, requests)
            figures |= asyncio.run(listeners_while([served], place, listeners, seconds))
            figures |= asyncio.run(evening([served], tables, listeners, seconds))
    return figures


def _appends(served: Server, place: Path, connections: int, seconds: float, *, is_judged: bool) -> dict[str, float]:
    """Measure acts at tables that only one connection records each; the disk alone is measured before and after."""
    how = "judged" if is_judged else "as played"
    name = f"{how.replace(' ', '-')}-{connections}"
    most = 500 + round(seconds * 7_500 / connections)
    raw = [_raw_per_second(place, seconds / 10)]
    load = ask(served, place / name, append_lines(name, connections, most, as_played=not is_judged), seconds)
    raw.append(_raw_per_second(place, seconds / 10))
    return {
        f"{connections} connections, {how}": load.per_second,
        f"{connections} connections, {how}, beside raw syncs (ratio)": load.per_second / statistics.mean(raw),
        f"{connections} connections, {how}, median (ms)": load.p50 / 1000,
        f"{connections} connections, {how}, p99 (ms)": load.p99 / 1000,
        f"{connections} connections, {how}, processor for one (µs)": load.cpu_us,
        f"{connections} connections, {how}: raw write and fdatasync": statistics.mean(raw),
    }


def _raw_per_second(place: Path, seconds: float) -> float:
    """Return how often per second as many bytes as an entry has are written and synced, one write after another."""
    raw = os.open(place / "raw", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    line = b"x" * RAW_BYTES
    count = 0
    start = time.perf_counter()
    while (took := time.perf_counter() - start) < seconds:
        os.write(raw, line)
        os.fdatasync(raw)
        count += 1
    os.close(raw)
    return count / took


def _replays(served: Server, place: Path, path: Path, seconds: float) -> dict[str, float]:
    """Measure the state after the last step, requested repeatedly, then each step of many deals, requested once."""
    slugs = [f"read-{number}" for number in range(READ)]
    with trickledger.open(path) as store:
        steps = tables_to_read(store, slugs)
    time.sleep(1)  # until the service has seen the entries recorded by this process
    last = [[f"{PREFIX}/tables/{slug}/deals/1/steps/last"] for slug in slugs]
    cached = ask(served, place / "kept", last, seconds, once=False)
    made = ask(served, place / "made", [steps[number::READ] for number in range(READ)], min(seconds, 2))
    return {**_read("replay that is kept", cached), **_read("replay of a step, made from the kept fold", made)}


def _read(name: str, load: Load) -> dict[str, float]:
    return {name: load.per_second, f"{name}, processor (µs)": load.cpu_us, f"{name}, p99 (ms)": load.p99 / 1000}


def _memory(served: Server, place: Path, requests: int) -> dict[str, float]:
    paths = [f"{PREFIX}/tables/read-{number}/{what}" for number in range(READ) for what in ("score", "audit", "now")]
    lists = [paths[number::READ] for number in range(READ)]
    ask(served, place / "warm", lists, 1, once=False)
    before = served.memory_mb()
    count = 0
    while count < requests:
        count += ask(served, place / f"many-{count}", lists, 3, once=False).requests
    return {
        "requests before memory is looked at again (count)": float(count),
        "memory before them (MB)": before,
        "memory after them (MB)": served.memory_mb(),
    }
