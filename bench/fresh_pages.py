"""Measure the processor time of the service for each page after a new entry, when no cached answer can be used.

`python -m bench fresh_pages`. The entry is one at a table of the player whose pages are measured.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Final
from urllib.parse import quote

import msgspec

from bench._served import Server, server
from bench._simulated_club import MEMBERS, fill
from ledger.events import Noted
from ledger.games import game_named
from ledger.log import Batch, LogStore, NewEntry, create_store
from ledger.recording.simulate import simulate_table
from ledger.web.http.routing import PREFIX

DEALS: Final = 1_280
TIMES: Final = 15
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


def main(folder: Path | None = None, deals: int = DEALS, times: int = TIMES) -> dict[str, float]:
    """Return the median for each page in milliseconds. Files are created under `folder`."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        path = Path(place) / "club.ledger"
        with create_store(path) as store:
            fill(store, deals)
            events = simulate_table(game_named("kop"), MEMBERS[:4], {}, 8, 1, TABLE, closed=False)
            store.append(Batch(f"table/{TABLE}", "any", tuple(map(NewEntry, events))), recorded_by="bench")
            with server(path) as served:
                costs: dict[str, list[float]] = {page: [] for page in PAGES}
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
