"""The read model of a running service: it follows the visible head and answers queries meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Condition, Thread
from time import monotonic
from typing import Final, TypeVar

from msgspec import Struct

from ledger.errors import ConflictError, LedgerError, UnreadableError
from ledger.history import History, SharedHistory, choose_service_history_path, open_shared_history
from ledger.log.base import LogStore
from ledger.log.bulk import Cut
from ledger.log.stores import open_store, sidecar_base
from ledger.service.catalogue import phrase
from ledger.service.query_cache import QueryCache
from ledger.service.visibility import VisibleHead
from ledger.service.workers import Workers, is_ending
from ledger.zones import UTC

Result = TypeVar("Result")


class QueryBounds(Struct, frozen=True, kw_only=True):
    """The limits on queries: how many run and wait, in all and in SQL; the seconds that one of ours may take, and the
    seconds it waits for a read model that is being built; and how many answers are cached.
    """

    running: int = 2
    waiting: int = 8
    sql_running: int = 1
    sql_waiting: int = 1
    seconds: float = 20.0
    patience_s: float = 10.0
    answers: int = 256


DEFAULT_BOUNDS: Final = QueryBounds()

_PAUSE_S: Final = 0.1
"""The shortest time between two catch-ups, so that entries that come together are taken in at once."""

_REST: Final = 3
"""The rest after a catch-up, as a multiple of its duration: catching up takes at most a quarter of a processor."""

_REST_MAX_S: Final = 2.0

_WAIT_S: Final = 2.0
"""The wait for another program that uses the read model."""

_RETRY_S: Final = 5.0
"""The wait before a retry after a failure."""


class ServedHistory:
    """A read model with one thread that catches up; any thread may query. To be closed.

    Queries do not wait for a catch-up: answers are as of `position`, which follows. They wait only while the read model
    is rebuilt, up to `patience_s`.
    """

    def __init__(
        self,
        ledger: str | Path,
        visible: VisibleHead,
        *,
        bounds: QueryBounds = DEFAULT_BOUNDS,
        workers: int = 1,
        zone: str = UTC,
    ) -> None:
        self._ledger = ledger
        self._zone = zone
        self._store: LogStore | None = None
        self._bounds = bounds
        self._workers = workers
        self._query_workers = Workers("ask", running=bounds.running, waiting=bounds.waiting)
        self._sql_workers = Workers("ask-sql", running=bounds.sql_running, waiting=bounds.sql_waiting)
        self._answers = QueryCache(bounds.answers)
        self._changed = Condition()
        self._wanted: Cut | None = _cut_of(visible)
        self._seen_until = 0
        self._connection: SharedHistory | None = None
        self._own_folder: TemporaryDirectory[str] | None = None
        self._running_queries = 0
        self._put_away: SharedHistory | None = None
        self._cut: Cut | None = None
        self._not_before = 0.0
        self._failure: Exception | None = None
        self._is_closing = False
        self._thread = Thread(target=self._run, name="history", daemon=True)

    def start(self) -> None:
        """Start catching up. Earlier queries wait."""
        self._thread.start()

    @property
    def position(self) -> int:
        """The log position of the read model; 0 if there is none yet.

        It does not advance over hidden entries.
        """
        connection = self._connection
        return 0 if connection is None else connection.head.position

    def knows(self, persons: Mapping[str, str]) -> bool:
        """Return whether linked spellings count for these persons in the read model."""
        connection = self._connection
        return connection is not None and connection.persons == persons

    @property
    def failure(self) -> Exception | None:
        """The error of the last catch-up; None if it succeeded."""
        return self._failure

    def wake(self, visible: VisibleHead) -> None:
        """Catch up with a newer visible head soon. An older one than the last is ignored."""
        cut = _cut_of(visible)
        with self._changed:
            newest = self._wanted or self._cut
            if newest is None or cut.head.position >= newest.head.position:
                self._wanted = cut
                self._changed.notify_all()

    def is_level_with(self, position: int, persons: Mapping[str, str] | None = None, *, within_s: float) -> bool:
        """Return whether the read model reaches a position, and `knows` the persons, within that many seconds."""
        with self._changed:
            return self._changed.wait_for(
                lambda: self._seen_until >= position and (persons is None or self.knows(persons)), within_s
            )

    def close(self) -> None:
        """End the thread and close the file; a second call does nothing."""
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        if self._thread.ident is not None:
            self._thread.join()
        self._query_workers.close()
        self._sql_workers.close()

    def query(self, work: Callable[[History], Result], key: Hashable | None = None) -> Future[Result]:
        """Run a function of ours (a statistic, a plot, a report) on the read model in a thread.

        With a `key` (all that the answer depends on except the position) it runs once until the read model advances.
        Raise `ConflictError` (`busy`) if too many queries wait; the future raises it where the query takes too long.
        """
        submit = partial(
            self._query_workers.submit,
            partial(self._run_query, lambda connection: connection.snapshot(self._bounds.seconds), work),
        )
        return submit() if key is None else self._answers.answer(key, submit)

    def query_sql(self, work: Callable[[History], Result]) -> Future[Result]:
        """Run a function with SQL of others (`History.query`, `query_to_parquet`) on a copy; otherwise as `query`."""
        return self._sql_workers.submit(partial(self._run_query, SharedHistory.snapshot_copy, work))

    def _run_query(
        self, opened: Callable[[SharedHistory], AbstractContextManager[History]], work: Callable[[History], Result]
    ) -> Result:
        """Return the result of the function; a damaged read model is rebuilt first, once."""
        with self._open() as connection:
            try:
                with opened(connection) as history:
                    return work(history)
            except LedgerError as error:
                if self._is_closing:
                    raise is_ending() from error
                if not connection.is_damaged:
                    raise
                self._make_anew(connection)
        with self._open() as connection, opened(connection) as history:
            return work(history)

    @contextmanager
    def _open(self) -> Iterator[SharedHistory]:
        """Yield the read model, which stays open within the block."""
        with self._changed:
            is_there = self._changed.wait_for(
                lambda: self._connection or self._failure or self._is_closing, self._bounds.patience_s
            )
            connection = self._connection
            if self._is_closing:
                raise is_ending()
            if connection is None:
                if is_there and self._failure is not None:
                    raise self._failure
                raise ConflictError("busy", phrase("history_not_yet"))
            self._running_queries += 1
        try:
            yield connection
        finally:
            with self._changed:
                self._running_queries -= 1
                self._changed.notify_all()

    def _make_anew(self, damaged: SharedHistory) -> None:
        """Put a damaged read model aside and rebuild it."""
        with self._changed:
            if self._connection is damaged:
                self._connection, self._put_away, self._failure = None, damaged, None
                self._wanted = self._wanted or self._cut
                self._not_before = 0.0
                self._changed.notify_all()

    def _run(self) -> None:
        while (cut := self._next()) is not None:
            failure: Exception | None = None
            begun = monotonic()
            try:
                self._catch_up(cut)
            except Exception as error:  # any failure is reported by queries, and the retry may succeed
                failure = error
            with self._changed:
                self._failure = failure
                if failure is None:
                    self._seen_until = cut.head.position
                if failure is not None and self._wanted is None:
                    self._wanted = cut
                self._not_before = monotonic() + (_rest_s(monotonic() - begun) if failure is None else _RETRY_S)
                self._changed.notify_all()
        self._let_go()
        if self._own_folder is not None:
            self._own_folder.cleanup()
        if self._store is not None:
            self._store.close()

    def _next(self) -> Cut | None:
        """Return the cut to catch up with once there is one; None at the end."""
        with self._changed:
            while not self._is_closing:
                left_s = self._not_before - monotonic()
                if self._wanted is not None and left_s <= 0:
                    self._cut, self._wanted = self._wanted, None
                    return self._cut
                self._changed.wait(None if self._wanted is None else left_s)
            return None

    def _catch_up(self, cut: Cut) -> None:
        if self._store is None:
            self._store = open_store(self._ledger, access="read")
        connection = self._connection
        if connection is not None and not _is_anything_new(self._store, self._seen_until, connection, cut):
            return
        if connection is None or not self._is_caught_up(self._store, connection, cut):
            is_damaged = self._let_go()
            opened = self._opened(self._store, cut, is_damaged)
            with self._changed:
                self._connection = opened
        self._answers.forget()

    def _opened(self, store: LogStore, cut: Cut, is_damaged: bool) -> SharedHistory:
        """Open the read model of the ledger or, where another service uses that, a temporary one."""
        made = partial(
            open_shared_history,
            store,
            cut=cut,
            workers=self._workers,
            rebuild=is_damaged,
            progress=self._go_on,
            wait_s=_WAIT_S,
            zone=self._zone,
        )
        path = choose_service_history_path(store, sidecar_base(self._ledger))
        if self._own_folder is None:
            try:
                return made(path)
            except ConflictError as error:
                if self._is_closing or error.code != "busy":
                    raise
            self._own_folder = TemporaryDirectory(prefix="trickledger-")
        return made(Path(self._own_folder.name, path.name))

    def _go_on(self, done: int, total: int) -> None:
        """Interrupt a catch-up when the service ends, unless nothing is left to do."""
        if self._is_closing and done < total:
            raise is_ending()

    def _is_caught_up(self, store: LogStore, connection: SharedHistory, cut: Cut) -> bool:
        """Return whether the catch-up succeeded; False if the read model must be opened anew."""
        try:
            return connection.catch_up(store, cut, self._go_on)
        except UnreadableError:
            if not connection.is_damaged:
                raise
            return False

    def _let_go(self) -> bool:
        """Close an open read model once no query uses it; return whether it was damaged."""
        with self._changed:
            connection, self._connection, self._put_away = self._connection or self._put_away, None, None
            if connection is None:
                return False
            if self._is_closing:
                connection.interrupt()
            self._changed.wait_for(lambda: self._running_queries == 0)
        connection.close()
        return connection.is_damaged


def _rest_s(took_s: float) -> float:
    return max(_PAUSE_S, min(_REST * took_s, _REST_MAX_S))


def _cut_of(visible: VisibleHead) -> Cut:
    head = visible.head
    return Cut(head, {stream: one.position for stream, one in visible.hidden.items() if one.position <= head.position})


def _is_anything_new(store: LogStore, seen_until: int, connection: SharedHistory, cut: Cut) -> bool:
    """Return whether a cut shows more, or less, than the read model, or persons are linked otherwise."""
    held_back = connection.held_back
    if held_back != cut.held_back or connection.persons != store.people().persons():
        return True
    return any(
        row.position < held_back.get(row.stream, row.position + 1) for row in store.read(seen_until, cut.head.position)
    )
