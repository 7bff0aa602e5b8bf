"""Threads for what takes long: so many at a time, so many waiting; whoever comes then is told to come again."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import BoundedSemaphore
from typing import TypeVar

from ledger.errors import ConflictError, UnreadableError
from ledger.service.catalogue import phrase

Result = TypeVar("Result")


class Workers:
    """A number of threads and of places to wait."""

    def __init__(self, name: str, *, running: int, waiting: int) -> None:
        self._pool = ThreadPoolExecutor(running, thread_name_prefix=name)
        self._places = BoundedSemaphore(running + waiting)

    def submit(self, work: Callable[[], Result]) -> Future[Result]:
        """What the work will come to.

        Raises `ConflictError` (`busy`) where no place is left, and `UnreadableError` (`closed`) after the end.
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
        """Wait for who is at work; who waits is sent away."""
        self._pool.shutdown(cancel_futures=True)


def is_ending() -> UnreadableError:
    """Whoever asks comes too late."""
    return UnreadableError("closed", phrase("ending"))
