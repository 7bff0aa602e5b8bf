"""Work that many clients ask for at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, Final, TypeVar
from weakref import WeakValueDictionary

Result = TypeVar("Result")

_REST_MAX_S: Final = 0.5
"""Work that takes longer has waited for something."""


class SharedWork:
    """Runs one piece of work at a time for each key. All who ask meanwhile share the next one.

    That one begins after a rest as long as the last one took, up to half a second: however many ask, half of a
    processor stays free. Everything happens in the event loop.
    """

    def __init__(self) -> None:
        self._next: dict[Hashable, asyncio.Task[Any]] = {}
        self._turns: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    async def result(self, key: Hashable, work: Callable[[], Awaitable[Result]]) -> Result:
        """Return the result of work that begins now or later, of the first who asked for it; raise what it raises."""
        task: asyncio.Task[Result] | None = self._next.get(key)
        if task is None:
            task = self._next[key] = asyncio.create_task(self._in_turn(key, work))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())  # perhaps nobody waits any more
        return await asyncio.shield(task)

    async def _in_turn(self, key: Hashable, work: Callable[[], Awaitable[Result]]) -> Result:
        loop = asyncio.get_running_loop()
        turn = self._turns.setdefault(key, asyncio.Lock())
        await turn.acquire()
        del self._next[key]
        begun = loop.time()
        try:
            return await work()
        finally:
            loop.call_later(min(loop.time() - begun, _REST_MAX_S), turn.release)
