"""Engines, which run one function on many tasks, in this process, in several ones or on several hosts.

A further engine is a callable like `Processes`: it yields the result of each task, in any order, and raises the
function's exceptions. Tasks and results can be pickled. The function is idempotent, so an engine may run a task twice,
e.g. after the death of its worker; it yields one of the results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from multiprocessing import get_context
from typing import Final, Protocol, TypeVar

from ledger.errors import UnreadableError, UsageError
from ledger.extras import module_of_extra
from ledger.history.catalogue import phrase
from ledger.history.model.parallel import prepare_worker

Task = TypeVar("Task")
Result = TypeVar("Result")

_ATTEMPTS: Final = 3
"""How many pools may break, as one does when the system kills a process, before the run ends."""


_LOOPBACK: Final = "127.0.0.1"

_ANSWERS_S: Final = 10
"""How long a scheduler may take to answer."""


class Engine(Protocol):
    """A function that yields the result of `function` for each task, in any order."""

    def __call__(self, function: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[Result]: ...


class Processes:
    """The engine of one machine: a pool of processes, or this process for one worker.

    The calling program needs the guard `if __name__ == "__main__"`, as always with multiprocessing.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers

    def __call__(self, function: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[Result]:
        """Yield the results; start again with the tasks that are left if a process was killed.

        Raise `UnreadableError` if that happens again and again.
        """
        if min(self._workers, len(tasks)) <= 1:
            yield from map(function, tasks)
            return
        left = dict(enumerate(tasks))
        for _ in range(_ATTEMPTS):
            try:
                # Not forked: this process may have threads and open databases.
                with ProcessPoolExecutor(min(self._workers, len(left)), get_context("spawn"), prepare_worker) as pool:
                    running = {pool.submit(function, task): number for number, task in left.items()}
                    try:
                        for done in as_completed(running):
                            result = done.result()
                            del left[running[done]]
                            yield result
                    finally:
                        pool.shutdown(cancel_futures=True)
                return
            except BrokenProcessPool:
                continue
        raise UnreadableError("disk", phrase("lake.processes_die", count=_ATTEMPTS))


class Dask:
    """The engine of several hosts: Dask's scheduler at an address, else a local one with that many processes.

    Workers need the same version of this package, and the ledger and the lake under the same addresses. The package
    Dask is in the extra `dask`.
    """

    def __init__(self, workers: int, scheduler: str | None = None) -> None:
        self._workers = workers
        self._scheduler = scheduler

    def __call__(self, function: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[Result]:
        """Yield the results; Dask gives the tasks of a dead worker to others.

        Raise `MissingExtraError` without the extra, `UsageError` if no scheduler answers at the address, and
        `UnreadableError` for a task whose workers die again and again.
        """
        distributed = module_of_extra("dask", "distributed")
        with ExitStack() as stack:
            if self._scheduler is None:
                cluster = distributed.LocalCluster(
                    n_workers=self._workers,
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs="CRITICAL",
                    host=_LOOPBACK,
                )
                client = distributed.Client(stack.enter_context(cluster))
            else:
                try:
                    client = distributed.Client(self._scheduler, timeout=_ANSWERS_S)
                except (OSError, ValueError) as error:
                    raise UsageError("usage", phrase("lake.no_scheduler", address=self._scheduler)) from error
            stack.enter_context(client)
            futures = client.map(function, tasks, pure=False, retries=0)
            try:
                for done in distributed.as_completed(futures):
                    yield done.result()
            except distributed.KilledWorker as error:
                raise UnreadableError("disk", phrase("lake.processes_die", count=error.allowed_failures + 1)) from error
