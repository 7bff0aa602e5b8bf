"""Measure the read model on a large history of all games. `python -m bench.history_at_scale [DEALS [LEDGER [TIMES]]]`

100,000 deals take some minutes, mostly for simulation; 1,000,000 take ten times as long and 15 GB of disk. If LEDGER
exists, it is measured as it is; otherwise it is created with that many deals and left there. A few deals are added to
it. TIMES multiplies the rows of the read model before it is queried: 100,000 deals ten times over make a million in a
minute.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from bench._laid_over import lay_over
from bench._own_process import cpu_s, measured
from bench._peers import compared
from bench._simulated_club import MEMBERS, fill
from ledger.events import TableClosed
from ledger.games import game_named
from ledger.history import Bounds, Filters, History, LeagueRules, catch_up, open_history, usable_cores
from ledger.history import statistics as all_statistics
from ledger.log import Batch, NewEntry, create_store, open_store
from ledger.recording.simulate import simulate_table

DEALS = 100_000
NEW_DEALS = 20
"""How many times one new deal is added and caught up with."""

ROUNDS = 3
LEAGUE = LeagueRules(title="bench", points=(5, 3, 1), best=10)
ONE_GAME = "kop"

CARDS_HELD = {
    "matadors, how they came": """
        SELECT player, origin, count(*) AS matadors FROM cards_held WHERE is_matador GROUP BY ALL ORDER BY ALL""",
    "trumps and others, how they came and went": """
        SELECT is_trump, origin, fate, count(*) AS cards FROM cards_held GROUP BY ALL ORDER BY ALL""",
}
"""Queries about single cards over all deals."""

UNHURRIED = Bounds(seconds=600)


def main(
    folder: Path | None = None, deals: int = DEALS, ledger: Path | None = None, times: int = 1
) -> dict[str, float]:
    """Return all figures by name, in entries per second unless the name says otherwise. Files are created under
    `folder`.
    """
    with tempfile.TemporaryDirectory(dir=folder) as place:
        ledger = ledger or Path(place) / "club.ledger"
        figures: dict[str, float] = {}
        if not ledger.exists():
            start = time.perf_counter()
            with create_store(ledger) as store:
                fill(store, deals)
            figures["simulated and recorded (s)"] = time.perf_counter() - start
        with open_store(ledger, access="read") as store:
            entries = store.head().position
        return {"entries (count)": entries} | figures | _measured(ledger, Path(place), entries, times)


def _measured(ledger: Path, folder: Path, entries: int, times: int) -> dict[str, float]:
    history = folder / "history.duckdb"
    figures: dict[str, float] = {}
    for workers in dict.fromkeys((1, usable_cores())):
        history.unlink(missing_ok=True)
        figures |= measured_rebuild(ledger, history, workers, entries)
    with open_history(history) as opened:
        (deals,) = opened.query("SELECT count(*) FROM deals").rows[0]
    figures["deals (count)"] = deals
    figures["size of the ledger, a deal (bytes)"] = ledger.stat().st_size / deals
    figures["size of the read model, a deal (bytes)"] = history.stat().st_size / deals
    if times > 1:
        lay_over(history, times)
        figures["deals that are asked about (count)"] = times * deals
    with open_history(history) as opened:
        figures |= _statistics(opened) | _of_cards_held(opened)
    return figures | compared(history, folder) | _one_deal(ledger, history)


def measured_rebuild(ledger: Path, history: Path, workers: int, entries: int) -> dict[str, float]:
    """Measure a rebuild in a process of its own."""
    used = measured(partial(_rebuild, ledger, history, workers), workers)
    kind = f"{workers} processes" if workers > 1 else "one process"
    return {
        f"rebuild, {kind} (s)": used.seconds,
        f"rebuild, {kind}": entries / used.seconds,
        f"rebuild, {kind}, per core that is kept busy": entries / used.cpu_s,
        f"rebuild, {kind}, peak memory (MB)": used.memory_bytes / 1e6,
    }


def _rebuild(ledger: Path, history: Path, workers: int) -> None:
    with open_store(ledger) as store:
        catch_up(store, history, workers=workers, rebuild=True)


def _statistics(history: History) -> dict[str, float]:
    """Measure each statistic over all deals and over one game, and `course`, the largest, over one session."""
    figures: dict[str, float] = {}
    for name, statistic in all_statistics().items():
        filters = Filters(rules=LEAGUE if "rules" in statistic.parameters else None)
        figures |= _medians_ms(f"statistic {name}", partial(history.statistic, name, filters))
        if "game" in statistic.parameters:
            of_game = partial(history.statistic, name, replace(filters, game=ONE_GAME))
            figures |= _medians_ms(f"statistic {name}, {ONE_GAME}", of_game)
    ((session,),) = history.query("SELECT min(session) FROM tables").rows
    of_session = partial(history.statistic, "course", Filters(session=session))
    return figures | _medians_ms("statistic course, one session", of_session)


def _of_cards_held(history: History) -> dict[str, float]:
    figures: dict[str, float] = {}
    for label, sql in CARDS_HELD.items():
        figures |= _medians_ms(f"cards held, {label}", partial(history.query, sql, UNHURRIED))
    return figures


def _medians_ms(label: str, ask: Callable[[], object]) -> dict[str, float]:
    """Return the median time of an answer, and its processor time, which is comparable on a busy machine too."""
    took, cpu = [], []
    for _ in range(ROUNDS):
        begun, begun_cpu = time.perf_counter(), cpu_s()
        ask()
        took.append(1000 * (time.perf_counter() - begun))
        cpu.append(1000 * (cpu_s() - begun_cpu))
    return {
        f"{label} (ms)": statistics.median(took),
        f"{label}, processor time (ms)": statistics.median(cpu),
    }


def _one_deal(ledger: Path, history: Path) -> dict[str, float]:
    """Measure catching up with one more deal at a table that already has some, repeatedly."""
    all_ms, cpu_ms = [], []
    with open_store(ledger) as store:
        table = f"extra-{store.head().position}"
        events = simulate_table(game_named("ombre"), MEMBERS[:3], {}, NEW_DEALS, 1, table)
        starts = [place for place, event in enumerate(events) if event.__struct_config__.tag == "deal_started"]
        for start, end in zip([0, *starts[1:]], [*starts[1:], None], strict=True):
            deal = [event for event in events[start:end] if not isinstance(event, TableClosed)]
            store.append(Batch(f"table/{table}", "any", tuple(map(NewEntry, deal))), recorded_by="bench")
            begun, begun_cpu = time.perf_counter(), time.process_time()
            catch_up(store, history)
            all_ms.append(1000 * (time.perf_counter() - begun))
            cpu_ms.append(1000 * (time.process_time() - begun_cpu))
    return {
        "one new deal, caught up (ms)": statistics.median(all_ms),
        "one new deal, caught up, the slowest (ms)": max(all_ms),
        "one new deal, caught up, processor time (ms)": statistics.median(cpu_ms),
    }


if __name__ == "__main__":
    given = sys.argv[1:]
    all_figures = main(
        deals=int(given[0]) if given else DEALS,
        ledger=Path(given[1]) if given[1:] else None,
        times=int(given[2]) if given[2:] else 1,
    )
    for name, figure in all_figures.items():
        shown = f"{figure:>14,.2f}" if "(ratio)" in name else f"{figure:>14,.0f}"
        print(f"{name:65} {shown}" + ("" if name.endswith(")") else " /s"))
