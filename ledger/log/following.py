"""Following a log: wait for entries that others record, by looking again. Works over any store that can read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event as Signal
from time import monotonic

from ledger.log.base import Row


def follow_rows(
    read: Callable[[int], Iterator[Row]],
    after: int,
    poll_seconds: float,
    idle_seconds: float | None,
    stop: Signal | None,
) -> Iterator[Row]:
    """The rows that `read` answers after a position, then new ones; see `LogStore.follow`."""
    stop = Signal() if stop is None else stop
    last_news = monotonic()
    while not stop.is_set():
        for row in read(after):
            yield row
            after, last_news = row.position, monotonic()
            if stop.is_set():
                return
        if idle_seconds is not None and monotonic() - last_news >= idle_seconds:
            return
        stop.wait(poll_seconds)
