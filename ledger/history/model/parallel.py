"""Folds the tables of a large catch-up in several processes; each writes its rows to files, which are then loaded."""

from __future__ import annotations

import atexit
import gc
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import astuple
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Final, TypeAlias

from msgspec import Struct

from ledger.errors import MalformedError
from ledger.history.model.database import GC_THRESHOLD
from ledger.history.model.loading import RowFiles, is_enough, write_entries, write_rows
from ledger.history.model.rows import Rows
from ledger.history.model.table_rows import collect_table
from ledger.log.bulk import Bulk, CutBulk
from ledger.log.stores import bulk_of, open_store

MIN_ENTRIES: Final = 150_000
"""Below, starting the processes (0.6 s) costs more than they save; two are 1.45 times as fast as one at 286,000 and 1.7
times at 572,000."""

_JOBS_A_WORKER: Final = 6
"""So many that no process waits long for the last one, so few that their files are large."""


class FoldContext(Struct, frozen=True):
    """What all jobs have in common: the ledger's address, if it has one, up to which position, what of it is held back,
    dates of sessions, for whom each linked spelling is taken, the time zone of days, where to write.
    """

    ledger: str | None
    until: int
    held_back: Mapping[str, int]
    session_days: Mapping[str, str | None]
    persons: Mapping[str, str]
    zone: str
    folder: Path

    def collect(self, rows: Rows, table: str, source: Bulk) -> None:
        """Add all rows of one table."""
        collect_table(rows, table, source, self.until, self.session_days.get, persons=self.persons, zone=self.zone)


class EntryRange(Struct, frozen=True):
    """The job of writing down the entries between two positions, the first one excluded."""

    after: int
    until: int


FoldJob: TypeAlias = EntryRange | list[str]
"""What one process does at a time: entries, or the names of tables to be folded."""


class _Worker:
    """One process with a ledger of its own."""

    def __init__(self, context: FoldContext) -> None:
        assert context.ledger is not None, "processes are started for a ledger that they can open"
        self.context = context
        self.source = CutBulk(bulk_of(open_store(context.ledger, access="read")), context.held_back)

    def run(self, job: FoldJob) -> RowFiles:
        context = self.context
        if isinstance(job, EntryRange):
            return write_entries(self.source, job.after, job.until, context.folder)
        rows: Rows = defaultdict(list)
        written = RowFiles({}, 0)
        for table in job:
            context.collect(rows, table, self.source)
            if table == job[-1] or is_enough(rows):
                written = written.with_more(write_rows(rows, context.folder, f"of-{job[0]}"))
        return written


_workers: list[_Worker] = []  # in a worker process, the one


def _start(context: FoldContext) -> None:
    _workers.append(_Worker(context))
    gc.freeze()  # what was imported stays
    gc.set_threshold(GC_THRESHOLD)
    Thread(target=_end_with_parent, daemon=True).start()
    # All results are sent: end without taking the interpreter apart, where DuckDB would complain of the thread.
    atexit.register(os._exit, 0)


def _end_with_parent() -> None:
    """Without this, the processes of a killed catch-up would wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run_job(job: FoldJob) -> RowFiles | tuple[str | None, ...]:
    """The files of this job, or the parts of the error: an exception with fields does not survive the way back."""
    try:
        return _workers[0].run(job)
    except MalformedError as error:
        return astuple(error)


def is_worth_it(entries: int, tables: int, workers: int) -> bool:
    """Whether several processes are wanted and faster."""
    return workers > 1 and tables > 1 and entries >= MIN_ENTRIES


def fold_in_parallel(
    context: FoldContext, ranges: Sequence[EntryRange], tables: Sequence[str], workers: int
) -> Iterator[tuple[int, RowFiles]]:
    """How many tables were folded, and the files with what was made, again and again until all is done."""
    size = max(1, len(tables) // (workers * _JOBS_A_WORKER))
    jobs: list[FoldJob] = [list(tables[start : start + size]) for start in range(0, len(tables), size)]
    # Not forked: this process may have threads, and databases open.
    with ProcessPoolExecutor(workers, get_context("spawn"), _start, (context,)) as pool:
        waiting = {
            pool.submit(_run_job, job): 0 if isinstance(job, EntryRange) else len(job) for job in [*ranges, *jobs]
        }
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
