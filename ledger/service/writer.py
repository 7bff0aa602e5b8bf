"""The writer of a running service: one thread that executes the commands of recorders, many per commit.

Requests that arrive during a sync of the disk are recorded with the next one. Commands are decided one by one in order
of arrival, and answered only after their entries are on disk. Other processes may write to the ledger, too: their
entries are taken in before a command is decided, and published like ours.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from itertools import groupby
from queue import Empty, Full, Queue
from time import monotonic
from typing import Any, Final, TypeAlias, cast

from msgspec import Struct

from ledger.errors import ConflictError, LedgerError
from ledger.log.base import Head, LogStore
from ledger.log.durable import ServedStore
from ledger.recording.commands import Command, execute_all
from ledger.service.catalogue import phrase
from ledger.service.commands import AddAsSeen, RecordEntries
from ledger.service.states import Published, ServedStates, news_of
from ledger.service.visibility import VisibleHead

QUEUE: Final = 1_024
"""The most requests in the queue; further ones are refused as busy."""

GROUP: Final = 256
"""The most requests of one commit."""

GROUP_BYTES: Final = 1_000_000
"""The largest total size of the requests of one commit, unless a single one is larger."""

POLL_S: Final = 0.2
"""The interval of the check for entries of other processes."""


Job: TypeAlias = Callable[[LogStore], Any]
"""Other work on the ledger, executed alone and in its turn."""


def look(store: LogStore) -> None:
    """Let the writer take in the entries of other processes; it does that before any job, so this one is empty."""


Done: TypeAlias = "tuple[Any, object]"
"""The ticket of a submission (`Writer.submit`), and its result or error."""


LOOKED: Final = object()
"""The result of `look`."""


class _QueuedJob(Struct):
    ticket: Any
    work: Command[Any] | Job


class Writer:
    """The writer thread. `deliver` is called with the results of one commit, `publish` with the recorded entries.

    Both are called in the writer's thread, `deliver` after `publish`.
    """

    def __init__(
        self,
        open_store: Callable[[Head], ServedStore],
        visible: VisibleHead,
        *,
        deliver: Callable[[Sequence[Done]], None],
        publish: Callable[[Published], None],
    ) -> None:
        self.visible = visible
        self.trouble: LedgerError | None = None
        self._open_store = open_store
        self._deliver = deliver
        self._publish_to = publish
        self.reopened = 0
        self._queue: Queue[_QueuedJob | None] = Queue(QUEUE)
        self._waiting: deque[_QueuedJob] = deque()
        self._began: float | None = None
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def submit(self, ticket: Any, work: Command[Any] | Job) -> None:
        """Append work to the queue; `deliver` receives its result with the ticket. Raise `ConflictError` (`busy`)."""
        try:
            self._queue.put_nowait(_QueuedJob(ticket, work))
        except Full:
            raise ConflictError("busy", phrase("writer_busy", waiting=QUEUE)) from None

    @property
    def waiting(self) -> int:
        """The number of requests in the queue."""
        return self._queue.qsize()

    @property
    def at_it_s(self) -> float:
        """The seconds since the current commit began; 0 if the writer is idle."""
        began = self._began
        return 0.0 if began is None else monotonic() - began

    def stop(self, timeout_s: float | None = None) -> bool:
        """Let the writer finish its queue and end; return whether it ended in time."""
        self._queue.put(None)
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        if not self._opened():
            return
        try:
            while (jobs := self._next()) is not None:
                self._began = monotonic()
                self._attend_to(jobs)
                self._began = None
        finally:
            self._store.close()

    def _opened(self) -> bool:
        """Open the ledger; return False if the service ended first. Each job that arrives meanwhile starts another
        attempt.
        """
        jobs: list[_QueuedJob] | None = []
        while jobs is not None:
            try:
                self._store = self._open_store(self.visible.head)
                self._states = ServedStates(self._store, self.visible, self._publish)
                self._waiting += jobs
                return True
            except Exception as error:
                self.trouble = _trouble(error)
                self._deliver([(job.ticket, error) for job in jobs])
            jobs = self._next()
        return False

    def _attend_to(self, jobs: list[_QueuedJob]) -> None:
        """Execute jobs and answer each of them, whatever happens."""
        done: list[Done] = []
        try:
            self._work_on(jobs, done)
        except Exception as error:
            self.trouble = _trouble(error)
            self._states.forget()
            settled = {id(ticket) for ticket, _ in done}
            done += [(job.ticket, error) for job in jobs if id(job.ticket) not in settled]
        if done:
            self._deliver(done)
        try:
            self._store.settle()  # after the answers: nobody waits for it
        except Exception as error:
            self.trouble = _trouble(error)

    def _next(self) -> list[_QueuedJob] | None:
        """Return the jobs of the next commit, none if it is time to look for entries of others; None at the end."""
        jobs: list[_QueuedJob] = []
        size = 0
        while self._waiting and len(jobs) < GROUP:
            jobs.append(self._waiting.popleft())
        if not jobs:
            try:
                first = self._queue.get(timeout=POLL_S)
            except Empty:
                return jobs
            if first is None:
                return None
            jobs.append(first)
        size = sum(map(_size, jobs))
        while len(jobs) < GROUP and size < GROUP_BYTES:
            try:
                job = self._queue.get_nowait()
            except Empty:
                break
            if job is None:
                self._queue.put(None)  # after this commit
                break
            jobs.append(job)
            size += _size(job)
        return jobs

    def _work_on(self, jobs: list[_QueuedJob], done: list[Done]) -> None:
        try:
            self._do(jobs, done)
        except LedgerError as error:
            self._store.check_cause(error)
            raise

    def _do(self, jobs: list[_QueuedJob], done: list[Done]) -> None:
        self._check_ledger(is_quick=bool(jobs) and all(map(_records, jobs)))
        answers: list[Done] = []
        for are_commands, some in groupby(jobs, lambda job: isinstance(job.work, Command)):
            run = list(some)
            if are_commands:
                results = execute_all(self._store, self._states, [cast("Command[Any]", job.work) for job in run])
                answers += zip((job.ticket for job in run), results, strict=True)
            else:
                answers += [(job.ticket, self._run_job(cast(Job, job.work))) for job in run]
        self._publish()
        done += answers  # acknowledge only published entries
        self.trouble = None

    def _run_job(self, job: Job) -> object:
        if job is look:
            return LOOKED
        try:
            with self._store.alone():  # no other process may record between its reads and its append
                self._publish()  # the job needs the current visible head
                self._states.is_level = False
                return job(self._store)
        except Exception as error:  # our own faults, too, are reported to the caller, and the writer goes on
            return error

    def _check_ledger(self, *, is_quick: bool) -> None:
        """Raise `ReplacedError` if the ledger is not the served one any more; `is_quick`: as in `current`."""
        if (store := self._store.current(is_quick=is_quick)) is not self._store:
            before, self._store = self._store, store
            self._states = ServedStates(store, self.visible, self._publish)
            self.reopened += 1
            before.close()
        self._states.is_level = self._store.head() == self.visible.head
        if not self._states.is_level:
            self._publish()
            self._states.is_level = True

    def _publish(self) -> None:
        news = news_of(self._states, self.visible)
        if news is not None:
            self.visible = self._states.visible = news.visible
            self._publish_to(news)


def _trouble(error: Exception) -> LedgerError:
    return error if isinstance(error, LedgerError) else ConflictError("busy", phrase("writer_failed"))


def _records(job: _QueuedJob) -> bool:
    """Return whether the job appends entries."""
    return isinstance(job.work, RecordEntries) or (isinstance(job.work, AddAsSeen) and not job.work.dry_run)


def _size(job: _QueuedJob) -> int:
    return job.work.size_bytes if isinstance(job.work, RecordEntries) else 0
