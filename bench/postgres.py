"""Measure the store in PostgreSQL beside `pgbench` (bare INSERTs into a table of the same columns) and beside SQLite.

All take turns on one machine, which the server and its clients share; the server waits for the disk. Figures are
medians over the rounds. Without PostgreSQL's programs there are none.
"""

from __future__ import annotations

import os
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import TypeAlias

from bench.append import BATCH_SIZE, new_batch
from ledger.errors import LedgerError
from ledger.events import Noted
from ledger.log import AppendRequest, Batch, LogStore, NewEntry, create_store, open_store
from ledger.log.append_rules import new_id, prepare
from ledger.log.stores import HOME
from tests.postgres import PROGRAMS, PostgresServer, postgres_server

ROUNDS = 3
SECONDS = 1.0
"""How long each contender appends in a round."""

CLIENTS = (1, 8, 32)
BATCHES = 10
"""Batches of a round in bulk."""

_Waiting: TypeAlias = "SimpleQueue[tuple[AppendRequest, Lock] | None]"

_BARE = """
  CREATE TABLE bare (
    ledger integer NOT NULL, position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, stream text NOT NULL,
    version integer NOT NULL, id uuid NOT NULL, recorded_at timestamptz NOT NULL, recorded_by text NOT NULL,
    happened_at timestamptz, event text NOT NULL, digest bytea NOT NULL)"""
_BARE_INSERT = """INSERT INTO bare (ledger, stream, version, id, recorded_at, recorded_by, event, digest) VALUES
 (1, 'table/bench', 1, gen_random_uuid(), now(), 'bench', '{"type":"noted","text":"bench"}', sha256('bench'));
"""


def main(folder: Path | None = None) -> dict[str, float]:
    """Return all figures by name, in entries per second unless the name says otherwise."""
    if not PROGRAMS:
        return {}
    with (
        tempfile.TemporaryDirectory(dir=folder) as place,
        postgres_server(lambda *_: "", max_connections="100") as server,
    ):
        os.environ[HOME] = place
        return _measure(Path(place), server)


def _measure(folder: Path, server: PostgresServer) -> dict[str, float]:
    server.sql(_BARE)
    script = server.folder / "bare.sql"
    script.write_text(_BARE_INSERT, encoding="utf-8")
    rates: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for clients in CLIENTS:
            rates.setdefault(f"bare INSERT by pgbench, {clients}", []).append(_pgbench(server, script, clients))
            for kind in ("PostgreSQL", "SQLite"):
                with _ledger(kind, folder, server) as where:
                    for way, appended in (("single", _single), ("grouped", _grouped)):
                        rates.setdefault(f"{kind}, {way}, {clients}", []).append(appended(where, clients))
    for kind in ("PostgreSQL", "SQLite"):
        for _ in range(ROUNDS):
            with _ledger(kind, folder, server) as where, open_store(where) as store:
                for name, figure in _bulk(store, folder / f"copy-{kind}.ledger", server, kind):
                    rates.setdefault(f"{kind}, {name}", []).append(figure)
    figures = {name: statistics.median(values) for name, values in rates.items()}
    for clients in CLIENTS:
        bare = figures[f"bare INSERT by pgbench, {clients}"]
        figures[f"PostgreSQL grouped / bare INSERT, {clients} (ratio)"] = (
            figures[f"PostgreSQL, grouped, {clients}"] / bare
        )
    return figures


@contextmanager
def _ledger(kind: str, folder: Path, server: PostgresServer) -> Iterator[str | Path]:
    """Yield the address of a new ledger."""
    where = server.address() if kind == "PostgreSQL" else folder / f"{new_id()}.ledger"
    create_store(where).close()
    yield where


def _pgbench(server: PostgresServer, script: Path, clients: int) -> float:
    words = ["-h", str(server.folder), "-U", "postgres", "-n", "-f", str(script), "-c", str(clients)]
    said = server.run("pgbench", *words, "-j", str(min(clients, 2)), "-T", str(round(SECONDS)), "postgres")
    return float(re.findall(r"tps = ([\d.]+)", said)[0])


def _single(where: str | Path, clients: int) -> float:
    """Return the rate of clients that each have a store of their own."""
    with ExitStack() as stores:
        opened = [stores.enter_context(open_store(where)) for _ in range(clients)]
        return _rate([partial(store.append, recorded_by="bench") for store in opened])


def _grouped(where: str | Path, clients: int) -> float:
    """Return the rate of clients whose appends one thread gathers, as that of the service does."""
    waiting: _Waiting = SimpleQueue()

    def appender() -> Callable[[Batch], object]:
        answered = Lock()
        answered.acquire()

        def append(batch: Batch) -> None:
            waiting.put((AppendRequest((batch,), "bench"), answered))
            answered.acquire()

        return append

    with open_store(where) as store:
        writer = Thread(target=_gather, args=(store, waiting))
        writer.start()
        rate = _rate([appender() for _ in range(clients)])
        waiting.put(None)
        writer.join()
    return rate


def _gather(store: LogStore, waiting: _Waiting) -> None:
    while (first := waiting.get()) is not None:
        group = [first]
        with suppress(Empty):
            while (other := waiting.get_nowait()) is not None:
                group.append(other)
        for (_, answered), result in zip(group, store.append_group([request for request, _ in group]), strict=True):
            if isinstance(result, LedgerError):
                raise result
            answered.release()


def _rate(appends: list[Callable[[Batch], object]]) -> float:
    """Return how many appends a second these clients make together, each with ids of its own as clients send them."""
    counts = [0] * len(appends)
    end = time.perf_counter() + SECONDS

    def work(client: int) -> None:
        while time.perf_counter() < end:
            entry = NewEntry(Noted(text="bench"), new_id())
            appends[client](Batch(f"table/bench-{client}", "any", (entry,)))
            counts[client] += 1

    start = time.perf_counter()
    threads = [Thread(target=work, args=(client,)) for client in range(len(appends))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.perf_counter() - start)


def _bulk(store: LogStore, copy: Path, server: PostgresServer, kind: str) -> Iterator[tuple[str, float]]:
    batches = [new_batch(BATCH_SIZE) for _ in range(BATCHES)]
    size = BATCHES * BATCH_SIZE
    groups = [prepare([batch], "bench")[0] for batch in batches]
    yield f"append_prepared, {BATCH_SIZE} each", size / _seconds(lambda: store.append_prepared(groups, recorded_by="x"))
    envelopes = [row.envelope() for row in store.read()]
    copy.unlink(missing_ok=True)
    with create_store(copy if kind == "SQLite" else server.address()) as other:
        yield f"append_envelopes, {BATCH_SIZE} each", size / _seconds(lambda: other.append_envelopes(envelopes))
    yield "read as rows", size / _seconds(lambda: list(store.read(verified=False)))
    yield "read as rows, verified", size / _seconds(lambda: list(store.read()))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
