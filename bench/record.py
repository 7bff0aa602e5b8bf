"""Measure live recording in the terminal, against the disk's own sync. `python -m bench.record`

"Key to prompt" is what `trickledger record` does between Enter and the next prompt, at a table of many entries: parse
and validate the line, write and sync the act, look for entries of others, and lay out the table. A raw synced write of
as many bytes is measured in turns with it. `LiveTable` alone validates and plays acts without a disk.
"""

from __future__ import annotations

import gc
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ledger.events import CardsDealt, Event, TableOpened
from ledger.games import game_named
from ledger.log import Batch, LogStore, MemoryStore, NewEntry, create_store
from ledger.log.append_rules import new_id
from ledger.recording.live import LiveTable
from ledger.recording.simulate import simulate_table
from ledger.recording.typed.forms import Prompt
from ledger.recording.typed.recorder import Recorder
from ledger.recording.typed.situation import Notice
from ledger.text.recorder import RecorderView, notice_text, prompt_text, table_text

ENTRIES = 5_000
ACTS = 1_000
"""Acts that are typed at the table of `ENTRIES` entries."""

PLAYERS = ("Ada", "Ben", "Cleo", "Dan")
_STREAM = "table/t"


def main(folder: Path | None = None, entries: int = ENTRIES, acts: int = ACTS) -> dict[str, float]:
    """Return all figures by name, in acts per second unless named otherwise. Files are created under `folder`."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        figures = _from_key_to_prompt(Path(place), entries, acts)
    for game in ("kop", "ombre"):
        figures[f"LiveTable without the disk, {game}"] = _acts_per_second(game, entries)
    return figures


def _from_key_to_prompt(folder: Path, entries: int, acts: int) -> dict[str, float]:
    events = list(_table("kop", entries + acts))
    with create_store(folder / "club.ledger") as store:
        store.append(Batch(_STREAM, 0, tuple(map(NewEntry, events[:entries]))), recorded_by="bench")
        shown = RecorderView(LiveTable.resume(store, "t"), "en", False, {})
        recorder = _recorder(store, shown)
        raw = os.open(folder / "raw", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        line = next(store.read()).line() + b"\n"
        typed: list[float] = []
        synced: list[float] = []
        gc.collect()
        for event in events[entries : entries + acts]:
            words = _line_for(event, recorder)
            start = time.perf_counter()
            recorder.type(words)
            recorder.look()
            now = recorder.now()
            prompt_text(now, "en")
            list(table_text(shown))
            typed.append(time.perf_counter() - start)
            start = time.perf_counter()
            os.write(raw, line)
            os.fdatasync(raw)
            synced.append(time.perf_counter() - start)
        os.close(raw)
    assert shown.live.version == entries + acts
    return {
        "table (count)": float(entries),
        "key to prompt, median (ms)": statistics.median(typed) * 1000,
        "key to prompt, p99 (ms)": _p99(typed) * 1000,
        "raw write and fdatasync, median (ms)": statistics.median(synced) * 1000,
        "raw write and fdatasync, p99 (ms)": _p99(synced) * 1000,
        "key to prompt / raw, medians (ratio)": statistics.median(typed) / statistics.median(synced),
        "key to prompt / raw, p99 (ratio)": _p99(typed) / _p99(synced),
    }


def _p99(seconds: list[float]) -> float:
    return sorted(seconds)[len(seconds) * 99 // 100]


def _recorder(store: LogStore, shown: RecorderView) -> Recorder:
    def notify(message: Notice) -> None:
        list(notice_text(message, shown))

    def ask(question: Prompt) -> str:
        return question.default

    return Recorder(
        shown.live, by="bench", players=lambda names: names, new_id=new_id, ask=ask, notify=notify, lang="en"
    )


def _line_for(event: Event, recorder: Recorder) -> str:
    """Return the line to type for an event, in full; the shortest line would take as long to find as to record."""
    match event:
        case CardsDealt():
            hands = (f"{PLAYERS[seat]}: {''.join(hand or ())}" for seat, hand in enumerate(event.hands))
            return f"/h {' / '.join(hands)}"
    seat = getattr(event, "seat", None)
    word = getattr(event, "card", None) or getattr(event, "call", None) or getattr(event, "what", None)
    return "" if word is None else f"{PLAYERS[seat or 0]}: {word}"


def _table(game: str, entries: int) -> Iterator[Event]:
    """Yield the first entries of one long table."""
    players = PLAYERS[:3] if game == "ombre" else PLAYERS
    return islice(simulate_table(game_named(game), players, {}, entries // 10, 1, "contract"), entries)


def _acts_per_second(game: str, entries: int) -> float:
    """Measure validating and playing acts one by one, at a table that grows to `entries` entries, in memory."""
    opened, *events = _table(game, entries)
    assert isinstance(opened, TableOpened)
    rates = []
    for _ in range(3):
        table = LiveTable.open(MemoryStore(), "t", opened, by="bench")
        batches = [[NewEntry(event)] for event in events]
        gc.collect()
        start = time.perf_counter()
        for entry in batches:
            table.take_up(table.judge(entry).batch, "bench")
        rates.append(len(batches) / (time.perf_counter() - start))
    return statistics.median(rates)
