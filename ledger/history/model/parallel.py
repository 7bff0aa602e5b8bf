"""Folding the tables of a large catch-up in several processes; each writes its rows to files, which are then loaded."""

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
from ledger.log.bulk import BulkReader, CutBulkReader
from ledger.log.stores import bulk_reader, open_store

MIN_ENTRIES: Final = 150_000
"""Smaller catch-ups run in one process, because starting several (0.6 s) costs more than it saves; two are 1.45 times
as fast at 286,000 entries and 1.7 times at 572,000.
"""

_JOBS_A_WORKER: Final = 6
"""Enough that no process waits long for the last one, few enough that their files are large."""


class FoldContext(Struct, frozen=True):
    """The parameters shared by all jobs.

    `ledger`: its address, if it has one. `until`: the last log position. `held_back`: by stream, the first position
    left out. `has_digests`: whether tables have the digests of their last entries. `session_days`: dates by session.
    `persons`: the person of each linked spelling. `zone`: the time zone of days. `folder`: for the files.
    """

    ledger: str | None
    until: int
    held_back: Mapping[str, int]
    has_digests: bool
    session_days: Mapping[str, str | None]
    persons: Mapping[str, str]
    zone: str
    folder: Path

    def collect(self, rows: Rows, table: str, source: BulkReader) -> None:
        """Add all rows of one table."""
        collect_table(rows, table, source, self.until, self.session_days.get, persons=self.persons, zone=self.zone)


class EntryRange(Struct, frozen=True):
    """The job of writing the entries between two positions, the first one excluded."""

    after: int
    until: int


FoldJob: TypeAlias = EntryRange | list[str]
"""The work of one process at a time: a range of entries, or the names of tables to fold."""


class _Worker:
    """One process with its own connection to the ledger."""

    def __init__(self, context: FoldContext) -> None:
        assert context.ledger is not None, "processes are started for a ledger that they can open"
        self.context = context
        bulk = bulk_reader(open_store(context.ledger, access="read"))
        self.source = CutBulkReader(bulk, context.held_back, has_digests=context.has_digests)

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


_workers: list[_Worker] = []  # one, in a worker process


def _start(context: FoldContext) -> None:
    _workers.append(_Worker(context))
    prepare_worker()


def prepare_worker() -> None:
    """Prepare a worker process for its jobs: it collects garbage less often, and ends with its parent."""
    gc.freeze()  # imported modules stay
    gc.set_threshold(GC_THRESHOLD)
    Thread(target=_end_with_parent, daemon=True).start()
    # All results are sent: skip the interpreter's shutdown, in which DuckDB would complain about the thread.
    atexit.register(os._exit, 0)


def _end_with_parent() -> None:
    """End this process with its parent, or it would wait for jobs forever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run_job(job: FoldJob) -> RowFiles | tuple[str | None, ...]:
    """Return the files of the job, or the fields of its error: an exception with fields does not survive pickling."""
    try:
        return _workers[0].run(job)
    except MalformedError as error:
        return astuple(error)


def is_worth_it(entries: int, tables: int, workers: int) -> bool:
    """Return whether several processes are wanted and faster."""
    return workers > 1 and tables > 1 and entries >= MIN_ENTRIES


def fold_in_parallel(
    context: FoldContext, ranges: Sequence[EntryRange], tables: Sequence[str], workers: int
) -> Iterator[tuple[int, RowFiles]]:
    """Yield, until all is done, the number of newly folded tables and the files of their rows."""
    size = max(1, len(tables) // (workers * _JOBS_A_WORKER))
    jobs: list[FoldJob] = [list(tables[start : start + size]) for start in range(0, len(tables), size)]
    # Not forked: this process may have threads and open databases.
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
    """Return the number of processes that can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
