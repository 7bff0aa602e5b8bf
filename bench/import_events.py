"""Measure the import of a large file end to end, against decoding its JSON alone. `python -m bench.import_events`

End to end is what `trickledger import` does: decode, normalise and check the lines, fold the deals for findings, chain,
write and sync the entries. The contenders take turns in one run; figures are medians over the rounds.
"""

from __future__ import annotations

import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

import ledger
from ledger.events import BareLine
from ledger.games import game_named
from ledger.recording.exporting import export_lines
from ledger.recording.importing import ImportAs, import_content
from ledger.recording.simulate import simulate

ROUNDS = 5
TABLES, DEALS = 100, 40
"""Tables, and deals per table; together they make more than 100,000 events."""


def main(folder: Path | None = None) -> dict[str, float]:
    """Return all figures by name, in events per second unless the name says otherwise. Files are created under
    `folder`.
    """
    with tempfile.TemporaryDirectory(dir=folder) as place:
        return _measure(Path(place))


def _measure(folder: Path) -> dict[str, float]:
    bare = _simulated()
    events = bare.count(b"\n")
    whole = _exported(folder / "whole.ledger", bare)
    contenders: dict[str, Callable[[Path], object]] = {
        "decode the lines alone": lambda _: _decoded(bare),
        "import, bare": lambda path: _imported(path, bare),
        "import, an export with its chain": lambda path: _imported(path, whole),
    }
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for turn in range(ROUNDS):
        names = list(contenders)
        for name in names[turn % 3 :] + names[: turn % 3]:
            path = folder / f"{turn} {name}.ledger"
            rates[name].append(events / _seconds(contenders[name], path))
            for left in folder.glob(f"{path.name}*"):
                left.unlink()
    figures = {"events in the file (count)": float(events)}
    figures |= {name: statistics.median(values) for name, values in rates.items()}
    figures["import / decode alone (ratio)"] = figures["import, bare"] / figures["decode the lines alone"]
    return figures


def _simulated() -> bytes:
    encode = msgspec.json.Encoder().encode
    events = simulate(game_named("ombre"), ["Ann", "Ben", "Cleo"], {}, tables=TABLES, deals=DEALS, seed=1)
    return b"".join(encode(BareLine(stream=stream, event=event)) + b"\n" for stream, event in events)


def _exported(path: Path, bare: bytes) -> bytes:
    _imported(path, bare)
    with ledger.open(path) as store:
        return b"".join(line + b"\n" for line in export_lines(store))


def _imported(path: Path, content: bytes) -> None:
    with ledger.create(path) as store:
        import_content(store, content, path.name, ImportAs(by="bench"))


def _decoded(content: bytes) -> list[BareLine]:
    decode = msgspec.json.Decoder(BareLine).decode
    return [decode(line) for line in content.splitlines()]


def _seconds(work: Callable[[Path], object], path: Path) -> float:
    gc.collect()
    start = time.perf_counter()
    work(path)
    return time.perf_counter() - start


if __name__ == "__main__":
    from bench.__main__ import table

    print(table({"import_events": main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)}))
