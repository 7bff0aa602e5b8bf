"""Measure how soon the service's read model answers while it catches up. `python -m bench.served_history [DEALS]`

It is measured once on an idle service, and once while a deal ends five times a second at one table.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from bench._simulated_club import MEMBERS, fill
from ledger.events import DealStarted, Event
from ledger.games import game_named
from ledger.history import Bounds, History
from ledger.log import Batch, LogStore, NewEntry, create_store
from ledger.recording.simulate import simulate_table
from ledger.service.history import ServedHistory
from ledger.service.visibility import HiddenFrom, VisibleHead

DEALS = 2_000
SECONDS = 8.0
EVERY_S = 0.2
FIRST_S = 600.0


def main(folder: Path | None = None, deals: int = DEALS, seconds: float = SECONDS) -> dict[str, float]:
    """Return all figures by name; each name gives its unit. Files are created under `folder`."""
    with tempfile.TemporaryDirectory(dir=folder) as place, create_store(Path(place) / "club.ledger") as store:
        fill(store, deals)
        return {"entries (count)": store.head().position} | _measured(store, Path(place) / "club.ledger", seconds)


def _measured(store: LogStore, ledger: Path, seconds: float) -> dict[str, float]:
    served = ServedHistory(ledger, VisibleHead(store.head(), {}))
    try:
        start = time.perf_counter()
        served.start()
        assert served.is_level_with(store.head().position, within_s=FIRST_S), served.failure
        figures = {"made at the start (s)": time.perf_counter() - start}
        figures |= _measured_alone(served, "alone", seconds / 2)
        is_over = threading.Event()
        lags: list[float] = []
        playing = threading.Thread(target=_play, args=(store, served, is_over, lags))
        playing.start()
        figures |= _measured_alone(served, "while deals end", seconds)
        is_over.set()
        playing.join()
        return figures | {
            "a deal's end until queries show it, median (ms)": statistics.median(lags),
            "a deal's end until queries show it, worst (ms)": max(lags),
            "catch-ups (count)": len(lags),
        }
    finally:
        served.close()


def _measured_alone(served: ServedHistory, when: str, seconds: float) -> dict[str, float]:
    questions: dict[str, Callable[[], object]] = {
        "position": lambda: served.query(lambda history: history.head).result(),
        "standings": lambda: served.query(_standings).result(),
        "SQL": lambda: served.query_sql(_counted).result(),
    }
    took: dict[str, list[float]] = {name: [] for name in questions}
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for name, ask in questions.items():
            start = time.perf_counter()
            ask()
            took[name].append(1000 * (time.perf_counter() - start))
    figures: dict[str, float] = {}
    for name, all_ms in took.items():
        figures[f"{name}, {when}, median (ms)"] = statistics.median(all_ms)
        figures[f"{name}, {when}, worst of {len(all_ms)} (ms)"] = max(all_ms)
    return figures


def _counted(history: History) -> object:
    return history.query("SELECT count(*) FROM deals", Bounds(seconds=10, rows=10))


def _standings(history: History) -> object:
    return history.statistic("standings")


def _play(store: LogStore, served: ServedHistory, is_over: threading.Event, lags: list[float]) -> None:
    """Record deal after deal at a table, while another deal is open there."""
    number = 0
    while not is_over.is_set():
        number += 1
        table = f"table/extra-{number}"
        events = simulate_table(game_named("ombre"), MEMBERS[:3], {}, 20, number, table)
        starts = [place for place, event in enumerate(events) if isinstance(event, DealStarted)]
        known = 0
        for deal, place in enumerate(starts[1:], start=2):
            begun = time.perf_counter()
            _record(store, table, events[known : place + 1])
            known = place + 1
            served.wake(VisibleHead(store.head(), {table: HiddenFrom(known, known, deal, store.head().position)}))
            served.is_level_with(store.head().position, within_s=60)
            lags.append(1000 * (time.perf_counter() - begun))
            if is_over.wait(max(0.0, EVERY_S - lags[-1] / 1000)):
                return
        _record(store, table, events[known:])


def _record(store: LogStore, table: str, events: list[Event]) -> None:
    store.append(Batch(table, "any", tuple(map(NewEntry, events))), recorded_by="bench")


if __name__ == "__main__":
    from bench.__main__ import table

    print(table({"served_history": main(deals=int(sys.argv[1]) if sys.argv[1:] else DEALS)}))
