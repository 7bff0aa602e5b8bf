"""A clock that goes on where the machine's clock is set back, so that nothing lives longer than its expiry."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from time import monotonic

from ledger.log.base import Clock, utc_now


class MonotonicClock:
    """A clock that never goes back and never runs slow, except after a reset."""

    def __init__(self, clock: Clock = utc_now, elapsed_s: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._elapsed_s = elapsed_s
        self._newest: datetime | None = None
        self._seen: datetime | None = None
        self._measured_at_s = 0.0

    def now(self, seen: datetime | None = None) -> datetime:
        """Return the current time, at least `seen`.

        `seen`: the newest stored time; a value earlier than at the last call means that an operator reset the clock.
        """
        if seen is not None:
            if self._seen is not None and seen < self._seen:
                self._newest = None
            self._seen = seen
        elapsed_s = self._elapsed_s()
        moments = [self._clock()]
        if self._newest is not None:
            moments.append(self._newest + timedelta(seconds=elapsed_s - self._measured_at_s))
        if seen is not None:
            moments.append(seen)
        self._newest, self._measured_at_s = max(moments), elapsed_s
        return self._newest

    def machine(self) -> datetime:
        """Return the time of the machine's clock."""
        return self._clock()
