"""Folds the tables of a large catch-up in several processes; each writes its rows to files, which are then loaded."""

from __future__ import annotations

import atexit
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import astuple
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Final

from msgspec import Struct

from ledger.errors import MalformedError
from ledger.history.loading import RowFiles, write_rows
from ledger.history.rows import Rows
from ledger.history.table_rows import collect_entries, collect_table
from ledger.log.base import LogStore
from ledger.log.sqlite import SqliteStore

MIN_ENTRIES: Final = 150_000
"""Below, starting the processes (0.6 s) costs more than they save; two are 1.45 times as fast as one at 286,000 and 1.7
times at 572,000."""

_JOBS_A_WORKER: Final = 6
"""So many that no process waits long for the last one, so few that their files are large."""


class Work(Struct, frozen=True):
    """What all jobs have in common: the ledger, the positions between which entries are new, the sessions' days, where
    to write.
    """

    ledger: Path
    after: int
    until: int
    session_days: Mapping[str, str]
    folder: Path


class _Worker:
    """One process with a ledger of its own."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.store = SqliteStore.open(work.ledger, readonly=True)

    def fold(self, tables: Sequence[str]) -> RowFiles:
        rows: Rows = defaultdict(list)
        for table in tables:
            stored = self.store.read_stream(f"table/{table}", until_position=self.work.until)
            if stored:
                collect_entries(rows, stored, self.work.after)
                collect_table(rows, table, stored, self.work.session_days)
        return write_rows(rows, self.work.folder, f"of-{tables[0]}")


_workers: list[_Worker] = []  # in a worker process, the one


def _start(work: Work) -> None:
    _workers.append(_Worker(work))
    Thread(target=_end_with_parent, daemon=True).start()
    # All results are sent: end without taking the interpreter apart, where DuckDB would complain of the thread.
    atexit.register(os._exit, 0)


def _end_with_parent() -> None:
    """Without this, the processes of a killed catch-up would wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _fold(tables: Sequence[str]) -> RowFiles | tuple[str | None, ...]:
    """The files of these tables, or the parts of the error: an exception with fields does not survive the way back."""
    try:
        return _workers[0].fold(tables)
    except MalformedError as error:
        return astuple(error)


def is_worth_it(store: LogStore, entries: int, tables: int, workers: int) -> bool:
    """Whether several processes are wanted and faster; they must be able to open the ledger."""
    return workers > 1 and tables > 1 and entries >= MIN_ENTRIES and isinstance(store, SqliteStore)


def fold_in_parallel(work: Work, tables: Sequence[str], workers: int) -> Iterator[tuple[int, RowFiles]]:
    """How many tables were folded, and the files with their rows, again and again until all are done."""
    size = max(1, len(tables) // (workers * _JOBS_A_WORKER))
    jobs = [tables[start : start + size] for start in range(0, len(tables), size)]
    # Not forked: this process may have threads, and databases open.
    with ProcessPoolExecutor(workers, get_context("spawn"), _start, (work,)) as pool:
        waiting = {pool.submit(_fold, job): len(job) for job in jobs}
        try:
            for done in as_completed(waiting):
                answer = done.result()
                if isinstance(answer, tuple):
                    raise MalformedError(*answer)  # type: ignore[arg-type]
                yield waiting[done], answer
        finally:
            pool.shutdown(cancel_futures=True)


def usable_cores() -> int:
    """How many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
