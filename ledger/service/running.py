"""The running service: its writer, the visible head, reader threads and caches."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import Struct

from ledger.access.limiter import sign_in_limiter, wrong_code_limiter
from ledger.access.service import AccessStore
from ledger.errors import ConflictError, UnreadableError
from ledger.log.base import Access, Head, LogStore
from ledger.log.durable import Bell, ServedStore
from ledger.log.stores import is_file, open_bell, open_store, open_watched, sidecar_base
from ledger.recording.commands import Answer, Command
from ledger.service.catalogue import phrase
from ledger.service.coalescer import Coalescer
from ledger.service.history import ServedHistory
from ledger.service.hub import Hub
from ledger.service.proving import Prover
from ledger.service.query_cache import AnswerCache
from ledger.service.states import Published
from ledger.service.visibility import RedactedStore, View, VisibleHead, visible_head
from ledger.service.writer import LOOKED, Done, Job, Writer, look
from ledger.streams import SESSION
from ledger.zones import UTC

READERS: Final = 4
"""The number of reader threads; more would only wait for each other."""

CACHED_BYTES: Final = 64_000_000
"""The size of the answer cache."""

FOLDED_ENTRIES: Final = 100_000
"""The number of entries in all cached tables together; one takes 0.4 kB."""

MOMENTS: Final = 10_000
"""The number of times whose log positions are cached."""

LISTED: Final = 100_000
"""The number of rows of lists that are cached, several for a table."""

Result = TypeVar("Result")


class Settings(Struct, frozen=True, kw_only=True):
    """The settings of the service. `hosts`: host names that it accepts besides its addresses, in lower case.

    `secret_key`: the file with the key that signs checkpoints. `club`: the name on the pages. `reached_at`: the address
    for phones in the network, empty if they cannot reach it. `season_from`: the day of the year on which seasons
    begin by default. `zone`: the time zone of tables without a session. `is_demo`: whether the ledger is that of the
    demonstration, so that the start page says what to look at.
    """

    public: bool = False
    loopback: bool = True
    proxy: bool = False
    read_only: bool = False
    is_https: bool = False
    viewers_query: bool = False
    hosts: tuple[str, ...] = ()
    secret_key: Path | None = None
    club: str = ""
    reached_at: str = ""
    season_from: str | None = None
    zone: str = UTC
    is_demo: bool = False


class Service:
    """A served ledger. `start` and `stop` are called in its event loop.

    `ledger`: the path of its file, or of a file that is not there, beside which those of a ledger in a database lie.

    `is_in_database`: others on other machines may serve the same ledger, and questions about tokens take their time.

    `committed` is called in the writer's thread with the number of requests of one commit; `rescued` with the file of
    the acknowledged entries that a replaced ledger has lost, None if it could not be written.
    """

    def __init__(self, address: str | Path, settings: Settings, access: AccessStore) -> None:
        self.address = address
        self.ledger = sidecar_base(address)
        self.settings = settings
        self.access = access
        self.sign_ins = sign_in_limiter()
        self.wrong_codes = wrong_code_limiter()
        self.is_closing = False
        self.versions: dict[str, int] = {}
        self.committed: Callable[[int], None] = lambda requests: None
        self.rescued: Callable[[Path | None], None] = lambda rescue: None
        self.importing = asyncio.Lock()
        self.naming = asyncio.Lock()
        self.answers = AnswerCache(CACHED_BYTES)
        self.folds = AnswerCache(FOLDED_ENTRIES)
        self.listed = AnswerCache(LISTED)
        self.moments = AnswerCache(MOMENTS)
        self.coalescer = Coalescer()
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="reader")
        self._own = threading.local()
        self._stores: list[LogStore] = []
        self._bell: Bell | None = None
        self.is_in_database = not is_file(address)
        with open_store(address, access="read") as store:
            self._ledger_id = store.ledger_id or ""
            self.has_handles = store.has_handles
            self.visible = visible_head(store, store.names_version())
            served = RedactedStore(store, self.visible, View(hands=True))  # other processes may record meanwhile
            self.versions = {head.stream: head.version for head in served.streams()}
        self.hub = Hub(self.visible)
        self.session_entries = sum(last for stream, last in self.versions.items() if SESSION.has(stream))
        self.history = ServedHistory(address, self.visible, zone=settings.zone)
        self.prover = Prover(self.ledger, settings.secret_key)
        self.writer = Writer(
            self._open_watched,
            self.visible,
            deliver=self._deliver,
            publish=self._publish,
        )

    async def start(self) -> None:
        """Start the writer and the read model."""
        self._loop = asyncio.get_running_loop()
        self.writer.start()
        self.history.start()
        self._bell = open_bell(self.address, self._ledger_id, self._bell_rang)

    async def stop(self) -> None:
        """End the streams, let the writer finish its queue, and close all files."""
        self.begin_closing()
        await asyncio.to_thread(self.writer.stop)
        await asyncio.to_thread(self._let_go)

    def begin_closing(self) -> None:
        """Refuse new requests from now on, and notify listeners."""
        self.is_closing = True
        self.hub.close()

    def _let_go(self) -> None:
        if self._bell is not None:
            self._bell.close()  # after the writer, who rings it
        self._threads.shutdown(wait=True)
        self.history.close()
        for store in self._stores:
            store.close()
        self.access.close()

    def _open_watched(self, known: Head) -> ServedStore:
        access: Access = "read" if self.settings.read_only else "allowed"
        return open_watched(self.address, access, known, lambda rescue: self.rescued(rescue))  # noqa: PLW0108 - set later

    async def record(self, command: Command[Answer]) -> Answer:
        """Record a command and return its result once it is on disk. Raise the reason for a rejection."""
        answer: Answer = await self._submitted(command)
        return answer

    async def do(self, job: Job) -> Any:
        """Run a job on the ledger, alone, in the writer's turn."""
        return await self._submitted(job)

    async def look(self) -> None:
        """Take in and publish what other processes have recorded until now."""
        if not self.is_closing:
            await self._look()

    def _look(self) -> asyncio.Future[None]:
        future: asyncio.Future[None] = self._loop.create_future()
        self.writer.submit(future, look)
        return future

    def _bell_rang(self) -> None:
        self._loop.call_soon_threadsafe(self._look_again)

    def _look_again(self) -> None:
        if not self.is_closing:
            with suppress(ConflictError):  # the queue is full, and every commit looks
                self._look().add_done_callback(lambda looked: looked.cancelled() or looked.exception())

    def check_takes(self) -> None:
        """Raise `LedgerError` if the service is ending or read-only."""
        if self.is_closing:
            raise UnreadableError("closed", phrase("closing"))
        if self.settings.read_only:
            raise ConflictError("read_only", phrase("read_only"))

    def _submitted(self, work: Command[Any] | Job) -> asyncio.Future[Any]:
        self.check_takes()
        future: asyncio.Future[Any] = self._loop.create_future()
        self.writer.submit(future, work)
        return future

    def _deliver(self, done: Sequence[Done]) -> None:
        if requests := sum(outcome is not LOOKED for _, outcome in done):
            self.committed(requests)
            if (bell := self._bell) is not None:
                bell.ring()
        self._loop.call_soon_threadsafe(_resolve, done)

    def _publish(self, published: Published) -> None:
        self._loop.call_soon_threadsafe(self._published, published)

    def _published(self, published: Published) -> None:
        if published.visible.names != self.visible.names:
            self.answers.forget()  # an erased name must not be in any cache
            self.folds.forget()
            self.listed.forget()
        if published.visible.persons != self.visible.persons:
            self.history.wake(published.visible)
        self.visible = published.visible
        for row in published.rows:
            self.versions[row.stream] = row.version
            self.session_entries += SESSION.has(row.stream)
        self.hub.publish(published)
        if published.opened or any(row.stream not in published.visible.hidden for row in published.rows):
            self.history.wake(published.visible)  # the read model takes in only visible entries

    async def run_in_thread(self, work: Callable[[], Result]) -> Result:
        """Run a slow function in a reader thread."""
        return await self._loop.run_in_executor(self._threads, lambda: _ended(work))

    async def ask_access(self, question: Callable[[], Result]) -> Result:
        """Ask the tokens, in a thread if they are in a database, which may be slow to answer."""
        return await asyncio.to_thread(question) if self.is_in_database else question()

    def store(self) -> LogStore:
        """Return the ledger, opened for this thread."""
        store: LogStore | None = getattr(self._own, "store", None)
        if store is None or self._own.opened != self.writer.reopened:
            store = self._opened_anew(store)
        return store

    def _opened_anew(self, before: LogStore | None) -> LogStore:
        reopened = self.writer.reopened
        store = open_store(self.address, access="read")
        self._own.store, self._own.opened = store, reopened
        self._stores.append(store)
        if before is not None:
            self._stores.remove(before)
            before.close()
        return store

    def seen(self, view: View, visible: VisibleHead) -> LogStore:
        """Return the ledger as a view sees it, for this thread."""
        return RedactedStore(self.store(), visible, view)


def _ended(work: Callable[[], Result]) -> Result:
    """Return the result of a function. A `StopIteration` is converted: a future cannot hold one, and its waiter would
    hang.
    """
    try:
        return work()
    except StopIteration as error:
        raise RuntimeError from error


def _resolve(done: Sequence[Done]) -> None:
    for future, outcome in done:
        if future.done():
            continue
        if isinstance(outcome, StopIteration):
            future.set_exception(RuntimeError())  # a future cannot hold StopIteration, and its waiter would hang
        elif isinstance(outcome, BaseException):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)
