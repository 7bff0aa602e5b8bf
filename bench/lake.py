"""Measure rebuilds of a ledger by each engine, and of a federation of ledgers. `python -m bench.lake [DEALS [LEDGERS]]`

Compare within one run. Processor time is that of this process and its children; it stays comparable on a busy machine.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bench._simulated_club import fill
from ledger.history import Dask, Engine, LakeOptions, Processes, catch_up, rebuild_lake
from ledger.log import create_store, open_store

DEALS = 20_000
LEDGERS = 100
DEALS_A_LEDGER = 100
PARTITIONS = 8
WORKERS = 2


def main(deals: int = DEALS, ledgers: int = LEDGERS) -> dict[str, float]:
    """Return the figures of one ledger with that many deals, then of federations up to that many ledgers."""
    with tempfile.TemporaryDirectory() as folder:
        return _by_engine(Path(folder), deals) | _federation(Path(folder), ledgers)


def _by_engine(folder: Path, deals: int) -> dict[str, float]:
    ledger = folder / "club.ledger"
    with create_store(ledger) as store:
        fill(store, deals)
        entries = store.head().position
    work: dict[str, Callable[[], object]] = {
        f"read model, {WORKERS} processes": partial(_caught_up, ledger, folder / "history.duckdb"),
        "lake, one process": partial(_rebuilt, ledger, folder / "lake", Processes(1), PARTITIONS),
        f"lake, {WORKERS} processes": partial(
            _rebuilt, ledger, folder / "by-processes", Processes(WORKERS), PARTITIONS
        ),
        f"lake, {WORKERS} Dask workers": partial(_rebuilt, ledger, folder / "by-dask", Dask(WORKERS), PARTITIONS),
    }
    figures: dict[str, float] = {"entries (count)": entries}
    seconds: dict[str, float] = {}
    for name, run in work.items():
        seconds[name], cpu_s = _measured(run)
        figures |= {f"{name} (s)": seconds[name], f"{name}, processor time a deal (µs)": 1e6 * cpu_s / deals}
    base = seconds[f"lake, {WORKERS} processes"]
    figures |= {f"{name}, to lake by {WORKERS} processes (ratio)": taken / base for name, taken in seconds.items()}
    size = sum(path.stat().st_size for path in (folder / "lake").rglob("*.parquet"))
    return figures | {"lake, a deal (bytes)": size / deals, "ledger, a deal (bytes)": ledger.stat().st_size / deals}


def _federation(folder: Path, ledgers: int) -> dict[str, float]:
    """Measure rebuilds of a tenth of the ledgers and of all, which have equally many deals, into one lake."""
    paths = [folder / f"club-{number}.ledger" for number in range(ledgers)]
    for path in paths:
        with create_store(path) as store:
            fill(store, DEALS_A_LEDGER)
    figures: dict[str, float] = {}
    for count in (ledgers // 10, ledgers):
        _, cpu_s = _measured(partial(_all_rebuilt, paths[:count], folder / f"lake-{count}"))
        figures[f"{count} ledgers, processor time a ledger (ms)"] = 1e3 * cpu_s / count
    return figures


def _measured(run: Callable[[], object]) -> tuple[float, float]:
    """Return seconds and seconds of processor time."""
    begun, begun_cpu = time.perf_counter(), sum(os.times()[:4])
    run()
    return time.perf_counter() - begun, sum(os.times()[:4]) - begun_cpu


def _caught_up(ledger: Path, history: Path) -> None:
    with open_store(ledger) as store:
        catch_up(store, history, workers=WORKERS)


def _all_rebuilt(ledgers: list[Path], lake: Path) -> None:
    for ledger in ledgers:
        _rebuilt(ledger, lake, Processes(1), 1)


def _rebuilt(ledger: Path, lake: Path, engine: Engine, partitions: int) -> None:
    with open_store(ledger, access="read") as store:
        rebuild_lake(store, ledger, lake, engine, LakeOptions(partitions=partitions))


if __name__ == "__main__":
    given = list(map(int, sys.argv[1:]))
    for label, figure in main(*given).items():
        print(f"{label:70} {figure:>12,.2f}")
