"""Caches: answers of the read model until it advances, and other answers by everything they depend on."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from functools import partial
from threading import Lock, RLock
from typing import Any, TypeVar

Result = TypeVar("Result")


class QueryCache:
    """The newest answers by query, including those still running; failures are not cached."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._futures: OrderedDict[Hashable, Future[Any]] = OrderedDict()
        self._turn = RLock()

    def answer(self, key: Hashable, find: Callable[[], Future[Result]]) -> Future[Result]:
        """Return the answer for one caller to wait for, or to cancel. Raise as `find`."""
        with self._turn:
            future = self._futures.get(key)
            if future is None:
                future = self._futures[key] = find()
                if len(self._futures) > self._most:
                    self._futures.popitem(last=False)
                future.add_done_callback(partial(self._forget_if_failed, key))
            else:
                self._futures.move_to_end(key)
        return _of_one_asker(future)

    def forget(self) -> None:
        """Drop all answers."""
        with self._turn:
            self._futures.clear()

    def _forget_if_failed(self, key: Hashable, future: Future[Any]) -> None:
        if future.cancelled() or future.exception() is not None:
            with self._turn:
                if self._futures.get(key) is future:
                    del self._futures[key]


def _of_one_asker(future: Future[Result]) -> Future[Result]:
    own: Future[Result] = Future()
    future.add_done_callback(partial(_hand_on, own))
    return own


def _hand_on(own: Future[Result], future: Future[Result]) -> None:
    if future.cancelled():
        own.cancel()
        own.set_running_or_notify_cancel()
    elif not own.set_running_or_notify_cancel():
        return
    elif (error := future.exception()) is not None:
        own.set_exception(error)
    else:
        own.set_result(future.result())


class AnswerCache:
    """Answers by everything they depend on; the least recently used ones are dropped first."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._turn = Lock()
        self._size = 0
        self._answers: OrderedDict[Hashable, tuple[int, Any]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._answers)

    def get(self, key: Hashable) -> Any:
        """Return the answer of a key; None if it is not cached."""
        with self._turn:
            cached = self._answers.get(key)
            if cached is None:
                return None
            self._answers.move_to_end(key)
            return cached[1]

    def forget(self) -> None:
        """Drop all answers."""
        with self._turn:
            self._answers.clear()
            self._size = 0

    def keep(self, key: Hashable, answer: object, size_bytes: int) -> None:
        """Cache an answer, unless it is so large that it would displace all others."""
        with self._turn:
            self._keep(key, answer, size_bytes)

    def _keep(self, key: Hashable, answer: object, size_bytes: int) -> None:
        if key in self._answers or size_bytes > self._most // 16:
            return
        self._answers[key] = size_bytes, answer
        self._size += size_bytes
        while self._size > self._most:
            _, (size, _) = self._answers.popitem(last=False)
            self._size -= size
