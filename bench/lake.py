"""Measure rebuilds of a ledger by each engine, and federations of many ledgers in one lake.

`python -m bench.lake [DEALS [FEDERATED [LEDGERS …]]]`: a ledger of DEALS deals (0: none), then for each number of
LEDGERS a federation that has FEDERATED deals in all. Its ledgers are recorded, rebuilt into the lake and removed one
after another, so a million deals need 0.4 GB of disk for the lake and one ledger more. All its clubs play the same
deals. Compare within one run. Processor time is that of this process and its children; it stays comparable on a busy
machine.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter

from msgspec import json, structs

from bench._own_process import cpu_s, measured
from bench._simulated_club import evenings, fill
from ledger.history import Dask, Engine, LakeOptions, Processes, catch_up, open_lake, rebuild_lake
from ledger.history.lake.manifest import FILE, club_manifests
from ledger.history.lake.storage import storage_at
from ledger.log import create_store, open_store
from ledger.log.verify import verify

DEALS = 20_000
FEDERATED = 10_000
LEDGERS = (10, 100)
PARTITIONS = 8
DEALS_A_PARTITION = 5_000
WORKERS = 2
ANSWERS = ("opened", "standings", "head-to-head", "query")
QUERY = "SELECT game, count(*), avg(amount) FROM points JOIN deals USING (game, table_name, deal) GROUP BY game"
TIMES = 10
"""How many times as many clubs the lake has in the end; answers are measured again then."""


def main(deals: int = DEALS, federated: int = FEDERATED, ledgers: Sequence[int] = LEDGERS) -> dict[str, float]:
    """Return the figures of one ledger with that many deals, then of each federation."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        if deals:
            figures |= _by_engine(Path(folder), deals)
        for count in ledgers:
            figures |= _federation(Path(folder, f"federation-{count}"), federated, count)
    return figures


def _by_engine(folder: Path, deals: int) -> dict[str, float]:
    ledger = folder / "club.ledger"
    with create_store(ledger) as store:
        fill(store, deals)
        entries = store.head().position
    work: dict[str, tuple[Callable[[], object], int]] = {
        "verify": (partial(verify, ledger), 1),
        f"read model, {WORKERS} processes": (partial(_caught_up, ledger, folder / "history.duckdb"), WORKERS),
        "lake, one process": (partial(_rebuilt, ledger, folder / "lake", Processes(1), PARTITIONS), 1),
        "lake, one process and one partition": (partial(_rebuilt, ledger, folder / "whole", Processes(1), 1), 1),
        f"lake, {WORKERS} processes": (
            partial(_rebuilt, ledger, folder / "by-processes", Processes(WORKERS), PARTITIONS),
            WORKERS,
        ),
        f"lake, {WORKERS} Dask workers": (
            partial(_rebuilt, ledger, folder / "by-dask", Dask(WORKERS), PARTITIONS),
            WORKERS,
        ),
    }
    figures: dict[str, float] = {"entries (count)": entries}
    used = {name: measured(run, workers) for name, (run, workers) in work.items()}
    base = used[f"lake, {WORKERS} processes"].seconds
    for name, one in used.items():
        figures |= {
            f"{name} (s)": one.seconds,
            f"{name}, to lake by {WORKERS} processes (ratio)": one.seconds / base,
            f"{name}, processor time a deal (µs)": 1e6 * one.cpu_s / deals,
            f"{name}, peak memory (MB)": one.memory_bytes / 1e6,
        }
    return figures | {
        "lake, a deal (bytes)": _size(folder / "lake") / deals,
        "ledger, a deal (bytes)": ledger.stat().st_size / deals,
    }


def _federation(folder: Path, deals: int, ledgers: int) -> dict[str, float]:
    """Measure recording and rebuilding, then opening the lake and statistics over all its clubs."""
    lake = folder / "lake"
    lake.mkdir(parents=True)
    each = deals // ledgers
    batches = list(evenings(each))
    recorded_s = rebuilt_s = 0.0
    for number in range(ledgers):
        with tempfile.TemporaryDirectory(dir=folder) as place:
            begun, ledger = cpu_s(), Path(place, "club.ledger")
            with create_store(ledger) as store:
                for batch in batches:
                    store.append(batch, recorded_by="bench")
            recorded = cpu_s()
            _rebuilt(ledger, lake, Processes(1), -(-each // DEALS_A_PARTITION), f"club-{number:05}")
            recorded_s, rebuilt_s = recorded_s + recorded - begun, rebuilt_s + cpu_s() - recorded
    name = f"{deals:,} deals in {ledgers:,} ledgers"
    figures = {
        f"{name}: recorded, a deal (µs)": 1e6 * recorded_s / deals,
        f"{name}: rebuilt, a deal (µs)": 1e6 * rebuilt_s / deals,
        f"{name}: rebuilt, a ledger (ms)": 1e3 * rebuilt_s / ledgers,
        f"{name}: lake, a deal (bytes)": _size(lake) / deals,
    }
    figures |= _answers(name, lake)
    _multiply(lake)
    return figures | _answers(f"{name}, the lake {TIMES} times", lake)


def _answers(name: str, lake: Path) -> dict[str, float]:
    """Measure answers over all clubs, each in a process that opens the lake; `query` has one more for the sandbox."""
    figures: dict[str, float] = {}
    for what in ANSWERS:
        used = measured(partial(_answered, lake, what))
        figures |= {
            f"{name}: {what}, processor time (ms)": 1e3 * used.cpu_s,
            f"{name}: {what} (ms)": 1e3 * used.seconds,
            f"{name}: {what}, peak memory (MB)": used.memory_bytes / 1e6,
        }
    return figures


def _answered(lake: Path, what: str) -> None:
    with open_lake(lake) as history:
        if what == "query":
            history.query(QUERY)
        elif what != "opened":
            history.statistic(what)


def _multiply(lake: Path) -> None:
    """Copy each club of the lake, under further names."""
    for folder, manifest in club_manifests(storage_at(lake)):
        club = Path(folder.address)
        for number in range(1, TIMES):
            copy = shutil.copytree(club, lake / f"{club.name}-{number}", copy_function=os.link)
            (copy / FILE).unlink()
            other = structs.replace(manifest, club=f"{manifest.club}-{number}", ledger_id=f"{copy.name}")
            (copy / FILE).write_bytes(json.encode(other))


def _size(lake: Path) -> int:
    return sum(path.stat().st_size for path in lake.rglob("*.parquet"))


def _caught_up(ledger: Path, history: Path) -> None:
    with open_store(ledger) as store:
        catch_up(store, history, workers=WORKERS)


def _rebuilt(ledger: Path, lake: Path, engine: Engine, partitions: int, club: str | None = None) -> None:
    with open_store(ledger, access="read") as store:
        rebuild_lake(store, ledger, lake, engine, LakeOptions(partitions=partitions, club=club))


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]] + [DEALS, FEDERATED][len(sys.argv) - 1 :]
    begun = perf_counter()
    for label, figure in main(given[0], given[1], given[2:] or LEDGERS).items():
        print(f"{label:70} {figure:>12,.2f}")
    print(f"{'all of it (s)':70} {perf_counter() - begun:>12,.2f}")
