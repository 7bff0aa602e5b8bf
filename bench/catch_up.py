"""Measure how fast the read model catches up with a SQLite ledger. `python -m bench.catch_up [DEALS]`

Figures are log entries per second, medians over the rounds. The phases are measured one by one over the same tables;
`executemany` loads some of the same rows, for comparison.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

from ledger.events import DealStarted
from ledger.games import game_named
from ledger.history import Filters, LeagueRules, catch_up, open_history, usable_cores
from ledger.history import statistics as all_statistics
from ledger.history.model.database import NO_EXTENSIONS, connect
from ledger.history.model.loading import RowLoader, write_entries
from ledger.history.model.rows import Rows
from ledger.history.model.schema import create_tables
from ledger.history.model.table_rows import collect_table
from ledger.log import Batch, LogStore, NewEntry, create_store
from ledger.log.stores import bulk_reader
from ledger.recording.simulate import simulate_table
from ledger.table.fold import TableFold

ROUNDS = 3
DEALS, DEALS_A_TABLE = 10_000, 20
EXECUTEMANY_ROWS = 4_000
PLAYERS = ("Ann", "Bob", "Cleo")
LEAGUE = LeagueRules(title="bench", points=(5, 3, 1), best=10)


def main(folder: Path | None = None, deals: int = DEALS) -> dict[str, float]:
    """Return all figures by name, in entries per second unless the name says otherwise. Files are created under
    `folder`.
    """
    with tempfile.TemporaryDirectory(dir=folder) as place:
        ledger = Path(place) / "club.ledger"
        with create_store(ledger) as store:
            tables = _fill(store, deals // DEALS_A_TABLE)
            return _measure(store, tables, Path(place))


def _fill(store: LogStore, count: int) -> list[str]:
    tables = [f"bench-{number}" for number in range(count)]
    for table in tables:
        events = simulate_table(game_named("ombre"), PLAYERS, {}, DEALS_A_TABLE, 1, table)
        entries = tuple(map(NewEntry, events))
        store.append(Batch(f"table/{table}", 0, entries), recorded_by="bench")
    return tables


def _measure(store: LogStore, tables: list[str], folder: Path) -> dict[str, float]:
    entries = store.head().position
    history = folder / "history.duckdb"
    figures: dict[str, float] = {"entries (count)": entries}

    def rebuild(workers: int) -> None:
        history.unlink(missing_ok=True)
        catch_up(store, history, workers=workers)

    figures["rebuild, one process"] = entries / _median_s(lambda: rebuild(1))
    figures[f"rebuild, {usable_cores()} processes"] = entries / _median_s(lambda: rebuild(usable_cores()))
    figures["one new deal, caught up (ms)"] = 1000 * _median_s(lambda: catch_up(store, history), _one_deal(store))
    with open_history(history) as opened:
        for name, statistic in all_statistics().items():
            given = Filters(rules=LEAGUE if "rules" in statistic.parameters else None)
            ask_once = partial(opened.statistic, name, given)
            figures[f"statistic {name} (ms)"] = 1000 * _median_s(ask_once)
    figures["size of the read model, a deal (bytes)"] = history.stat().st_size / (len(tables) * DEALS_A_TABLE)
    return figures | _phases(store, tables, folder, entries)


def _phases(store: LogStore, tables: list[str], folder: Path, entries: int) -> dict[str, float]:
    """Measure the phases of a rebuild in one process; each phase up to making rows includes those before it."""
    streams = [f"table/{table}" for table in tables]
    source = bulk_reader(store)

    def read() -> None:
        for stream in streams:
            source.events(stream, entries)

    def fold() -> None:
        for stream in streams:
            TableFold(list(enumerate(source.events(stream, entries), start=1)))

    def make_rows() -> None:
        for table in tables:
            collect_table(defaultdict(list), table, source, entries, _no_session)

    phases = {"read and decode": read, "… and fold": fold, "… and make rows": make_rows}
    figures = {name: entries / _median_s(work) for name, work in phases.items()}
    rows: Rows = defaultdict(list)
    for table in tables:
        collect_table(rows, table, source, entries, _no_session)
    database = folder / "phases.duckdb"
    with closing(connect(database, NO_EXTENSIONS)) as connection:
        create_tables(connection)
        with RowLoader(connection, folder / "loading") as loader:

            def load() -> None:
                loader.rows.update(rows)
                loader.load()

            def copy() -> None:
                loader.take(write_entries(source, 0, entries, loader.folder))
                loader.load()

            for name, work in {"load the rows of all entries": load, "copy the entries themselves": copy}.items():
                connection.execute("BEGIN")
                figures[name] = entries / _median_s(work)
                connection.execute("COMMIT")
        points = connection.execute("FROM points LIMIT $1", [EXECUTEMANY_ROWS]).fetchall()
        insert = f"INSERT INTO points VALUES ({', '.join('?' * len(points[0]))})"
        figures["executemany (rows/s)"] = len(points) / _median_s(lambda: connection.executemany(insert, points))
    source.close()
    return figures


def _no_session(session: str) -> str | None:
    """Return no date: these tables belong to no session."""
    return None


def _one_deal(store: LogStore) -> Callable[[], None]:
    """Return a function that records a new table with one deal."""

    def record() -> None:
        table = f"extra-{store.head().position}"
        events = simulate_table(game_named("ombre"), PLAYERS, {}, 1, 1, table)
        assert any(isinstance(event, DealStarted) for event in events)
        store.append(Batch(f"table/{table}", 0, tuple(map(NewEntry, events))), recorded_by="bench")

    return record


def _median_s(work: Callable[[], object], before: Callable[[], None] = lambda: None) -> float:
    seconds = []
    for _ in range(ROUNDS):
        before()
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


if __name__ == "__main__":
    all_figures = main(deals=int(sys.argv[1]) if len(sys.argv) > 1 else DEALS)
    for name, figure in all_figures.items():
        print(f"{name:42} {figure:>12,.0f}" + ("" if "(" in name else " /s"))
