"""Measure the processor time of the service for each page after a new entry, when no cached answer can be used.

`python -m bench fresh_pages`. The entry is one at a table of the player whose pages are measured. A second ledger is
that of a Kop championship: 107 tables, five rounds of 32 deals, the last round still open.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Sequence
from http.client import HTTPConnection
from pathlib import Path
from typing import Final
from urllib.parse import quote

import msgspec

from bench._served import Server, server
from bench._simulated_club import MEMBERS, fill
from ledger.events import Noted, SessionOpened
from ledger.games import game_named
from ledger.log import Batch, LogStore, NewEntry, create_store
from ledger.recording.simulate import simulate_table
from ledger.web.http.routing import PREFIX

DEALS: Final = 1_280
TIMES: Final = 15
ROUNDS: Final = 5
TABLES: Final = 107
ROUND_DEALS: Final = 32
TABLE: Final = "running"
_PLAYER: Final = quote(MEMBERS[0])
_LEVEL: Final = f"{PREFIX}/statistics/pool"
"""A request that no page makes; it says how far the read model is."""

PAGES: Final = (
    "/", "/tables", "/sessions", "/standings", "/players", f"/players/{_PLAYER}", "/statistics",
    "/statistics/standings", "/statistics/partners", "/statistics/head-to-head", "/plots/cumulative", "/desk", "/room",
    "/proof", "/rules/kop", f"/t/{TABLE}", f"/t/{TABLE}/1/12", f"/t/{TABLE}/1/12.svg", f"/t/{TABLE}/1/ruling",
    f"/record/{TABLE}",
)  # fmt: skip


CHAMPIONSHIP_PAGES: Final = (
    "/", "/tables", "/sessions", "/sessions/kop", "/sessions/kop/standings", "/standings", "/record", "/desk",
    f"/t/{TABLE}", f"/record/{TABLE}",
)  # fmt: skip


def main(
    folder: Path | None = None, deals: int = DEALS, times: int = TIMES, rounds: int = ROUNDS, tables: int = TABLES
) -> dict[str, float]:
    """Return the median for each page in milliseconds. Files are created under `folder`."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        path = Path(place) / "club.ledger"
        with create_store(path) as store:
            fill(store, deals)
            _play(store, TABLE, MEMBERS[:4], 8, is_open=True)
            figures = _medians(store, path, PAGES, times)
        path = Path(place) / "championship.ledger"
        with create_store(path) as store:
            _hold_championship(store, rounds, tables)
            of_championship = _medians(store, path, CHAMPIONSHIP_PAGES, times)
    return figures | {f"{rounds * tables} tables, {page}": ms for page, ms in of_championship.items()}


def _hold_championship(store: LogStore, rounds: int, tables: int) -> None:
    """Play all rounds in one session, each player at a table with others; the tables of the last round stay open."""
    opened = SessionOpened(title="Championship", date="2026-03-07")
    store.append(Batch("session/kop", "any", (NewEntry(opened),)), recorded_by="bench")
    for number in range(rounds):
        for table in range(tables):
            players = [f"Player {place * tables + (table + place * number) % tables}" for place in range(4)]
            is_last = number == rounds - 1
            slug = TABLE if is_last and table == 0 else f"kop-{number * tables + table + 1}"
            _play(store, slug, players, ROUND_DEALS, session="kop", is_open=is_last)


def _play(
    store: LogStore, table: str, players: Sequence[str], deals: int, *, session: str | None = None, is_open: bool
) -> None:
    events = simulate_table(game_named("kop"), list(players), {}, deals, 1, table, session=session, closed=not is_open)
    store.append(Batch(f"table/{table}", "any", tuple(map(NewEntry, events))), recorded_by="bench")


def _medians(store: LogStore, path: Path, pages: Sequence[str], times: int) -> dict[str, float]:
    with server(path) as served:
        costs: dict[str, list[float]] = {page: [] for page in pages}
        for number in range(times):
            for page, all_ms in costs.items():
                _record(store, served, f"note {number}")
                all_ms.append(_cost_ms(served, page))
    return {f"{page} (ms)": statistics.median(all_ms) for page, all_ms in costs.items()}


def _record(store: LogStore, served: Server, text: str) -> None:
    """Record an entry, and wait until the read model has it."""
    store.append(Batch(f"table/{TABLE}", "any", (NewEntry(Noted(text=text)),)), recorded_by="bench")
    while msgspec.json.decode(_get(served, _LEVEL))["position"] < store.head().position:
        time.sleep(0.01)
    time.sleep(0.05)  # until the service rests


def _cost_ms(served: Server, page: str) -> float:
    before = _processor_ns(served.pid)
    _get(served, page)
    return (_processor_ns(served.pid) - before) / 1e6


def _processor_ns(pid: int) -> int:
    """Return the processor time of all threads, more finely than `cpu_s_of`: by the clock of clock_getcpuclockid(3)."""
    return time.clock_gettime_ns(~pid << 3 | 2)


def _get(served: Server, path: str) -> bytes:
    connection = HTTPConnection("127.0.0.1", served.port, timeout=60)
    try:
        connection.request("GET", path, headers={"Accept": "*/*"})
        answer = connection.getresponse()
        content = answer.read()
        assert answer.status == 200, (path, answer.status, content[:200])
        return content
    finally:
        connection.close()
