"""A ledger in a PostgreSQL database, for several hosts. The rules of appending are in `append_rules`.

Writers queue for an advisory lock, which is fair, and then lock the row of the ledger's head, which alone keeps them
apart: a position is given away only by the transaction that takes it, so there are no gaps and no order but that of
commits. After a lost connection the next transaction, which holds that lock, sees whether the last one was committed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice, starmap
from pathlib import Path
from threading import RLock
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from ledger.errors import ConflictError, LedgerError, UnreadableError
from ledger.events import STREAM_PATTERN, Envelope
from ledger.i18n import Text
from ledger.log import postgres_statements as sql
from ledger.log.append_rules import (
    CHUNK,
    PreparedRequest,
    admit,
    admit_each,
    admit_envelopes,
    canonical_id,
    new_id,
    prepare_each,
    recorder_name,
    timestamp,
)
from ledger.log.base import (
    Access,
    Acknowledgement,
    AppendRequest,
    Batch,
    Clock,
    Head,
    PreparedBatch,
    Row,
    StreamHead,
    utc_now,
)
from ledger.log.catalogue import phrase
from ledger.log.chain import GENESIS, digest_after
from ledger.log.durable import LOCK_TIMEOUT_S, Answer, ServedStore
from ledger.log.open_files import ReplacedError
from ledger.log.paths import lock_of
from ledger.log.people import People
from ledger.log.postgres_connection import (
    FORMAT_VERSION,
    SCHEMA,
    PostgresAddress,
    connect,
    is_lost,
    is_passing,
    no_ledger,
    psycopg_module,
    translated,
)
from ledger.log.verified_rows import check_digests, check_versions
from ledger.log.writer_queue import WriterQueue

if TYPE_CHECKING:
    import psycopg

_ATTEMPTS: Final = 3
"""How often a transaction is tried whose connection breaks before its commit."""

_RECONNECT_S: Final = 0.2
"""The pause before a server that was just lost is tried once more."""

GUARDS: Final = frozenset({"entries_are_never_changed", "heads_are_never_removed", "heads_only_advance"})
"""The triggers that refuse to change recorded entries."""

ALONE: Final = 8
"""After so many transactions in a row without another writer, a store foresees that there is none."""

_STREAMS: Final = 10_000
"""The number of streams whose last version a store remembers."""

_LAST_POSITION: Final = (1 << 63) - 1
_STREAM: Final = re.compile(STREAM_PATTERN)

_PEOPLE: Final[Mapping[str, str]] = {
    "display_names": "player, name",
    "player_links": "spelling, player",
    "hidden_players": "player",
}


class _Ledger(NamedTuple):
    """The row of a ledger in the database."""

    number: int
    ledger_id: str
    has_handles: bool


_UNKNOWN: Final = _Ledger(0, "", False)
"""The row of a ledger before the first connection."""


class PostgresStore(ServedStore):
    """A ledger in a database; `create` makes one.

    `sidecar_base`: the path beside which its files lie on this machine. Raise `UnreadableError` if there is no such
    ledger, or the database cannot be reached.
    """

    def __init__(
        self,
        where: PostgresAddress,
        sidecar_base: Path,
        *,
        access: Access = "write",
        clock: Clock = utc_now,
        lock_timeout_s: float = LOCK_TIMEOUT_S,
    ) -> None:
        self._where = where
        self._base = sidecar_base
        self._access = access
        self._clock = clock
        self._lock_timeout_s = lock_timeout_s
        self._turn = RLock()
        self._psycopg = psycopg_module()
        self._open: psycopg.Connection[Any] | None = None
        self._is_closed = False
        self._is_writing = False
        self._checked_head: Head | None = None
        """The head that the last transaction left, on this connection."""
        self._versions: dict[str, int] = {}
        """The last versions of some streams, as of `_checked_head`."""
        self._names = 0
        """The number of names as of the last transaction that read it."""
        self._turns_alone = 0
        """How many of the last transactions in a row found the head that the one before had left."""
        self._known: Head | None = None
        self._ledger = _UNKNOWN
        with suppress(OSError):  # reported by what needs a file there
            sidecar_base.parent.mkdir(parents=True, exist_ok=True)
        self._files = WriterQueue(lock_of(sidecar_base))
        try:
            self._connection()
        except self._psycopg.Error as error:
            raise self._translated(error) from None

    @classmethod
    def create(
        cls,
        where: PostgresAddress,
        sidecar_base: Path,
        *,
        ledger_id: str | None = None,
        handles: bool = False,
        clock: Clock = utc_now,
        lock_timeout_s: float = LOCK_TIMEOUT_S,
    ) -> Self:
        """Create an empty ledger, and its schema where it is missing, and open it. Raise `ConflictError` if it exists.

        `ledger_id`: that of the ledger of which this will be a copy. `handles`: record players under handles.
        """
        _create(where, ledger_id or new_id(), handles)
        store = cls(where, sidecar_base, clock=clock, lock_timeout_s=lock_timeout_s)
        store.answer_for_rollback("made", "")
        return store

    @property
    def address(self) -> str:
        return str(self._where)

    @property
    def sidecar_base(self) -> Path:
        return self._base

    @property
    def ledger_id(self) -> str:
        return self._ledger.ledger_id

    @property
    def has_handles(self) -> bool:
        return self._ledger.has_handles

    # Recording

    def append_all(self, batches: Sequence[Batch], *, recorded_by: str) -> list[Acknowledgement]:
        if not batches:
            return []
        [answer] = self.append_group([AppendRequest(tuple(batches), recorded_by)])
        if isinstance(answer, LedgerError):
            raise answer
        return answer

    def append_group(self, requests: Sequence[AppendRequest]) -> list[list[Acknowledgement] | LedgerError]:
        prepared = prepare_each(requests)
        if all(isinstance(request, LedgerError) for request in prepared):
            return [request for request in prepared if isinstance(request, LedgerError)]

        def append(ledger: _LedgerState) -> list[list[Acknowledgement] | LedgerError]:
            answers = admit_each(prepared, self._clock, ledger, ledger.take)
            if ledger.is_foreseen and any(isinstance(answer, LedgerError) for answer in answers):
                raise _UnforeseenError
            return answers

        batches = [batch for one in prepared if isinstance(one, PreparedRequest) for batch in one.batches]
        return self._write(append, _wanted(batches))

    def append_prepared(self, groups: Iterable[Sequence[PreparedBatch]], *, recorded_by: str) -> None:
        name = recorder_name(recorded_by)

        def append(ledger: _LedgerState) -> None:
            moment = timestamp(self._clock())
            for batches in groups:
                ledger.look_up(_wanted(batches))
                ledger.take(admit(batches, name, moment, ledger)[0])
                ledger.flush()

        self._write(append, attempts=1)

    def append_envelopes(self, envelopes: Iterable[Envelope]) -> Head:
        def append(ledger: _LedgerState) -> Head:
            for rows in admit_envelopes(_looked_up(envelopes, ledger), ledger):
                ledger.take(rows)
                ledger.flush()
            return ledger.head()

        return self._write(append, attempts=1)

    def _write(
        self, work: Callable[[_LedgerState], Answer], wanted: _Wanted | None = None, *, attempts: int = _ATTEMPTS
    ) -> Answer:
        """Run `work` in one transaction; when this returns, its entries are on the disk of the server.

        After a lost connection it is tried again, unless the entries turn out to be committed. `wanted`: what `work`
        will look up. `attempts`: 1 for work that cannot be repeated.
        """
        if self._access in ("read", "sealed"):
            raise ConflictError("read_only", phrase("read_only", file=self.address, why=phrase("postgres.as_asked")))
        with self._turn:
            if self._is_writing:
                raise ConflictError("busy", phrase("appends_in_its_turn"))
            self._is_writing = True
            try:
                answer = self._write_in_turn(work, wanted, attempts)
            finally:
                self._is_writing = False
            self._note_written()
            return answer

    def _write_in_turn(self, work: Callable[[_LedgerState], Answer], wanted: _Wanted | None, attempts: int) -> Answer:
        unanswered: tuple[Head, Answer, bool] | None = None
        """The head and the answer of a commit that the server has not answered, and whether it was foreseen."""
        give_up_at = monotonic() + self._lock_timeout_s
        pause_s = 0.0
        may_foresee = True
        while True:
            try:
                ledger = (self._foreseen(wanted) if may_foresee else None) or self._begin(wanted)
                if unanswered is not None:
                    last, answer, was_foreseen = unanswered
                    if self.digest_at(last.position) == last.digest:
                        self._commit(ledger)
                        self._known = last
                        return answer
                    if was_foreseen:  # it held no lock when it was lost: it must not arrive any more
                        self._execute(sql.prevent(self._ledger.number))
                        ledger = self._begin(wanted)
                    unanswered = None
                    if not attempts:
                        raise ConflictError("busy", phrase("postgres.not_committed", file=self.address))
                attempts -= 1
                before = ledger.head()
                self._check_head(before)
                if not self._has_written:
                    self.check_growth()
                answer = work(ledger)
                after = ledger.head()
                try:
                    self._commit(ledger)
                except self._psycopg.Error as error:
                    if after != before and is_lost(error):
                        unanswered = after, answer, ledger.is_foreseen
                    raise
                self._checked_head = after
                self._known = after if after.position else None
                if len(self._versions) > _STREAMS:
                    self._versions.clear()
                self._versions |= ledger.versions
                return answer
            except _UnforeseenError:
                self._roll_back()
                may_foresee = False
                attempts += 1
            except self._psycopg.Error as error:
                self._abandon(error)
                if not is_passing(error) or not (attempts or unanswered) or monotonic() > give_up_at:
                    raise self._failure(self._translated(error), is_unknown=unanswered is not None) from None
            except LedgerError as error:  # while `unanswered`, from connecting anew
                self._roll_back()
                if unanswered is None or error.code not in ("unreachable", "disk", "busy") or monotonic() > give_up_at:
                    raise self._failure(error, is_unknown=unanswered is not None) from None
            except BaseException:
                self._roll_back()
                raise
            sleep(pause_s)
            pause_s = _RECONNECT_S

    def _note_written(self) -> None:
        """Remember the head as other stores do, but in turn with the other programs of this machine."""
        self._is_past_seen = self._has_written
        if not self._has_written:
            self._has_written = True
            self.remember_head()

    def _failure(self, error: LedgerError, *, is_unknown: bool) -> LedgerError:
        """Return the error of a write. `is_unknown`: its commit was sent, and no answer came."""
        if is_unknown and not isinstance(error, ReplacedError):
            return ConflictError("busy", phrase("postgres.unknown", why=error.said))
        return error

    def _translated(self, error: psycopg.Error) -> LedgerError:
        return translated(error, self._where, timeout_s=self._lock_timeout_s)

    def _foreseen(self, wanted: _Wanted | None) -> _LedgerState | None:
        """Return the ledger as our last transaction left it; None if others write or more must be looked up.

        Its whole append is one message, which the server refuses if the ledger is another one or knows an id.
        """
        head = self._checked_head
        if wanted is None or self._turns_alone < ALONE or self._open is None or head is None or head != self._known:
            return None
        streams = set(wanted.streams)
        if not streams <= self._versions.keys() or self._is_in_transaction(self._open):
            return None
        ledger = _LedgerState(self, head, is_foreseen=True)
        ledger.know(wanted, (), [(stream, self._versions[stream]) for stream in streams])
        return ledger

    def _begin(self, wanted: _Wanted | None = None) -> _LedgerState:
        """Begin a transaction and return the ledger as of its turn; the transaction of `alone` goes on."""
        connection = self._connection()
        number = self._ledger.number
        if self._is_in_transaction(connection):
            ledger = _LedgerState(self, self.head())
            ledger.look_up(wanted)
            return ledger
        statements = sql.begin(number, self._lock_timeout_s)
        if wanted is None:
            return _LedgerState(self, self._locked_head(_results(connection.execute(statements))[-1]))
        *_, heads, entries, versions = _results(connection.execute(f"{statements};{sql.lookup(number, *wanted)}"))
        ledger = _LedgerState(self, self._locked_head(heads))
        ledger.know(wanted, entries, versions)
        return ledger

    def _locked_head(self, rows: Sequence[tuple[int, bytes, int]]) -> Head:
        head = self._head_of([row[:2] for row in rows])
        self._names = rows[0][2]
        return head

    def _head_of(self, rows: Sequence[tuple[int, bytes]]) -> Head:
        if not rows:
            raise no_ledger(self._where)
        return Head(*rows[0])

    def _commit(self, ledger: _LedgerState) -> None:
        """Write the last rows and the head, and commit, in one message to the server.

        The head is written even if it is the same: a commit that writes nothing does not wait for a synchronous
        standby, and entries that are only acknowledged again may be in the primary alone.
        """
        changes = (self._ledger.number, ledger.pending, ledger.head())
        if ledger.is_foreseen:
            statements = sql.append(self._lock_timeout_s, ledger.began, self._names, *changes)
        else:
            statements = sql.commit(*changes)
        try:
            self._execute(statements)
        except self._psycopg.IntegrityError:
            if ledger.is_foreseen:
                raise _UnforeseenError from None
            raise

    def _execute(self, statements: str) -> None:
        """Execute statements that end with a commit."""
        cursor = self._connection().execute(statements)
        while cursor.nextset():
            pass
        if cursor.statusmessage != "COMMIT":  # e.g. ROLLBACK, of a transaction in which a statement failed
            raise UnreadableError("disk", phrase("postgres.not_committed", file=self.address))

    def _is_in_transaction(self, connection: psycopg.Connection[Any]) -> bool:
        return bool(connection.info.transaction_status != self._psycopg.pq.TransactionStatus.IDLE)

    def _check_head(self, head: Head) -> None:
        """Raise `UnreadableError` if the last entry does not match its digest, `ReplacedError` if a known one is gone.

        A server that took over may lack the last entries.
        """
        if head == self._checked_head:
            self._turns_alone += 1
            return
        self._turns_alone = 0
        self._versions.clear()
        known = self._known
        wanted = [head.position - 1, head.position, *([] if known is None else [known.position])]
        rows = {row.position: row for row in self._entries(sql.AT_POSITIONS, wanted)}
        if known is not None and (known.position not in rows or rows[known.position].digest != known.digest):
            raise self._lacking(known, head)
        if head.position == 0:
            return
        last = rows.get(head.position)
        previous = rows[head.position - 1].digest if head.position - 1 in rows else GENESIS
        if last is None or last.digest != head.digest or head.digest != digest_after(previous, last.canonical()):
            raise UnreadableError("damaged", phrase("damaged_at", position=head.position))

    def _lacking(self, known: Head, head: Head) -> ReplacedError:
        numbers = {"expected": known.position, "actual": head.position}
        return ReplacedError("rolled_back", phrase("replaced.lacking", **numbers), **numbers)

    def _roll_back(self) -> None:
        """End a transaction; a connection on which that fails is closed."""
        try:
            if self._open is not None and self._is_in_transaction(self._open):
                self._open.execute("ROLLBACK")
        except self._psycopg.Error:
            self._let_go()

    def _abandon(self, error: psycopg.Error) -> None:
        """Roll back after an error; a connection that may be broken is closed, even if it does not know it yet."""
        if is_passing(error) or (self._open is not None and self._open.closed):
            self._let_go()
        else:
            self._roll_back()

    # Reading

    def read(self, after: int = 0, until: int | None = None, *, verified: bool = True) -> Iterator[Row]:
        until = self.head().position if until is None else until
        while True:
            chunk = self._entries(sql.READ, after, min(until, _LAST_POSITION))
            if verified:
                check_digests(chunk, self)
            yield from chunk
            if len(chunk) < sql.READ_CHUNK:
                return
            after = chunk[-1].position

    def read_stream(
        self, stream: str, after_version: int = 0, until_position: int | None = None, *, verified: bool = True
    ) -> list[Row]:
        until = _LAST_POSITION if until_position is None else until_position
        rows = self._entries(sql.READ_STREAM, stream, after_version, until)
        if verified and rows:
            check_versions(rows, after_version)
            check_digests(rows, self)
        return rows

    def streams(self, prefix: str = "") -> list[StreamHead]:
        return list(starmap(StreamHead, self._rows(sql.STREAMS, prefix)))

    def head(self) -> Head:
        return self._head_of(self._rows(sql.HEAD))

    def digests_at(self, positions: Sequence[int]) -> dict[int, bytes]:
        return dict(self._rows(sql.DIGESTS_AT, list(positions)))

    def known_ids(self, ids: Iterable[str]) -> dict[str, Row]:
        rows = self._entries(sql.BY_IDS, [canonical_id(id) for id in ids])
        check_digests(rows, self)
        return {row.id: row for row in rows}

    def _entries(self, statement: str, *values: object) -> list[Row]:
        return list(starmap(Row, self._rows(statement, *values)))

    def _rows(self, statement: str, *values: object) -> list[Any]:
        """Return all rows of a query about this ledger; outside a transaction a lost connection is replaced once."""
        with self._turn:
            is_alone = False
            for is_last in (self._is_writing, True):
                try:
                    connection = self._connection()
                    is_alone = self._is_in_transaction(connection)
                    return connection.execute(statement, (self._ledger.number, *values), binary=True).fetchall()
                except self._psycopg.Error as error:
                    if self._is_writing:
                        raise  # `_write` decides
                    self._abandon(error)
                    if is_last or is_alone or not is_passing(error):
                        raise self._translated(error) from None
        raise AssertionError

    def first_problem(self) -> Text | None:
        """Return the first missing guard of the entries, or a head that is not the last entry."""
        position, digest, last, last_digest = self._rows(sql.HEAD_AND_LAST)[0]
        if (position, digest) != (last or 0, last_digest or GENESIS):
            return phrase("postgres.head", position=last or 0)
        guards = {name for (name,) in self._rows(sql.GUARDS)}
        missing = sorted(GUARDS - guards)
        return phrase("damage.guard_missing", named=phrase("damage.trigger", name=missing[0])) if missing else None

    # For the service

    def current(self, *, is_quick: bool = False) -> PostgresStore:
        if not is_quick:
            head = self.head()
            known = self._known
            if known is not None and head != known and self.digest_at(known.position) != known.digest:
                raise self._lacking(known, head)
            self._known = head if head.position else None
        return self

    def watch_from(self, known: Head) -> None:
        """Verify that the ledger has this entry, and from now on every one that `current` has seen.

        A standby that took over without the last entries lacks them. Raise `ReplacedError`.
        """
        self._known = known if known.position else None
        self.current()

    def check_cause(self, error: LedgerError) -> None:
        if error.code == "damaged" and not isinstance(error, ReplacedError):
            self.current()

    @contextmanager
    def alone(self) -> Iterator[None]:
        with self._turn:
            try:
                self._begin()
            except self._psycopg.Error as error:
                self._abandon(error)
                raise self._translated(error) from None
            except BaseException:
                self._roll_back()
                raise
            try:
                yield
            finally:
                self._roll_back()

    def settle(self, *, at_once: bool = False) -> None:
        """Do nothing: the server makes its checkpoints itself."""

    def _in_turn(self, timeout_s: float, work: Callable[[], Answer]) -> Answer:
        with self._turn:
            try:
                if not self._files.enter(timeout_s):
                    raise ConflictError("locked", phrase("locked", file=self._base, timeout_s=timeout_s))
                return work()
            finally:
                self._files.leave()

    # People

    def people(self) -> People:
        with self._turn:
            number = self._ledger.number
            rows = self._rows(sql.PEOPLE, number, number)
        facts: dict[str, list[Any]] = {table: [] for table in _PEOPLE}
        for table, *values in rows:
            facts[table].append(values)
        return People(
            names=dict(facts["display_names"]),
            links=dict(facts["player_links"]),
            hidden=frozenset(player for player, _ in facts["hidden_players"]),
        )

    def names_version(self) -> int:
        version: int = self._rows(sql.NAMES)[0][0]
        return version

    def _change_people(self, change: Callable[[People], People]) -> None:
        changed: People | None = None

        def rewrite(_: _LedgerState) -> None:
            nonlocal changed
            people = self.people()
            if people == changed:
                return  # committed by the last attempt, whose answer was lost
            changed = people = change(people)
            number = self._ledger.number
            rows: dict[str, list[tuple[str, ...]]] = {
                "display_names": sorted(people.names.items()),
                "player_links": sorted(people.links.items()),
                "hidden_players": [(player,) for player in sorted(people.hidden)],
            }
            execute = self._connection().execute
            for table, columns in _PEOPLE.items():
                execute(f"DELETE FROM trickledger.{table} WHERE ledger = %s", (number,))
                for values in rows[table]:
                    places = ", ".join(["%s"] * (1 + len(values)))
                    execute(f"INSERT INTO trickledger.{table} (ledger, {columns}) VALUES ({places})", (number, *values))
            execute("UPDATE trickledger.heads SET names = names + 1 WHERE ledger = %s", (number,))

        self._write(rewrite)

    # The connection

    def _connection(self) -> psycopg.Connection[Any]:
        """Return the open connection, or a new one after a loss."""
        if self._is_closed:
            raise UnreadableError("closed", phrase("closed"))
        if self._open is None:
            connection = connect(self._where)
            try:
                self._ledger = self._recognised(connection)
            except BaseException:
                connection.close()
                raise
            self._open = connection
            self._checked_head = None
        return self._open

    def _recognised(self, connection: psycopg.Connection[Any]) -> _Ledger:
        """Return the ledger of this name; raise `UnreadableError` if there is none, or of a newer format.

        Raise `ReplacedError` for another one than before: the server was replaced, or restored from a backup.
        """
        row = connection.execute(sql.LEDGER, (self._where.name,)).fetchone()
        if row is None:
            raise no_ledger(self._where)
        number, ledger_id, format_version, names = row
        if format_version > FORMAT_VERSION:
            versions = {"expected": FORMAT_VERSION, "actual": format_version}
            raise UnreadableError("too_new", phrase("too_new", file=self.address, **versions))
        if self._ledger.ledger_id not in ("", ledger_id):
            raise ReplacedError("damaged", phrase("postgres.another", file=self.address))
        return _Ledger(number, ledger_id, names == "handles")

    def _let_go(self) -> None:
        if self._open is not None:
            connection, self._open = self._open, None
            with suppress(self._psycopg.Error):
                connection.close()

    def close(self) -> None:
        with self._turn:
            if not self._is_closed:
                self._remember_at_last()
                self._let_go()
                self._files.close()
                self._is_closed = True


class _UnforeseenError(Exception):
    """The ledger is another one than foreseen, or an error depends on what was not looked up."""


class _Wanted(NamedTuple):
    """What an append will look up."""

    ids: Sequence[str]
    streams: Sequence[str]


class _LedgerState:
    """The ledger within a transaction, as `append_rules` reads it, with the rows that are still to be written.

    What a whole group needs is fetched at once, and its rows are written at once: a group costs as many messages to the
    server as a single entry.
    """

    def __init__(self, store: PostgresStore, head: Head, *, is_foreseen: bool = False) -> None:
        self._store = store
        self._head = head
        self.began: Final = head
        self.is_foreseen: Final = is_foreseen
        """Whether nothing was looked up: the head is that of the last transaction, and ids are taken for new."""
        self.versions: dict[str, int] = {}
        self._known: dict[str, Row | None] = {}
        self.pending: list[Row] = []
        """Rows that are still to be written."""

    def look_up(self, wanted: _Wanted | None) -> None:
        """Fetch what `admit` will ask about."""
        if wanted is not None:
            store = self._store
            cursor = store._connection().execute(sql.lookup(store._ledger.number, *wanted))
            self.know(wanted, *_results(cursor))

    def know(self, wanted: _Wanted, entries: Sequence[tuple[Any, ...]], versions: Sequence[tuple[str, Any]]) -> None:
        """Take the results of `lookup`."""
        self._known |= dict.fromkeys(wanted.ids) | {row.id: row for row in starmap(Row, entries)}
        self.versions |= dict.fromkeys(wanted.streams, 0) | dict(versions)

    def prefetch_versions(self, streams: Iterable[str]) -> None:
        """Fetch the last versions of streams that are not known yet."""
        unknown = list(set(streams) - self.versions.keys())
        if unknown:
            self.look_up(_Wanted((), unknown))

    def head(self) -> Head:
        return self._head

    def version_of(self, stream: str) -> int:
        self.prefetch_versions([stream])
        return self.versions[stream]

    def recorded(self, ids: Collection[str]) -> dict[str, Row]:
        unknown = [id for id in ids if id not in self._known]
        if unknown:
            self.look_up(_Wanted(unknown, ()))
        return {id: row for id in ids if (row := self._known[id]) is not None}

    def take(self, rows: Sequence[Row]) -> None:
        """Count rows as recorded; `flush` writes them."""
        for row in rows:
            self._head = Head(row.position, row.digest)
            self.versions[row.stream] = row.version
            self._known[row.id] = row
        self.pending += rows

    def flush(self) -> None:
        """Write the pending rows; the server, and no longer this object, knows their ids."""
        if self.pending:
            self._store._connection().execute(sql.insert(self._store._ledger.number, self.pending))
            self.pending = []
            self._known = {}


def _wanted(batches: Sequence[PreparedBatch]) -> _Wanted:
    """Return what `admit` will ask about these batches."""
    ids = [entry.id for batch in batches for entry in batch.entries if not entry.is_new_id]
    return _Wanted(ids, list({batch.stream for batch in batches}))


def _looked_up(envelopes: Iterable[Envelope], ledger: _LedgerState) -> Iterator[Envelope]:
    """Yield envelopes, which nobody has validated yet; the versions of many streams are fetched at once."""
    rest = iter(envelopes)
    while chunk := list(islice(rest, CHUNK)):
        ledger.prefetch_versions(one.stream for one in chunk if _STREAM.fullmatch(str(one.stream)) is not None)
        yield from chunk


def _results(cursor: psycopg.Cursor[Any]) -> list[list[Any]]:
    """Return the rows of each result of several statements, none for one that returns no rows."""
    results: list[list[Any]] = []
    has_next: bool | None = True
    while has_next:
        has_rows = cursor.pgresult is not None and cursor.pgresult.nfields > 0
        results.append(cursor.fetchall() if has_rows else [])
        has_next = cursor.nextset()
    return results


def _create(where: PostgresAddress, ledger_id: str, has_handles: bool) -> None:
    module = psycopg_module()
    try:
        with connect(where) as connection, connection.transaction():
            # Two programs may make their first ledger in a database at the same time.
            connection.execute(f"SELECT {sql.SYNCHRONOUS}, pg_advisory_xact_lock({sql.QUEUE}, 0)")
            if connection.info.parameter_status("server_encoding") != "UTF8":
                raise UnreadableError("not_a_ledger", phrase("postgres.encoding", file=where))
            if connection.execute("SELECT to_regnamespace('trickledger')").fetchone() == (None,):
                connection.execute(SCHEMA.read_bytes())
            if has_handles:
                connection.execute("ALTER TABLE trickledger.ledgers ADD COLUMN IF NOT EXISTS names text")
            columns = "name, ledger_id, format" + ", names" * has_handles
            added = connection.execute(
                f"INSERT INTO trickledger.ledgers ({columns}) VALUES (%s, %s, %s{', %s' * has_handles}) "
                "ON CONFLICT (name) DO NOTHING RETURNING ledger",
                (where.name, ledger_id, FORMAT_VERSION, *["handles"] * has_handles),
            ).fetchone()
            if added is None:
                raise ConflictError("exists", phrase("exists", file=where))
            connection.execute("INSERT INTO trickledger.heads VALUES (%s, 0, %s)", (added[0], GENESIS))
    except module.Error as error:
        raise translated(error, where) from None
