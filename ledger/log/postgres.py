"""A ledger in a PostgreSQL database, for several hosts. The rules of appending are in `append_rules`.

Writers queue for an advisory lock, which is fair, and then lock the row of the ledger's head, which alone keeps them
apart: a position is given away only by the transaction that takes it, so there are no gaps and no order but that of
commits. After a lost connection the next transaction, which holds that lock, sees whether the last one was committed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import starmap
from pathlib import Path
from threading import RLock
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from ledger.errors import ConflictError, LedgerError, UnreadableError
from ledger.events import Envelope
from ledger.i18n import Text
from ledger.log.append_rules import (
    PreparedRequest,
    admit,
    admit_each,
    admit_envelopes,
    canonical_id,
    new_id,
    prepare,
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
    STALLED_S,
    PostgresAddress,
    connect,
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
"""The pause before a server that was lost during a commit is tried again."""

_READ_CHUNK: Final = 4096
"""Rows read at once: between chunks a reader holds no snapshot, and memory stays bounded."""

_QUEUE: Final = 0x74_72_63_6B
"""The first half of the advisory lock of each ledger; the second is its number."""

_TIME: Final = "to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
_COLUMNS: Final = (
    f"position, stream, version, id::text, {_TIME.format('recorded_at')}, recorded_by, {_TIME.format('happened_at')}, "
    "convert_to(event, 'UTF8'), digest"
)
_ENTRIES: Final = f"SELECT {_COLUMNS} FROM trickledger.entries WHERE ledger = %s"
_READ: Final = f"{_ENTRIES} AND position > %s AND position <= %s ORDER BY position LIMIT {_READ_CHUNK}"
_READ_STREAM: Final = f"{_ENTRIES} AND stream = %s AND version > %s AND position <= %s ORDER BY version"
_BY_IDS: Final = f"{_ENTRIES} AND id = ANY(%s::uuid[])"
_LAST_TWO: Final = f"{_ENTRIES} AND position > %s ORDER BY position DESC LIMIT 2"
_DIGESTS_AT: Final = "SELECT position, digest FROM trickledger.entries WHERE ledger = %s AND position = ANY(%s)"
_HEAD: Final = "SELECT position, digest FROM trickledger.heads WHERE ledger = %s"
_NAMES: Final = "SELECT names FROM trickledger.heads WHERE ledger = %s"
_VERSIONS: Final = """
  SELECT stream, (SELECT max(version) FROM trickledger.entries WHERE ledger = %s AND entries.stream = wanted.stream)
  FROM unnest(%s::text[]) AS wanted (stream)"""
_STREAMS: Final = """
  SELECT stream, last.version, last.position
  FROM trickledger.entries AS first CROSS JOIN LATERAL (
    SELECT version, position FROM trickledger.entries AS later
    WHERE later.ledger = first.ledger AND later.stream = first.stream ORDER BY version DESC LIMIT 1) AS last
  WHERE first.ledger = %s AND first.version = 1 AND starts_with(stream, %s)
  ORDER BY first.position"""
_INSERT: Final = """
  INSERT INTO trickledger.entries SELECT %s, * FROM unnest(
    %s::bigint[], %s::text[], %s::integer[], %s::uuid[], %s::timestamptz[], %s::text[], %s::timestamptz[], %s::text[],
    %s::bytea[])"""
_GUARDS: Final = """
  SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
  WHERE %s > 0 AND relnamespace = 'trickledger'::regnamespace AND tgenabled = 'O'"""
GUARDS: Final = frozenset({"entries_are_never_changed", "heads_are_never_removed", "heads_only_advance"})
"""The triggers that refuse to change recorded entries."""

_LAST_POSITION: Final = (1 << 63) - 1

_PEOPLE: Final[Mapping[str, str]] = {
    "display_names": "player, name",
    "player_links": "spelling, player",
    "hidden_players": "player",
}


class _Ledger(NamedTuple):
    """The row of a ledger in the database."""

    number: int
    ledger_id: str


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
        self._known: Head | None = None
        with suppress(OSError):  # reported by what needs a file there
            sidecar_base.parent.mkdir(parents=True, exist_ok=True)
        self._files = WriterQueue(lock_of(sidecar_base))
        self._ledger = self._recognised()

    @classmethod
    def create(
        cls,
        where: PostgresAddress,
        sidecar_base: Path,
        *,
        ledger_id: str | None = None,
        clock: Clock = utc_now,
        lock_timeout_s: float = LOCK_TIMEOUT_S,
    ) -> Self:
        """Create an empty ledger, and its schema where it is missing, and open it. Raise `ConflictError` if it exists.

        `ledger_id`: that of the ledger of which this will be a copy.
        """
        _create(where, ledger_id or new_id())
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

    # Recording

    def append_all(self, batches: Sequence[Batch], *, recorded_by: str) -> list[Acknowledgement]:
        if not batches:
            return []
        prepared, name = prepare(batches, recorded_by)

        def append(ledger: _LedgerState) -> list[Acknowledgement]:
            ledger.prefetch(prepared)
            rows, acknowledgements = admit(prepared, name, timestamp(self._clock()), ledger)
            ledger.take(rows)
            return acknowledgements

        return self._write(append)

    def append_group(self, requests: Sequence[AppendRequest]) -> list[list[Acknowledgement] | LedgerError]:
        prepared = prepare_each(requests)
        if all(isinstance(request, LedgerError) for request in prepared):
            return [request for request in prepared if isinstance(request, LedgerError)]

        def append(ledger: _LedgerState) -> list[list[Acknowledgement] | LedgerError]:
            ledger.prefetch([batch for one in prepared if isinstance(one, PreparedRequest) for batch in one.batches])
            return admit_each(prepared, self._clock, ledger, ledger.take)

        return self._write(append)

    def append_prepared(self, groups: Iterable[Sequence[PreparedBatch]], *, recorded_by: str) -> None:
        name = recorder_name(recorded_by)

        def append(ledger: _LedgerState) -> None:
            moment = timestamp(self._clock())
            for batches in groups:
                ledger.prefetch(batches)
                ledger.take(admit(batches, name, moment, ledger)[0])
                ledger.flush()

        self._write(append, attempts=1)

    def append_envelopes(self, envelopes: Iterable[Envelope]) -> Head:
        def append(ledger: _LedgerState) -> Head:
            for rows in admit_envelopes(envelopes, ledger):
                ledger.take(rows)
                ledger.flush()
            return ledger.head()

        return self._write(append, attempts=1)

    def _write(self, work: Callable[[_LedgerState], Answer], attempts: int = _ATTEMPTS) -> Answer:
        """Run `work` in one transaction; when this returns, its entries are on the disk of the server.

        After a lost connection it is tried again, unless the entries turn out to be committed. `attempts`: 1 for work
        that cannot be repeated.
        """
        if self._access in ("read", "sealed"):
            raise ConflictError("read_only", phrase("read_only", file=self.address, why=phrase("postgres.as_asked")))
        with self._turn:
            if self._is_writing:
                raise ConflictError("busy", phrase("appends_in_its_turn"))
            self._is_writing = True
            try:
                return self._write_in_turn(work, attempts)
            finally:
                self._is_writing = False

    def _write_in_turn(self, work: Callable[[_LedgerState], Answer], attempts: int) -> Answer:
        committing: tuple[Head, Answer] | None = None
        give_up_at = monotonic() + self._lock_timeout_s
        while True:
            try:
                head = self._begin()
                if committing is not None:
                    last, answer = committing
                    if self.digest_at(last.position) == last.digest:
                        self._roll_back()
                        break
                    committing = None
                    if not attempts:
                        raise ConflictError("busy", phrase("postgres.not_committed", file=self.address))
                attempts -= 1
                if not self._has_written:
                    self.check_growth()
                self._check_head(head)
                ledger = _LedgerState(self, head)
                answer = work(ledger)
                ledger.flush()
                committing = (ledger.head(), answer) if ledger.head() != head else None
                self._commit(ledger.head() if committing else None)
                self._checked_head = ledger.head()
                break
            except self._psycopg.Error as error:
                self._abandon(error)
                if not is_passing(error) or not (attempts or committing) or monotonic() > give_up_at:
                    raise self._failure(error, committing is not None) from None
            except UnreadableError as error:
                self._roll_back()
                if committing is None or error.code != "disk" or monotonic() > give_up_at:
                    raise self._failure(error, committing is not None) from None
                sleep(_RECONNECT_S)
            except BaseException:
                self._roll_back()
                raise
        self._note_written()
        return answer

    def _failure(self, error: psycopg.Error | LedgerError, is_unknown: bool) -> LedgerError:
        """Return the error of a write. `is_unknown`: its commit was sent, and no answer came."""
        said = error if isinstance(error, LedgerError) else self._translated(error)
        return ConflictError("busy", phrase("postgres.unknown", why=said.said)) if is_unknown else said

    def _translated(self, error: psycopg.Error) -> LedgerError:
        return translated(error, self._where, timeout_s=self._lock_timeout_s)

    def _begin(self) -> Head:
        """Begin a transaction, wait for the turn, and return the head; the transaction of `alone` goes on.

        Each statement sees what was committed before it began, so the head is read after the wait. Settings hold for
        this transaction alone, as a pooler may give the session to others afterwards.
        """
        connection = self._connection()
        if self._is_in_transaction(connection):
            return self.head()
        number = self._ledger.number
        cursor = connection.execute(
            "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;"
            "SET LOCAL synchronous_commit = on;"
            f"SET LOCAL idle_in_transaction_session_timeout = '{STALLED_S}s';"
            f"SET LOCAL lock_timeout = {max(1, round(self._lock_timeout_s * 1000))};"
            f"SELECT pg_advisory_xact_lock({_QUEUE}, {number});"
            f"SELECT position, encode(digest, 'hex') FROM trickledger.heads WHERE ledger = {number} FOR NO KEY UPDATE"
        )
        while cursor.nextset():
            pass
        ((position, digest),) = cursor.fetchall()
        return Head(position, bytes.fromhex(digest))

    def _commit(self, head: Head | None) -> None:
        """Commit with a new head, in one message to the server."""
        update = (
            ""
            if head is None
            else (
                f"UPDATE trickledger.heads SET position = {head.position}, digest = '\\x{head.digest.hex()}' "
                f"WHERE ledger = {self._ledger.number};"
            )
        )
        self._connection().execute(f"{update}COMMIT")

    def _is_in_transaction(self, connection: psycopg.Connection[Any]) -> bool:
        return bool(connection.info.transaction_status != self._psycopg.pq.TransactionStatus.IDLE)

    def _check_head(self, head: Head) -> None:
        """Raise `UnreadableError` if the last entry is not the head or does not match its digest."""
        if head == self._checked_head:
            return
        rows = self._entries(_LAST_TWO, head.position - 2)
        if head.position == 0 and not rows:
            return
        previous = rows[1].digest if len(rows) > 1 else GENESIS
        if not rows or rows[0].digest != head.digest or head.digest != digest_after(previous, rows[0].canonical()):
            raise UnreadableError("damaged", phrase("damaged_at", position=head.position))

    def _roll_back(self) -> None:
        """End a transaction; errors are left to the next statement."""
        with suppress(self._psycopg.Error):
            if self._open is not None and self._is_in_transaction(self._open):
                self._open.execute("ROLLBACK")

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
            chunk = self._entries(_READ, after, min(until, _LAST_POSITION))
            if verified:
                check_digests(chunk, self)
            yield from chunk
            if len(chunk) < _READ_CHUNK:
                return
            after = chunk[-1].position

    def read_stream(
        self, stream: str, after_version: int = 0, until_position: int | None = None, *, verified: bool = True
    ) -> list[Row]:
        until = _LAST_POSITION if until_position is None else until_position
        rows = self._entries(_READ_STREAM, stream, after_version, until)
        if verified and rows:
            check_versions(rows, after_version)
            check_digests(rows, self)
        return rows

    def streams(self, prefix: str = "") -> list[StreamHead]:
        return list(starmap(StreamHead, self._rows(_STREAMS, prefix)))

    def head(self) -> Head:
        return Head(*self._rows(_HEAD)[0])

    def digests_at(self, positions: Sequence[int]) -> dict[int, bytes]:
        return dict(self._rows(_DIGESTS_AT, list(positions)))

    def known_ids(self, ids: Iterable[str]) -> dict[str, Row]:
        rows = self._entries(_BY_IDS, [canonical_id(id) for id in ids])
        check_digests(rows, self)
        return {row.id: row for row in rows}

    def _entries(self, sql: str, *values: object) -> list[Row]:
        return list(starmap(Row, self._rows(sql, *values)))

    def _rows(self, sql: str, *values: object) -> list[Any]:
        """Return all rows of a query about this ledger; outside a transaction a lost connection is replaced once."""
        with self._turn:
            for is_last in (self._is_writing, True):
                try:
                    connection = self._connection()
                    is_alone = self._is_in_transaction(connection)
                    return connection.execute(sql, (self._ledger.number, *values), binary=True).fetchall()
                except self._psycopg.Error as error:
                    if self._is_writing:
                        raise  # `_write` decides
                    self._abandon(error)
                    if is_last or is_alone or not is_passing(error):
                        raise self._translated(error) from None
        raise AssertionError

    def first_problem(self) -> Text | None:
        """Return the first missing guard of the entries, or a head that is not the last entry."""
        ((last,),) = self._rows("SELECT max(position) FROM trickledger.entries WHERE ledger = %s")
        if self.head() != Head(last or 0, self.digest_at(last) or GENESIS if last else GENESIS):
            return phrase("postgres.head", position=last or 0)
        guards = {name for (name,) in self._rows(_GUARDS)}
        missing = sorted(GUARDS - guards)
        return phrase("damage.guard_missing", named=phrase("damage.trigger", name=missing[0])) if missing else None

    # For the service

    def current(self, *, is_quick: bool = False) -> PostgresStore:
        if not is_quick:
            head = self.head()
            known = self._known
            if known is not None and head != known and self.digest_at(known.position) != known.digest:
                numbers = {"expected": known.position, "actual": head.position}
                raise ReplacedError("rolled_back", phrase("replaced.lacking", **numbers), **numbers)
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
            rows = self._rows(
                "SELECT 'display_names', player, name FROM trickledger.display_names WHERE ledger = %s "
                "UNION ALL SELECT 'player_links', spelling, player FROM trickledger.player_links WHERE ledger = %s "
                "UNION ALL SELECT 'hidden_players', player, NULL FROM trickledger.hidden_players WHERE ledger = %s",
                self._ledger.number,
                self._ledger.number,
            )
        facts: dict[str, list[Any]] = {table: [] for table in _PEOPLE}
        for table, *values in rows:
            facts[table].append(values)
        return People(
            names=dict(facts["display_names"]),
            links=dict(facts["player_links"]),
            hidden=frozenset(player for player, _ in facts["hidden_players"]),
        )

    def names_version(self) -> int:
        version: int = self._rows(_NAMES)[0][0]
        return version

    def _change_people(self, change: Callable[[People], People]) -> None:
        def rewrite(_: _LedgerState) -> None:
            people, number = change(self.people()), self._ledger.number
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
            self._open = connect(self._where)
            self._checked_head = None
        return self._open

    def _recognised(self) -> _Ledger:
        """Return the ledger of this name. Raise `UnreadableError` if there is none, or of a newer format."""
        try:
            row = (
                self._connection()
                .execute(
                    "SELECT ledger, ledger_id::text, format FROM trickledger.ledgers WHERE name = %s",
                    (self._where.name,),
                )
                .fetchone()
            )
        except self._psycopg.Error as error:
            self._let_go()
            raise translated(error, self._where) from None
        if row is None:
            self._let_go()
            raise no_ledger(self._where)
        number, ledger_id, format_version = row
        if format_version > FORMAT_VERSION:
            self._let_go()
            versions = {"expected": FORMAT_VERSION, "actual": format_version}
            raise UnreadableError("too_new", phrase("too_new", file=self.address, **versions))
        return _Ledger(number, ledger_id)

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


class _LedgerState:
    """The ledger within a transaction, as `append_rules` reads it, with the rows that are still to be written.

    What a whole group needs is fetched at once, and its rows are written at once: a group costs as many messages to the
    server as a single entry.
    """

    def __init__(self, store: PostgresStore, head: Head) -> None:
        self._store = store
        self._head = head
        self._versions: dict[str, int] = {}
        self._known: dict[str, Row | None] = {}
        self._pending: list[Row] = []

    def prefetch(self, batches: Sequence[PreparedBatch]) -> None:
        """Fetch what `admit` will ask about these batches."""
        self.recorded([entry.id for batch in batches for entry in batch.entries if not entry.is_new_id])
        streams = list({batch.stream for batch in batches} - self._versions.keys())
        if streams:
            self._versions |= {stream: last or 0 for stream, last in self._store._rows(_VERSIONS, streams)}

    def head(self) -> Head:
        return self._head

    def version_of(self, stream: str) -> int:
        if stream not in self._versions:
            self._versions[stream] = self._store._rows(_VERSIONS, [stream])[0][1] or 0
        return self._versions[stream]

    def recorded(self, ids: Collection[str]) -> dict[str, Row]:
        unknown = [id for id in ids if id not in self._known]
        if unknown:
            rows = {row.id: row for row in self._store._entries(_BY_IDS, unknown)}
            self._known |= {id: rows.get(id) for id in unknown}
        return {id: row for id in ids if (row := self._known[id]) is not None}

    def take(self, rows: Sequence[Row]) -> None:
        """Count rows as recorded; `flush` writes them."""
        for row in rows:
            self._head = Head(row.position, row.digest)
            self._versions[row.stream] = row.version
            self._known[row.id] = row
        self._pending += rows

    def flush(self) -> None:
        """Write the rows that were taken since the last time."""
        if self._pending:
            columns = list(zip(*(_values(row) for row in self._pending), strict=True))
            self._store._connection().execute(_INSERT, (self._store._ledger.number, *map(list, columns)), binary=True)
            self._pending = []


def _values(row: Row) -> tuple[Any, ...]:
    return (
        *(row.position, row.stream, row.version, row.id, row.recorded_at, row.recorded_by, row.happened_at),
        *(row.payload.decode(), row.digest),
    )


def _create(where: PostgresAddress, ledger_id: str) -> None:
    module = psycopg_module()
    try:
        with connect(where) as connection, connection.transaction():
            # Two programs may make their first ledger in a database at the same time.
            connection.execute("SELECT pg_advisory_xact_lock(%s, 0)", (_QUEUE,))
            if connection.info.parameter_status("server_encoding") != "UTF8":
                raise UnreadableError("not_a_ledger", phrase("postgres.encoding", file=where))
            if connection.execute("SELECT to_regnamespace('trickledger')").fetchone() == (None,):
                connection.execute(SCHEMA.read_bytes())
            added = connection.execute(
                "INSERT INTO trickledger.ledgers (name, ledger_id, format) VALUES (%s, %s, %s) "
                "ON CONFLICT (name) DO NOTHING RETURNING ledger",
                (where.name, ledger_id, FORMAT_VERSION),
            ).fetchone()
            if added is None:
                raise ConflictError("exists", phrase("exists", file=where))
            connection.execute("INSERT INTO trickledger.heads VALUES (%s, 0, %s)", (added[0], GENESIS))
    except module.Error as error:
        raise translated(error, where) from None
