"""Measures the read model on a large history of all games. `python -m bench.history_at_scale [DEALS]`

100,000 deals take some minutes, most of them to be simulated; 1,000,000 ten times as long and 10 GB of disk.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from bench.simulated_club import MEMBERS, fill
from ledger.events import TableClosed
from ledger.games import game_named
from ledger.history import catch_up, usable_cores
from ledger.log import Batch, NewEntry, SqliteStore
from ledger.recording.simulate import simulate_table

DEALS = 100_000
ROUNDS = 5
"""How often one new deal is caught up with."""


def main(folder: Path | None = None, deals: int = DEALS) -> dict[str, float]:
    """All figures by name, each in entries per second unless it says otherwise. Files are made under `folder`."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        ledger, history = Path(place) / "club.ledger", Path(place) / "history.duckdb"
        with SqliteStore.create(ledger) as store:
            fill(store, deals)
            entries = store.head().position
        figures: dict[str, float] = {"deals (count)": deals, "entries (count)": entries}
        for workers in dict.fromkeys((1, usable_cores())):
            history.unlink(missing_ok=True)
            figures |= measured_rebuild(ledger, history, workers, entries)
        figures["size of the ledger, a deal (bytes)"] = ledger.stat().st_size / deals
        figures["size of the read model, a deal (bytes)"] = history.stat().st_size / deals
        return figures | _one_deal(ledger, history)


def measured_rebuild(ledger: Path, history: Path, workers: int, entries: int) -> dict[str, float]:
    """Rebuilds in a process of its own, so that its memory and its processor time can be told."""
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_rebuild, args=(ledger, history, workers, sender))
    process.start()
    seconds, cpu_s, memory_bytes = receiver.recv()
    process.join()
    kind = f"{workers} processes" if workers > 1 else "one process"
    return {
        f"rebuild, {kind} (s)": seconds,
        f"rebuild, {kind}": entries / seconds,
        f"rebuild, {kind}, per core that is kept busy": entries / cpu_s,
        f"rebuild, {kind}, peak memory (MB)": memory_bytes / 1e6,
    }


def _rebuild(ledger: Path, history: Path, workers: int, sender: object) -> None:
    start = time.perf_counter()
    with SqliteStore.open(ledger) as store:
        catch_up(store, history, workers=workers, rebuild=True)
    seconds = time.perf_counter() - start
    own, others = getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)
    cpu_s = own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
    memory_bytes = 1024 * (own.ru_maxrss + (workers * others.ru_maxrss if workers > 1 else 0))
    sender.send((seconds, cpu_s, memory_bytes))  # type: ignore[attr-defined]


def _one_deal(ledger: Path, history: Path) -> dict[str, float]:
    """Catches up with one more deal at a table that has some already, again and again."""
    all_ms, cpu_ms = [], []
    events = simulate_table(game_named("ombre"), MEMBERS[:3], {}, ROUNDS, 1, "extra")
    starts = [place for place, event in enumerate(events) if event.__struct_config__.tag == "deal_started"]
    with SqliteStore.open(ledger) as store:
        for start, end in zip([0, *starts[1:]], [*starts[1:], None], strict=True):
            deal = [event for event in events[start:end] if not isinstance(event, TableClosed)]
            store.append(Batch("table/extra", "any", tuple(map(NewEntry, deal))), recorded_by="bench")
            begun, begun_cpu = time.perf_counter(), time.process_time()
            catch_up(store, history)
            all_ms.append(1000 * (time.perf_counter() - begun))
            cpu_ms.append(1000 * (time.process_time() - begun_cpu))
    return {
        "one new deal, caught up (ms)": statistics.median(all_ms),
        "one new deal, caught up, processor time (ms)": statistics.median(cpu_ms),
    }


if __name__ == "__main__":
    for name, figure in main(deals=int(sys.argv[1]) if len(sys.argv) > 1 else DEALS).items():
        print(f"{name:55} {figure:>12,.0f}" + ("" if name.endswith(")") else " /s"))
