"""The one writer of a running service: a thread that judges what recorders send and records it, many at a commit.

What came during the last sync of the disk is recorded with the next one. Every request is judged alone, in the order in
which they came; it is answered only after its entries are on disk. Other processes may write to the ledger, too: what
they wrote is taken in before an act is judged, and published like ours.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from queue import Empty, Full, Queue
from time import monotonic
from typing import Any, Final, TypeAlias

from msgspec import Struct, structs

from ledger.errors import AgainstRulesError, ConflictError, LedgerError, MalformedError, NotFoundError, in_stream
from ledger.events import TableOpened
from ledger.games.kernel.views import Legal
from ledger.log.admission import partly_recorded, wrong_version
from ledger.log.base import Acknowledgement, Batch, Head, LogStore, NewEntry, Request, Row
from ledger.recording.admissible import SessionSoFar
from ledger.recording.canonical import canonical_event
from ledger.recording.live import LiveTable
from ledger.service.guarding import GuardedStore
from ledger.service.horizon import HiddenFrom, Horizon
from ledger.service.same_ledger import check_continues, file_of
from ledger.service.views import View
from ledger.service.words import phrase
from ledger.table.answers import Finding
from ledger.table.audit import deal_findings
from ledger.table.lookup import SESSION_PREFIX, TABLE_PREFIX, no_session, slug_of

QUEUE: Final = 1_024
"""So many requests wait for the writer; more are told to come again."""

GROUP: Final = 256
"""So many requests are recorded with one commit."""

GROUP_BYTES: Final = 1_000_000
"""So large are the requests of one commit together, unless one alone is larger."""

POLL_S: Final = 0.2
"""So often it looks for what other processes have recorded."""

TABLES: Final = 256
"""So many tables are kept between acts."""

_LAST: Final = (1 << 63) - 1
"""Beyond every position: to be asked for, it costs one query less than the head."""

_TRIES: Final = 5
"""So often an act is judged anew where another process was faster."""


class Entries(Struct, frozen=True, kw_only=True):
    """What is to be recorded in one stream; `expected_version`: None for any.

    `opens`: whether there may be no such stream yet.
    """

    stream: str
    entries: tuple[NewEntry, ...]
    expected_version: int | None = None
    opens: bool = False


class Act(Struct, frozen=True, kw_only=True):
    """What one recorder wants recorded, all of it or nothing.

    `sees_hands`: whether he may be told what hidden cards forbid. `size_bytes`: of the request.
    """

    batches: tuple[Entries, ...]
    by: str
    token: str
    sees_hands: bool = False
    as_played: bool = False
    lang: str = "en"
    size_bytes: int = 0


class Standing(Struct, frozen=True, kw_only=True):
    """A stream after an act: its last version and, at a table, whose turn it is, what may come, and what was broken."""

    version: int
    turn: int | None = None
    legal: Legal = {}
    findings: tuple[Finding, ...] = ()


class Written(Struct, frozen=True, kw_only=True):
    """The answer to an act: where each of its batches stands, and each stream after it."""

    acknowledged: tuple[Acknowledgement, ...]
    standing: tuple[Standing, ...]


Errand: TypeAlias = Callable[[LogStore], Any]
"""Anything else that is to be done with the ledger, alone and in its turn."""

Done: TypeAlias = "tuple[Any, object]"
"""What was asked with (`Writer.submit`), and the answer or the error."""


class Published(Struct, frozen=True, kw_only=True):
    """What has been recorded by anybody since the last time, and which deals have opened for everybody with it."""

    rows: Sequence[Row]
    horizon: Horizon
    opened: Sequence[tuple[str, int]] = ()


class _Job(Struct):
    ticket: Any
    work: Act | Errand
    tries: int = 0


class Writer:
    """Runs from `start` to `stop`. `deliver` is told the answers of one commit together, `publish` what was recorded.

    Both are called in the writer's thread, `deliver` after `publish`.
    """

    def __init__(
        self,
        open_store: Callable[[], LogStore],
        horizon: Horizon,
        *,
        deliver: Callable[[Sequence[Done]], None],
        publish: Callable[[Published], None],
    ) -> None:
        self.horizon = horizon
        self.groups = 0
        self.trouble: LedgerError | None = None
        self._open_store = open_store
        self._deliver = deliver
        self._publish_to = publish
        self.reopened = 0
        self._queue: Queue[_Job | None] = Queue(QUEUE)
        self._waiting: deque[_Job] = deque()
        self._tables: OrderedDict[str, LiveTable] = OrderedDict()
        self._sessions: dict[str, SessionSoFar] = {}
        self._is_level = False
        self._began: float | None = None
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)

    # --- from any thread ----------------------------------------------------------------------------------------------

    def start(self) -> None:
        self._thread.start()

    def submit(self, ticket: Any, work: Act | Errand) -> None:
        """Puts it at the end of the queue; `deliver` is told of it with the ticket. Raises `ConflictError` (busy)."""
        try:
            self._queue.put_nowait(_Job(ticket, work))
        except Full:
            raise ConflictError("busy", phrase("writer_busy", waiting=QUEUE)) from None

    @property
    def waiting(self) -> int:
        """So many requests stand in the queue."""
        return self._queue.qsize()

    @property
    def at_it_s(self) -> float:
        """So long it has been at what it does now, in seconds; 0 where it waits for requests."""
        began = self._began
        return 0.0 if began is None else monotonic() - began

    def stop(self, timeout_s: float | None = None) -> bool:
        """Lets it do what stands in the queue, then end; whether it has ended in that time."""
        self._queue.put(None)
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    # --- the thread ---------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        self._store = self._open_store()
        self._file = file_of(self._store)
        try:
            while (jobs := self._next()) is not None:
                self._began = monotonic()
                self._work_on(jobs)
                self._began = None
        finally:
            self._store.close()

    def _next(self) -> list[_Job] | None:
        """The jobs of the next commit, none where it is time to look for what others wrote; None: it is over."""
        jobs: list[_Job] = []
        size = 0
        while self._waiting and len(jobs) < GROUP:
            jobs.append(self._waiting.popleft())
        if not jobs:
            try:
                first = self._queue.get(timeout=POLL_S)
            except Empty:
                return jobs
            if first is None:
                return None
            jobs.append(first)
        size = sum(map(_size, jobs))
        while len(jobs) < GROUP and size < GROUP_BYTES:
            try:
                job = self._queue.get_nowait()
            except Empty:
                break
            if job is None:
                self._queue.put(None)  # after this commit
                break
            jobs.append(job)
            size += _size(job)
        return jobs

    def _work_on(self, jobs: list[_Job]) -> None:
        done: list[Done] = []
        try:
            self._check_ledger()
        except LedgerError as error:
            self.trouble = error
            self._tables.clear()
            self._deliver([(job.ticket, error) for job in jobs])
            return
        acts: list[tuple[_Job, Act]] = []
        for job in jobs:
            if isinstance(job.work, Act):
                acts.append((job, job.work))
                continue
            done += self._record(acts)
            acts = []
            done.append((job.ticket, self._errand(job.work)))
        done += self._record(acts)
        try:
            self._publish()
            self.trouble = None
        except LedgerError as error:
            self.trouble = error
        if done:
            self._deliver(done)

    def _errand(self, errand: Errand) -> object:
        try:
            self._publish()  # it asks how far everybody may see, and must not be behind
            self._is_level = False
            return errand(self._store)
        except LedgerError as error:
            return error
        except Exception as error:  # a fault of ours is told to who asked, and the writer goes on
            return error

    def _record(self, acts: Sequence[tuple[_Job, Act]]) -> list[Done]:
        """Judges the acts one after the other, each on what those before it will have recorded; then one commit."""
        if not acts:
            return []
        done: list[Done] = []
        judged: list[tuple[_Job, Act, Request, tuple[Standing, ...]]] = []
        touched: set[str] = set()
        ids: set[str] = set()
        self._sessions = {}
        try:
            known = self._store.known_ids(_ids(act for _, act in acts))
        except LedgerError as error:
            if len(acts) == 1:
                return [(acts[0][0].ticket, error)]
            return [answer for one in acts for answer in self._record([one])]  # an id that is none: whose?
        for job, act in acts:
            own = set(_ids([act]))
            if own & ids:
                self._waiting.append(job)  # the same request once more while the first is on its way
                continue
            try:
                if not own.isdisjoint(known):
                    self._check_ids(act, known)
                    request, standing = self._repeated(act)
                else:
                    request, standing = self._judged(act, touched)
            except LedgerError as error:
                done.append((job.ticket, error))
                continue
            except Exception as error:
                self._let_go(act)
                done.append((job.ticket, error))
                continue
            ids |= own
            judged.append((job, act, request, standing))
        return done + self._commit(judged)

    def _commit(self, judged: Sequence[tuple[_Job, Act, Request, tuple[Standing, ...]]]) -> list[Done]:
        if not judged:
            return []
        try:
            answers = self._store.append_group([request for _, _, request, _ in judged])
        except LedgerError as error:
            for _, act, _, _ in judged:
                self._let_go(act)
            return [(job.ticket, error) for job, _, _, _ in judged]
        self.groups += 1
        done: list[Done] = []
        for (job, act, _, standing), answer in zip(judged, answers, strict=True):
            if not isinstance(answer, LedgerError):
                done.append((job.ticket, Written(acknowledged=tuple(answer), standing=standing)))
                continue
            self._let_go(act)
            if answer.code == "wrong_version" and job.tries < _TRIES and _takes_any(act):
                job.tries += 1
                self._waiting.append(job)  # another process was faster
            else:
                done.append((job.ticket, answer))
        return done

    # --- judging ------------------------------------------------------------------------------------------------------

    def _check_ids(self, act: Act, known: dict[str, Row]) -> None:
        """Raises `ConflictError` for an id that is not told (`GuardedStore`), or where not all batches are recorded."""
        recorded = [known[id] for id in _ids([act]) if id in known]
        GuardedStore(self._store, self.horizon, View(writer=act.token)).check_told(recorded)
        for one in act.batches:
            if all(entry.id not in known for entry in one.entries):
                raise partly_recorded(one.stream, recorded)

    def _repeated(self, act: Act) -> tuple[Request, tuple[Standing, ...]]:
        """What is recorded already is not judged again: the ledger answers what it answered then."""
        batches = tuple(Batch(one.stream, "any", tuple(map(_canonical, one.entries))) for one in act.batches)
        standing = tuple(self._standing(one.stream, act) for one in act.batches)
        return Request(batches, act.by), standing

    def _judged(self, act: Act, touched: set[str]) -> tuple[Request, tuple[Standing, ...]]:
        """The request for the ledger, and each stream after it; the tables have gone on by it already.

        Nobody else sees them: what cannot be committed is forgotten together with its table.
        """
        batches: list[Batch] = []
        standing: list[Standing] = []
        try:
            for one in act.batches:
                if one.stream.startswith(TABLE_PREFIX):
                    batch, after = self._judged_table(one, act, touched)
                else:
                    batch, after = self._judged_session(one)
                batches.append(batch)
                standing.append(after)
        except BaseException as error:
            if isinstance(error, MalformedError | AgainstRulesError):
                error.batch = len(batches)
            if len(act.batches) > 1:
                self._let_go(act)
            raise
        return Request(tuple(batches), act.by), tuple(standing)

    def _judged_table(self, one: Entries, act: Act, touched: set[str]) -> tuple[Batch, Standing]:
        slug = slug_of(one.stream)
        first = one.entries[0].event
        entries = one.entries
        is_new = one.opens and isinstance(first, TableOpened) and not self._is_there(one.stream)
        if is_new:
            assert isinstance(first, TableOpened)
            table = self._tables[slug] = LiveTable.begun(self._store, slug, first)
            if one.expected_version not in (None, 0):
                self._tables.pop(slug)
                raise wrong_version(one.stream, 0, one.expected_version)
            entries = entries[1:]
        else:
            table = self._table(slug, touched)
            if one.expected_version not in (None, table.version):
                raise wrong_version(one.stream, table.version, one.expected_version)
        touched.add(slug)
        try:
            opening = (structs.replace(one.entries[0], event=table.entries[0][1]),) if is_new else ()
            before = table.hidden_from
            found = []
            version = 0 if is_new else table.version
            batch = Batch(one.stream, version, opening)
            if entries:
                judged = table.judge(entries, as_played=act.as_played, as_seen=not act.sees_hands)
                batch = Batch(one.stream, version, (*opening, *judged.batch.entries))
                table.take_up(judged.batch, act.by)
                found = self._found(table, version, before, act)
        except BaseException:
            if is_new:
                self._tables.pop(slug, None)
            raise
        return batch, self._table_standing(table, act, tuple(found))

    def _found(self, table: LiveTable, version: int, hidden_before: int | None, act: Act) -> list[Finding]:
        """What the last entries broke, as whoever asks may know it; once a deal has opened, all of that deal."""
        fold = table.fold if act.sees_hands else table.seen_by_all
        since = version + 1
        if hidden_before is not None and table.hidden_from != hidden_before:
            since = min(since, hidden_before)
        found: list[Finding] = []
        for record in fold.deals[-2:]:
            if any(one.version >= since for one in record.violations):
                found += [one for one in deal_findings(fold, record, act.lang) if one.version >= since]
        return found

    def _judged_session(self, one: Entries) -> tuple[Batch, Standing]:
        so_far = self._sessions.pop(one.stream, None) or self._session(one)
        version = len(so_far.entries)
        if one.expected_version not in (None, version):
            raise wrong_version(one.stream, version, one.expected_version)
        entries = tuple(map(_canonical, one.entries))
        for number, entry in enumerate(entries):
            try:
                so_far.take(entry.event)
            except MalformedError as error:
                error.entry = number
                raise error.at(in_stream(one.stream)) from None
        self._sessions[one.stream] = so_far
        return Batch(one.stream, version, entries), Standing(version=len(so_far.entries))

    def _session(self, one: Entries) -> SessionSoFar:
        """The session as it stands in the ledger; raises `NotFoundError` where there is none to go on with."""
        rows = self._store.read_stream(one.stream)
        if not rows and not one.opens:
            raise no_session(self._store, one.stream.removeprefix(SESSION_PREFIX))
        so_far = SessionSoFar()
        for row in rows:
            so_far.take(row.event())
        return so_far

    def _standing(self, stream: str, act: Act) -> Standing:
        if not stream.startswith(TABLE_PREFIX):
            return Standing(version=len(self._store.read_stream(stream)))
        try:
            table = self._table(slug_of(stream), set())
        except NotFoundError:
            return Standing(version=0)  # the ledger refuses what is recorded elsewhere
        return self._table_standing(table, act, ())

    def _table_standing(self, table: LiveTable, act: Act, found: tuple[Finding, ...]) -> Standing:
        as_seen = not act.sees_hands
        return Standing(
            version=table.version, turn=table.turn(as_seen=as_seen), legal=table.legal(as_seen=as_seen), findings=found
        )

    # --- tables -------------------------------------------------------------------------------------------------------

    def _is_there(self, stream: str) -> bool:
        return slug_of(stream) in self._tables or bool(self._store.read_stream(stream, 0, None)[:1])

    def _table(self, slug: str, touched: set[str]) -> LiveTable:
        """The table as it stands in the ledger, or will after the acts of this commit that were judged already."""
        table = self._tables.get(slug)
        if table is None:
            table = self._tables[slug] = LiveTable.resume(self._store, slug)
            while len(self._tables) > TABLES:
                oldest = next(name for name in self._tables if name not in touched and name != slug)
                del self._tables[oldest]
        elif not self._is_level and slug not in touched:
            table.catch_up()
        self._tables.move_to_end(slug)
        return table

    def _let_go(self, act: Act) -> None:
        for one in act.batches:
            self._tables.pop(slug_of(one.stream), None)

    def _check_ledger(self) -> None:
        """Raises `ConflictError` where the ledger is not any more what was served: an older one took its place."""
        if (file := file_of(self._store)) != self._file:
            self._tables.clear()
            self._store.close()
            self._store, self._file = self._open_store(), file
            self.reopened += 1
        self._is_level = self._store.head() == self.horizon.head
        if not self._is_level:
            check_continues(self._store, self.horizon.head)
            self._publish()
            self._is_level = True

    # --- publishing ---------------------------------------------------------------------------------------------------

    def _publish(self) -> None:
        """Tells what stands in the ledger since the last time, whoever recorded it."""
        rows = list(self._store.read(self.horizon.head.position, _LAST))
        if not rows:
            self._publish_names()
            return
        hidden = dict(self.horizon.hidden)
        opened: list[tuple[str, int]] = []
        last = {row.stream: row.version for row in rows if row.stream.startswith(TABLE_PREFIX)}
        for stream, version in last.items():
            slug = slug_of(stream)
            try:
                table = self._table(slug, {slug})
                if table.version < version:
                    table.catch_up()
                before = hidden.get(stream)
                now = _hidden_from(self._store, table, before)
            except LedgerError:
                continue  # a record that is none is told to who reads it
            hidden.pop(stream, None)
            if now is not None:
                hidden[stream] = now
            if before is not None and (now is None or now.version > before.version):
                opened.append((slug, before.deal))
        self.horizon = Horizon(_head_of(rows[-1]), hidden, self._store.names_version())
        self._publish_to(Published(rows=rows, horizon=self.horizon, opened=opened))

    def _publish_names(self) -> None:
        names = self._store.names_version()
        if names != self.horizon.names:
            self.horizon = structs.replace(self.horizon, names=names)
            self._publish_to(Published(rows=(), horizon=self.horizon))


def _hidden_from(store: LogStore, table: LiveTable, before: HiddenFrom | None) -> HiddenFrom | None:
    """What of a table is hidden; `before`: what was, by the last look at it."""
    hidden = table.hidden
    if hidden is None or (before is not None and before.hidden == hidden):
        return None if hidden is None else before
    return HiddenFrom.of(hidden, store.read_stream(table.stream, hidden.version - 1)[0].position)


def _head_of(row: Row) -> Head:
    return Head(row.position, row.digest)


def _canonical(entry: NewEntry) -> NewEntry:
    event = canonical_event(entry.event)
    return entry if event is entry.event else structs.replace(entry, event=event)


def _ids(acts: Iterable[Act]) -> list[str]:
    return [entry.id for act in acts for one in act.batches for entry in one.entries if entry.id is not None]


def _takes_any(act: Act) -> bool:
    return all(one.expected_version is None for one in act.batches)


def _size(job: _Job) -> int:
    return job.work.size_bytes if isinstance(job.work, Act) else 0
