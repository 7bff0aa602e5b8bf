"""Coalescing of requests: many clients that want the same answer at once share one computation."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, Final, TypeVar
from weakref import WeakValueDictionary

Result = TypeVar("Result")

_REST_MAX_S: Final = 0.5
"""A call that takes longer has waited for something, not computed."""


class Coalescer:
    """Runs one call at a time for each key; callers that come while it runs share the next call.

    The next call starts after a rest as long as the last one took, up to half a second. So half of a processor stays
    free, however many clients there are. Everything happens in the event loop.
    """

    def __init__(self) -> None:
        self._next: dict[Hashable, asyncio.Task[Any]] = {}
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    async def run(self, key: Hashable, call: Callable[[], Awaitable[Result]]) -> Result:
        """Return the result of a call that starts now or later; raise what it raises.

        Callers of the next call share that of the first of them, so calls with one key must return equal results.
        """
        task: asyncio.Task[Result] | None = self._next.get(key)
        if task is None:
            task = self._next[key] = asyncio.create_task(self._run_alone(key, call))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())  # all callers may have left
        return await asyncio.shield(task)

    async def _run_alone(self, key: Hashable, call: Callable[[], Awaitable[Result]]) -> Result:
        loop = asyncio.get_running_loop()
        lock = self._locks.setdefault(key, asyncio.Lock())
        await lock.acquire()
        del self._next[key]
        started = loop.time()
        try:
            return await call()
        finally:
            loop.call_later(min(loop.time() - started, _REST_MAX_S), lock.release)
