"""Measure one service of a ledger in SQLite, one of a ledger in PostgreSQL, and two of one ledger in PostgreSQL.

Each service has as many listeners, who follow all entries. All take turns on one machine, which the clients and the
database share; it waits for the disk. Figures are medians over the rounds, ratios to the service with SQLite of the
same round. Processor time is that of the services; the database's is apart.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

from bench._listeners import evening, listeners_while
from bench._served import cpu_s_of, has_wrk, server
from ledger.log import create_store
from tests.postgres import PROGRAMS, PostgresServer, postgres_server

ROUNDS = 3
SECONDS = 5.0
LISTENERS = 200
TABLES = 20
"""With twice as many, two cores would not suffice for the clients of two services."""

_SETUPS: Final = {"SQLite, one service": 1, "PostgreSQL, one service": 1, "PostgreSQL, two services": 2}
"""The number of services of each set-up."""

_NOT_COMPARED: Final = ("for one (µs)", "last watcher, median (ms)", "last watcher, p99 (ms)", "(ratio)")
"""Endings of figures that are about nothing with SQLite: the last watcher may hear an act before it is answered."""


def main(
    folder: Path | None = None, seconds: float = SECONDS, listeners: int = LISTENERS, tables: int = TABLES
) -> dict[str, float]:
    """Return all figures by name. Without `wrk` or the programs of PostgreSQL, return nothing."""
    if not has_wrk() or not PROGRAMS:
        print("\nLEFT OUT: `wrk` or PostgreSQL is not installed: several services are not measured", file=sys.stderr)
        return {}
    measured: dict[str, list[Mapping[str, float]]] = {}
    with postgres_server(lambda *_: "", max_connections="100") as database:
        for _ in range(ROUNDS):
            for setup, count in _SETUPS.items():
                with tempfile.TemporaryDirectory(dir=folder) as place, ExitStack() as stack:
                    ledger = Path(place, "club.ledger") if "SQLite" in setup else database.address()
                    homes = [Path(place, f"home-{number}") for number in range(count)]
                    for home in homes:
                        home.mkdir()
                    create_store(ledger).close()
                    services = [stack.enter_context(server(ledger, home)) for home in homes]
                    used_s = _database_s(database)
                    figures = asyncio.run(listeners_while(services, Path(place), listeners, seconds))
                    acts = figures[f"{listeners} listeners, 8 connections, messages (count)"] / listeners / count
                    used_s = _database_s(database) - used_s
                    figures["processor of the database for one (µs)"] = used_s / acts * 1e6
                    figures |= asyncio.run(evening(services, tables, listeners, seconds))
                    measured.setdefault(setup, []).append(figures)
    return _medians(measured)


def _database_s(database: PostgresServer) -> float:
    """Return the processor time of all processes that a server has had."""
    master = int((database.data / "postmaster.pid").read_text().split()[0])
    running = Path(f"/proc/{master}/task/{master}/children")
    while True:
        children = running.read_text()
        with suppress(FileNotFoundError, ProcessLookupError):
            used_s = cpu_s_of(master, with_ended=True) + sum(map(cpu_s_of, map(int, children.split())))
            if children == running.read_text():  # else one that ended is counted twice, or not at all
                return used_s


def _medians(measured: Mapping[str, list[Mapping[str, float]]]) -> dict[str, float]:
    base = next(iter(measured.values()))
    medians: dict[str, float] = {}
    for what in base[0]:
        for setup, rounds in measured.items():
            medians[f"{setup}: {what}"] = statistics.median(figures[what] for figures in rounds)
            if rounds is not base and "(count)" not in what and not what.endswith(_NOT_COMPARED):
                ratios = [figures[what] / of_base[what] for figures, of_base in zip(rounds, base, strict=True)]
                medians[f"{setup}: {what}, to SQLite's (ratio)"] = statistics.median(ratios)
    return medians
