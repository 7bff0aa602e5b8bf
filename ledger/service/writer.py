"""The one writer of a running service: a thread that executes what recorders send, many commands at a commit.

What came during the last sync of the disk is recorded with the next one. Every command is decided alone, in the order
in which they came; it is answered only after its entries are on disk. Other processes may write to the ledger, too:
what they wrote is taken in before a command is decided, and published like ours.
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
from ledger.log.watched import WatchedStore
from ledger.recording.commands import Command, execute_all
from ledger.service.catalogue import phrase
from ledger.service.commands import AddAsSeen, RecordEntries
from ledger.service.states import Published, ServedStates, news_of
from ledger.service.visibility import VisibleHead

QUEUE: Final = 1_024
"""So many requests wait for the writer; more are told to come again."""

GROUP: Final = 256
"""So many requests are recorded with one commit."""

GROUP_BYTES: Final = 1_000_000
"""So large are the requests of one commit together, unless one alone is larger."""

POLL_S: Final = 0.2
"""So often it looks for what other processes have recorded."""


Job: TypeAlias = Callable[[LogStore], Any]
"""Anything else that is to be done with the ledger, alone and in its turn."""

Done: TypeAlias = "tuple[Any, object]"
"""What was asked with (`Writer.submit`), and the answer or the error."""


class _QueuedJob(Struct):
    ticket: Any
    work: Command[Any] | Job


class Writer:
    """Runs from `start` to `stop`. `deliver` is told the answers of one commit together, `publish` what was recorded.

    Both are called in the writer's thread, `deliver` after `publish`.
    """

    def __init__(
        self,
        open_store: Callable[[Head], WatchedStore],
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

    # --- from any thread ----------------------------------------------------------------------------------------------

    def start(self) -> None:
        self._thread.start()

    def submit(self, ticket: Any, work: Command[Any] | Job) -> None:
        """Puts it at the end of the queue; `deliver` is told of it with the ticket. Raises `ConflictError` (busy)."""
        try:
            self._queue.put_nowait(_QueuedJob(ticket, work))
        except Full:
            raise ConflictError("busy", phrase("writer_busy", waiting=QUEUE)) from None

    @property
    def waiting(self) -> int:
        """So many requests stand in the queue."""
        return self._queue.qsize()

    @property
    def at_it_s(self) -> float:
        """So long it has been at what it does now, in seconds; 0 where it waits for requests."""
        began = self._began
        return 0.0 if began is None else monotonic() - began

    def stop(self, timeout_s: float | None = None) -> bool:
        """Lets it do what stands in the queue, then end; whether it has ended in that time."""
        self._queue.put(None)
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    # --- the thread ---------------------------------------------------------------------------------------------------

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
        """Open the ledger; False where the end came first. A job that comes meanwhile starts another attempt."""
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
        """Whatever happens, each of them is answered, and the next ones are taken."""
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
            self._store.settle()  # nobody waits for it
        except Exception as error:
            self.trouble = _trouble(error)

    def _next(self) -> list[_QueuedJob] | None:
        """The jobs of the next commit, none where it is time to look for what others wrote; None: it is over."""
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
        done += answers  # only what was published is acknowledged
        self.trouble = None

    def _run_job(self, job: Job) -> object:
        try:
            with self._store.alone():  # it judges by what it reads, and may record it
                self._publish()  # it asks how far everybody may see, and must not be behind
                self._states.is_level = False
                return job(self._store)
        except Exception as error:  # a fault of ours, too, is told to who asked, and the writer goes on
            return error

    def _check_ledger(self, *, is_quick: bool) -> None:
        """Raise `ReplacedError` where the ledger is not any more what was served; `is_quick`: as of `current`."""
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
    """Return whether an append follows."""
    return isinstance(job.work, RecordEntries) or (isinstance(job.work, AddAsSeen) and not job.work.dry_run)


def _size(job: _QueuedJob) -> int:
    return job.work.size_bytes if isinstance(job.work, RecordEntries) else 0
