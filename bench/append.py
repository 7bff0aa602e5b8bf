"""Measure the log: durable appends against raw synced writes of the same bytes, and reading. `python -m bench.append`

The contenders take turns in one run, so a disk that becomes slower affects all of them; figures are medians over the
rounds.
"""

from __future__ import annotations

import gc
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

from ledger.events import CardPlayed
from ledger.log import Batch, LogStore, NewEntry, create_store
from ledger.log.chain import GENESIS, digest_after
from ledger.log.verify import verify

ROUNDS = 15
SINGLES = 400
"""Appends of one event in a round."""

BATCHES, BATCH_SIZE = 10, 1000
_cards = [CardPlayed(seat=seat, card=suit + rank) for suit in "SHDC" for rank in "AKQJT987" for seat in range(4)]


def main(folder: Path | None = None) -> dict[str, float]:
    """Return all figures by name, in entries per second unless the name says otherwise. Files are created under
    `folder`.
    """
    with tempfile.TemporaryDirectory(dir=folder) as place:
        return _measure(Path(place))


def _measure(folder: Path) -> dict[str, float]:
    rates: dict[str, list[float]] = {}
    with (
        create_store(folder / "single.ledger") as singles,
        create_store(folder / "batch.ledger") as batches,
    ):
        singles.append(new_batch(1), recorded_by="bench")
        line = next(singles.read()).line() + b"\n"
        file = os.open(folder / "raw.ndjson", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        contenders: dict[str, tuple[int, Callable[[], object]]] = {
            "raw write and fdatasync, 1": (SINGLES, lambda: _write_raw(file, line)),
            "append, 1": (SINGLES, lambda: _append_singles(singles)),
            "append, batches of 1000": (BATCHES * BATCH_SIZE, lambda: _append_batches(batches)),
        }
        for turn in range(ROUNDS):
            # Each is first in some rounds, so that leftover writes do not always burden the same one.
            names = list(contenders)
            for name in names[turn % 3 :] + names[: turn % 3]:
                entries, work = contenders[name]
                rates.setdefault(name, []).append(entries / _seconds(work))
        os.close(file)
        size = batches.head().position
        reads: dict[str, Callable[[], object]] = {
            "read, events decoded": lambda: [row.event() for row in batches.read()],
            "read, all columns and chain": lambda: _check_chain(batches),
            "read as rows": lambda: list(batches.read()),
            "verify": lambda: verify(batches),
        }
        for _ in range(5):
            for name, work in reads.items():
                rates.setdefault(name, []).append(size / _seconds(work))
    figures = {name: statistics.median(values) for name, values in rates.items()}
    figures["append, 1 / raw (ratio)"] = figures["append, 1"] / figures["raw write and fdatasync, 1"]
    return figures


_numbers = count()


def new_batch(size: int) -> Batch:
    start = next(_numbers) * 7
    events = (_cards[(start + n) % len(_cards)] for n in range(size))
    return Batch("table/bench", "any", tuple(NewEntry(event) for event in events))


def _write_raw(file: int, line: bytes) -> None:
    for _ in range(SINGLES):
        os.write(file, line)
        os.fdatasync(file)


def _append_singles(store: LogStore) -> None:
    for _ in range(SINGLES):
        store.append(new_batch(1), recorded_by="bench")


def _append_batches(store: LogStore) -> None:
    for _ in range(BATCHES):
        store.append(new_batch(BATCH_SIZE), recorded_by="bench")


def _check_chain(store: LogStore) -> None:
    digest = GENESIS
    for row in store.read():
        digest = digest_after(digest, row.canonical())
        if digest != row.digest:
            raise AssertionError(f"the chain is broken at position {row.position}")


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    for name, figure in main(Path(sys.argv[1]) if len(sys.argv) > 1 else None).items():
        print(f"{name:32} {figure:>12,.2f}" if "ratio" in name else f"{name:32} {figure:>12,.0f} /s")
