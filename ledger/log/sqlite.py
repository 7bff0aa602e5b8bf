"""The embedded store: one SQLite file, read while it is written. The rules of appending are in `append_rules`.

Every acknowledgement follows the fsync of the commit (WAL, synchronous=FULL). Writers of several processes queue
(`writer_queue`). Threads may share a store, and then take turns; one store a thread is faster. After a fork, open a new
one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import starmap
from pathlib import Path
from threading import RLock
from typing import Any, Final, Self

from msgspec import json
from msgspec.structs import astuple

from ledger.errors import ConflictError, LedgerError, UnreadableError
from ledger.events import Envelope
from ledger.i18n.library_errors import localised
from ledger.log.append_rules import (
    admit,
    admit_each,
    admit_envelopes,
    canonical_id,
    prepare,
    prepare_each,
    recorder_name,
    timestamp,
)
from ledger.log.base import (
    EMPTY,
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
from ledger.log.durable import LOCK_TIMEOUT_S, Answer, DurableStore
from ledger.log.open_files import OpenFiles, Stamp
from ledger.log.paths import lock_of
from ledger.log.people import People
from ledger.log.sqlite_errors import READ_ERRORS, locked, read_only, translated
from ledger.log.sqlite_file import connect, create_file
from ledger.log.sqlite_names import change_people, read_people
from ledger.log.verified_rows import check_digests, check_versions
from ledger.log.writer_queue import WriterQueue

_READ_CHUNK = 4096
"""Rows read at once: between chunks a reader holds no snapshot, so checkpoints can proceed, and memory stays bounded.
"""

COLUMNS: Final = "position, stream, version, id, recorded_at, recorded_by, happened_at, CAST(event AS BLOB), digest"
_INSERT = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT), ?)"
_HEAD = "SELECT position, digest FROM entries ORDER BY position DESC LIMIT 1"
_LAST_TWO = f"SELECT {COLUMNS} FROM entries ORDER BY position DESC LIMIT 2"
_VERSION = "SELECT max(version) FROM entries WHERE stream = ?"
_READ = f"SELECT {COLUMNS} FROM entries WHERE position > ? AND position <= ? ORDER BY position LIMIT {_READ_CHUNK}"
_READ_STREAM = f"SELECT {COLUMNS} FROM entries WHERE stream = ? AND version > ? AND position <= ? ORDER BY version"
_BY_IDS = f"SELECT {COLUMNS} FROM entries WHERE id IN (SELECT value FROM json_each(?))"
_DIGESTS_AT = "SELECT position, digest FROM entries WHERE position IN (SELECT value FROM json_each(?))"
_STREAMS = """
  SELECT stream,
         (SELECT max(version) FROM entries AS later WHERE later.stream = first.stream),
         (SELECT position FROM entries AS later WHERE later.stream = first.stream ORDER BY version DESC LIMIT 1)
  FROM entries AS first INDEXED BY first_entries
  WHERE version = 1 AND substr(stream, 1, length(?)) = ?
  ORDER BY position"""
_LAST_POSITION = (1 << 63) - 1


class SqliteStore(DurableStore):
    """A ledger in one existing file; `create` makes one.

    Raise `UnreadableError` if it is missing, damaged, of a newer format, or no ledger.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        access: Access = "write",
        clock: Clock = utc_now,
        lock_timeout_s: float = LOCK_TIMEOUT_S,
    ) -> None:
        self.path = path = Path(path)
        self._access = access
        self._connection = connect(path, access, lock_timeout_s)
        self._execute = self._connection.execute
        self._clock = clock
        self._lock_timeout_s = lock_timeout_s
        self._turn = RLock()
        self._is_writing = False
        self._queue = WriterQueue(lock_of(path))
        self._files = OpenFiles(path)
        self._ledger_stamp: Stamp | None = None
        self._checked_version: int | None = None

    @classmethod
    def create(
        cls,
        path: str | Path,
        *,
        clock: Clock = utc_now,
        lock_timeout_s: float = LOCK_TIMEOUT_S,
        ledger_id: str | None = None,
        handles: bool = False,
    ) -> Self:
        """Create an empty ledger and open it; the file appears complete or not at all.

        `ledger_id`: that of the ledger to copy, by default a new one. `handles`: record players under handles. Raise
        `ConflictError` if one exists.
        """
        create_file(Path(path), ledger_id, has_handles=handles)
        store = cls(path, clock=clock, lock_timeout_s=lock_timeout_s)
        store.answer_for_rollback("made", "")
        return store

    @property
    def address(self) -> str:
        return str(self.path)

    @property
    def sidecar_base(self) -> Path:
        return self.path

    @property
    def ledger_id(self) -> str:
        return str(self._rows("SELECT value FROM meta WHERE key = 'ledger_id'")[0][0])

    @cached_property
    def has_handles(self) -> bool:
        return bool(self._rows("SELECT 1 FROM meta WHERE key = 'names' AND value = 'handles'"))

    def append_all(self, batches: Sequence[Batch], *, recorded_by: str) -> list[Acknowledgement]:
        if not batches:
            return []
        prepared, name = prepare(batches, recorded_by)
        return self._write(lambda: self._append_prepared(prepared, name))

    def _append_prepared(self, batches: list[PreparedBatch], recorded_by: str) -> list[Acknowledgement]:
        rows, acknowledgements = admit(batches, recorded_by, timestamp(self._clock()), _LedgerState(self._execute))
        self._insert(rows)
        return acknowledgements

    def append_group(self, requests: Sequence[AppendRequest]) -> list[list[Acknowledgement] | LedgerError]:
        prepared = prepare_each(requests)
        if all(isinstance(request, LedgerError) for request in prepared):
            return [request for request in prepared if isinstance(request, LedgerError)]
        return self._write(lambda: admit_each(prepared, self._clock, _LedgerState(self._execute), self._insert))

    def append_prepared(self, groups: Iterable[Sequence[PreparedBatch]], *, recorded_by: str) -> None:
        name = recorder_name(recorded_by)

        def append() -> None:
            moment, ledger = timestamp(self._clock()), _LedgerState(self._execute)
            for batches in groups:
                rows, _ = admit(batches, name, moment, ledger)
                self._insert(rows)

        self._write(append)

    def _insert(self, rows: Sequence[Row]) -> None:
        if len(rows) == 1:
            self._execute(_INSERT, astuple(rows[0]))
        elif rows:
            self._connection.executemany(_INSERT, map(astuple, rows))

    def append_envelopes(self, envelopes: Iterable[Envelope]) -> Head:
        return self._write(lambda: self._append_foreign(envelopes))

    def _append_foreign(self, envelopes: Iterable[Envelope]) -> Head:
        ledger = _LedgerState(self._execute)
        for rows in admit_envelopes(envelopes, ledger):
            self._insert(rows)
        return ledger.head()

    def read(self, after: int = 0, until: int | None = None, *, verified: bool = True) -> Iterator[Row]:
        until = self.head().position if until is None else until
        while True:
            chunk = self._entries(_READ, (after, until))
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
        rows = self._entries(_READ_STREAM, (stream, after_version, until))
        if verified and rows:
            check_versions(rows, after_version)
            check_digests(rows, self)
        return rows

    def streams(self, prefix: str = "") -> list[StreamHead]:
        return list(starmap(StreamHead, self._rows(_STREAMS, (prefix, prefix))))

    def head(self) -> Head:
        rows = self._rows(_HEAD)
        return Head(*rows[0]) if rows else EMPTY

    def digests_at(self, positions: Sequence[int]) -> dict[int, bytes]:
        return dict(self._rows(_DIGESTS_AT, (json.encode(positions).decode(),)))

    def known_ids(self, ids: Iterable[str]) -> dict[str, Row]:
        wanted = json.encode([canonical_id(id) for id in ids]).decode()
        rows = self._entries(_BY_IDS, (wanted,))
        check_digests(rows, self)
        return {row.id: row for row in rows}

    def people(self) -> People:
        with self._turn:
            try:
                return read_people(self._connection)
            except READ_ERRORS as error:
                raise translated(error, self.path, self._lock_timeout_s) from error

    def names_version(self) -> int:
        version: int = self._rows("PRAGMA schema_version")[0][0]  # each change recreates the tables
        return version

    def _change_people(self, change: Callable[[People], People], *, erases: bool = True) -> None:
        with self._turn:
            self._rows("SELECT 1")  # fails if the ledger is closed
            self._in_turn(self._lock_timeout_s, lambda: self._change_people_in_turn(change, erases))

    def _add_people(self, change: Callable[[People], People]) -> None:
        self._change_people(change, erases=False)

    def _change_people_in_turn(self, change: Callable[[People], People], erases: bool) -> None:
        self._files.check()
        change_people(self.path, self._access, self._lock_timeout_s, change, erases=erases)
        ledger, _, _ = self._files.check()
        self._queue.note(ledger)

    def close(self) -> None:
        with self._turn:
            self._remember_at_last()
            self._connection.close()
            self._queue.close()

    def _entries(self, sql: str, parameters: tuple[Any, ...]) -> list[Row]:
        return list(starmap(Row, self._rows(sql, parameters)))

    def _rows(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[Any]:
        """Return all rows of a query; the turn keeps other threads from seeing an uncommitted transaction."""
        with self._turn:
            try:
                return self._execute(sql, parameters).fetchall()
            except READ_ERRORS as error:
                raise translated(error, self.path, self._lock_timeout_s) from error

    def _write(self, work: Callable[[], Answer]) -> Answer:
        """Run `work` in one transaction; when this returns, its changes are on disk."""
        with self._turn:
            if self._is_writing:
                raise ConflictError("busy", phrase("appends_in_its_turn"))
            self._is_writing = True
            try:
                self._enter_queue(self._lock_timeout_s)
                self._execute("BEGIN IMMEDIATE")
                if not self._has_written:
                    self.check_growth()
                self._check_before_work()
                answer = work()
                self._execute("COMMIT")
                self._check_committed()
                self._note_written()
                return answer
            except sqlite3.Error as error:
                raise translated(error, self.path, self._lock_timeout_s) from error
            finally:
                self._leave_queue()
                self._is_writing = False

    def _check_before_work(self) -> None:
        """Raise `LedgerError` if nothing may be appended; called within the transaction."""
        self._ledger_stamp, _, _ = self._files.check()
        self._check_head()

    def _check_committed(self) -> None:
        """Raise `ReplacedError` if the committed entries are not in the files at the path."""
        ledger, _, _ = self._files.check()
        if ledger != self._ledger_stamp:
            self._queue.note(ledger)  # SQLite has made a checkpoint with this commit

    def _check_head(self) -> None:
        """Raise `UnreadableError` if the last entry does not match its digest, so that nothing is chained to it."""
        version = self._data_version()
        if version == self._checked_version:
            return  # only this connection has committed since
        rows = list(starmap(Row, self._execute(_LAST_TWO).fetchall()))
        if rows:
            previous = rows[1].digest if len(rows) > 1 else GENESIS
            if rows[0].digest != digest_after(previous, rows[0].canonical()):
                position = rows[0].position
                raise UnreadableError("damaged", phrase("damaged_at", position=position))
        self._checked_version = version

    def _data_version(self) -> int:
        """Return a number that differs after each commit by any other connection."""
        version: int = self._rows("PRAGMA data_version")[0][0]
        return version

    def _in_turn(self, timeout_s: float, work: Callable[[], Answer]) -> Answer:
        """Run `work` while no other process writes."""
        with self._turn:
            try:
                self._enter_queue(timeout_s)
                return work()
            finally:
                self._leave_queue()

    def _enter_queue(self, timeout_s: float) -> None:
        try:
            has_turn = self._queue.enter(timeout_s)
        except OSError as error:
            raise read_only(self.path, localised(error.strerror)) from None
        if not has_turn:
            raise locked(self.path, timeout_s)

    def _leave_queue(self) -> None:
        """Roll back an uncommitted transaction, and let the next writer in."""
        try:
            if self._connection.in_transaction:
                self._connection.rollback()
        except sqlite3.Error:
            # The original error is already reported; SQLite rolls back when the file is next opened.
            pass
        finally:
            self._queue.leave()


class _LedgerState:
    """The ledger within a transaction, as `append_rules` reads it."""

    def __init__(self, execute: Callable[..., sqlite3.Cursor]) -> None:
        self._execute = execute

    def head(self) -> Head:
        row = self._execute(_HEAD).fetchone()
        return EMPTY if row is None else Head(*row)

    def version_of(self, stream: str) -> int:
        return self._execute(_VERSION, (stream,)).fetchone()[0] or 0

    def recorded(self, ids: Collection[str]) -> dict[str, Row]:
        rows = self._execute(_BY_IDS, (json.encode(ids).decode(),))
        return {row.id: row for row in starmap(Row, rows)}
