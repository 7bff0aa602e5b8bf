"""QueryCache that stay true until the read model goes on: each is found once, whoever asks for it meanwhile."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from functools import partial
from threading import RLock
from typing import Any, TypeVar

Told = TypeVar("Told")


class QueryCache:
    """The newest answers by what was asked, those that are being found among them; what failed is not kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Future[Any]] = OrderedDict()
        self._turn = RLock()

    def answer(self, key: Hashable, find: Callable[[], Future[Told]]) -> Future[Told]:
        """The answer, for this one asker to wait for, or to cancel; what `find` raises is raised."""
        with self._turn:
            found = self._kept.get(key)
            if found is None:
                found = self._kept[key] = find()
                if len(self._kept) > self._most:
                    self._kept.popitem(last=False)
                found.add_done_callback(partial(self._forget_if_failed, key))
            else:
                self._kept.move_to_end(key)
        return _of_one_asker(found)

    def forget(self) -> None:
        """From now on everything is found anew."""
        with self._turn:
            self._kept.clear()

    def _forget_if_failed(self, key: Hashable, found: Future[Any]) -> None:
        if found.cancelled() or found.exception() is not None:
            with self._turn:
                if self._kept.get(key) is found:
                    del self._kept[key]


def _of_one_asker(found: Future[Told]) -> Future[Told]:
    own: Future[Told] = Future()
    found.add_done_callback(partial(_hand_on, own))
    return own


def _hand_on(own: Future[Told], found: Future[Told]) -> None:
    if found.cancelled():
        own.cancel()
        own.set_running_or_notify_cancel()
    elif not own.set_running_or_notify_cancel():
        return
    elif (error := found.exception()) is not None:
        own.set_exception(error)
    else:
        own.set_result(found.result())
