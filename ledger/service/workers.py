"""Threads for slow work, with limits on running and waiting jobs."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import BoundedSemaphore
from typing import TypeVar

from ledger.errors import ConflictError, UnreadableError
from ledger.service.catalogue import phrase

Result = TypeVar("Result")


class Workers:
    """A pool of threads with a limited queue."""

    def __init__(self, name: str, *, running: int, waiting: int) -> None:
        self._pool = ThreadPoolExecutor(running, thread_name_prefix=name)
        self._places = BoundedSemaphore(running + waiting)

    def submit(self, work: Callable[[], Result]) -> Future[Result]:
        """Run a function in the pool.

        Raise `ConflictError` (`busy`) if the queue is full, and `UnreadableError` (`closed`) after the end.
        """
        if not self._places.acquire(blocking=False):
            raise ConflictError("busy", phrase("too_many_questions"))
        try:
            future = self._pool.submit(work)
        except RuntimeError as error:
            self._places.release()
            raise is_ending() from error
        future.add_done_callback(lambda _: self._places.release())
        return future

    def close(self) -> None:
        """Wait for running jobs and cancel the waiting ones."""
        self._pool.shutdown(cancel_futures=True)


def is_ending() -> UnreadableError:
    """Return the error for work that comes after the end of the service."""
    return UnreadableError("closed", phrase("ending"))
