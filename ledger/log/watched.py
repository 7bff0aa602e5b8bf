"""The ledger of a running service: each append verifies that only SQLite has changed its files.

Three things are compared before and after each commit: the identity of the files at the paths; the stamp (size and
times) of the ledger, which only a checkpoint changes; and that of the write-ahead log, which only commits change. A
commit must leave the beginning and the end of the write-ahead log unchanged (`WalEdges`). If one of them changed
without a commit or checkpoint of this program, the whole ledger is read again. The entries since the last checkpoint
are retained in memory, and are written to a rescue file if the ledger has lost them.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Final

from ledger.errors import LedgerError, UnreadableError
from ledger.i18n import Text
from ledger.log.atomic_files import publish, write_whole
from ledger.log.base import Access, Clock, Head, Row, utc_now
from ledger.log.catalogue import phrase
from ledger.log.chain import GENESIS, digest_after
from ledger.log.durable import LOCK_TIMEOUT_S, REMEMBER_WAIT_S, Answer, ServedStore
from ledger.log.open_files import ReplacedError, Stamp, WalEdges, stamp_of
from ledger.log.paths import rescue_of
from ledger.log.people import People
from ledger.log.sqlite import SqliteStore
from ledger.log.sqlite_check import FileCheck
from ledger.log.sqlite_errors import translated

COMMITS_PER_CHECKPOINT: Final = 200
"""Commits between two checkpoints: they fill about the 1,000 pages after which SQLite makes one."""

RETAINED_BYTES_MAX: Final = 1_000_000
"""A checkpoint is made sooner if the entries since the last one reach this size."""

_LOOK_AGAIN_S: Final = 5.0
"""Unsound files that have not changed since are not read again sooner."""

_LAST: Final = (1 << 63) - 1
_FOR_OWNER: Final = 0o600

OnRescue = Callable[[Path | None], object]
"""A callback that gets the path of a rescue file; None if no folder could take it."""


class WatchedStore(SqliteStore, ServedStore):
    """A ledger of which everything up to `known` was served. Raise `ReplacedError` if it does not continue that."""

    def __init__(
        self,
        path: Path,
        access: Access,
        known: Head,
        on_rescue: OnRescue,
        *,
        clock: Clock = utc_now,
        lock_timeout_s: float = LOCK_TIMEOUT_S,
    ) -> None:
        super().__init__(path, access=access, clock=clock, lock_timeout_s=lock_timeout_s)
        self._on_rescue = on_rescue
        self._known = known
        self._retained: list[Row] = []
        self._retained_bytes = 0
        self._commits = 0
        self._inserted: list[Row] = []
        self._is_doubtful = False
        self._is_open = True
        self._lost: ReplacedError | None = None
        self._lost_at: object = None
        self._lost_since = 0.0
        self._rescue: Path | None = None
        # SQLite's own checkpoints would look like changes by other programs.
        self._rows("PRAGMA wal_autocheckpoint = 0")
        self._ledger_stamp, self._wal_stamp, _ = self._files.stamps()
        self._version = self._data_version()
        self._wal_edges = WalEdges(self._files.wal)
        try:
            self._catch_up()
            self._commits = COMMITS_PER_CHECKPOINT
            self.settle()
        except BaseException:
            self._wal_edges.close()
            super().close()
            raise

    # For the service

    def current(self, *, is_quick: bool = False) -> WatchedStore:
        """Return this store, or a new one if a file that has all its entries replaced the ledger's.

        `is_quick`: an append follows, which verifies the files. Raise `ReplacedError` if the files are not sound.
        """
        with self._turn:
            if is_quick and self._lost is None and self._is_as_left():
                return self
            self._raise_lost()
            try:
                self._look(is_alone=False)
            except ReplacedError as error:
                if self._refusal(error) is self._lost:
                    raise self._lost from None
                return WatchedStore(
                    self.path,
                    self._access,
                    self._known,
                    self._on_rescue,
                    clock=self._clock,
                    lock_timeout_s=self._lock_timeout_s,
                )
            if self._is_doubtful:
                self.settle(at_once=True)
            return self

    def check_cause(self, error: LedgerError) -> None:
        """Raise `ReplacedError` if the damage comes from replaced or changed files."""
        if error.code not in ("damaged", "not_a_ledger") or isinstance(error, ReplacedError):
            return
        with self._turn:
            try:
                self._files.check()
                self._audit()
            except ReplacedError as replaced:
                raise self._refusal(replaced) from error

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other programs from recording until the end of the block, or the first append in it."""
        with self._turn:
            self._enter_queue(self._lock_timeout_s)
            try:
                yield
            finally:
                self._leave_queue()

    def settle(self, *, at_once: bool = False) -> None:
        """Make a checkpoint if one is due, and release the entries that the ledger then holds.

        Raise `ReplacedError` if it does not hold them.
        """
        if not at_once and self._commits < COMMITS_PER_CHECKPOINT and self._retained_bytes < RETAINED_BYTES_MAX:
            return
        with self._turn:
            self._raise_lost()
            try:
                self._in_turn(REMEMBER_WAIT_S, self._checkpoint)
            except ReplacedError as error:
                raise self._refusal(error) from None
            except LedgerError as error:  # retried later
                if error.code == "read_only":
                    self._retained = []  # nothing is acknowledged here

    def close(self) -> None:
        with self._turn:
            if self._is_open:
                self._is_open = False
                with suppress(LedgerError):
                    self.settle(at_once=True)
                self._wal_edges.close()
            super().close()

    # Writing

    def _write(self, work: Callable[[], Answer]) -> Answer:
        with self._turn:
            self._raise_lost()
            try:
                return super()._write(work)
            except ReplacedError as error:
                raise self._refusal(error) from None
            except LedgerError as error:
                wal = stamp_of(self._files.wal)
                if not _is_shorter(wal, self._wal_stamp):
                    self._wal_stamp = wal  # a failed append may have left pages there
                self.check_cause(error)
                raise

    def _insert(self, rows: Sequence[Row]) -> None:
        super()._insert(rows)
        self._inserted += rows

    def _check_before_work(self) -> None:
        self._inserted = []
        self._look(is_alone=True)
        self._wal_edges.remember()

    def _check_committed(self) -> None:
        self._retain(self._inserted)
        ledger, wal, _ = self._files.check()
        if self._is_unexplained(ledger, wal) or not self._wal_edges.are_intact():
            self._audit()
            self._is_doubtful = True
        self._ledger_stamp, self._wal_stamp = ledger, wal
        if self._is_doubtful:
            self._checkpoint()
        if self._is_doubtful:
            raise self._unsound(phrase("replaced.in_use"))

    def _change_people(self, change: Callable[[People], People], *, erases: bool = True) -> None:
        with self._turn:
            self._raise_lost()
            super()._change_people(change, erases=erases)
            if erases:
                _, self._wal_stamp, _ = self._files.stamps()  # the log was truncated

    # Detecting changes

    def _look(self, *, is_alone: bool) -> None:
        """Verify that the files are those that were opened, and hold the same entries. Raise `ReplacedError` if not.

        `is_alone`: no other program is writing, so every byte of the write-ahead log belongs to a commit.
        """
        version = self._data_version()  # before the stamps: the next check sees a commit in between
        ledger, wal, _ = self._files.check()
        is_committed = version != self._version
        is_changed = (
            self._lost is not None
            or self._is_unexplained(ledger, wal)
            or (is_alone and not is_committed and not _is_unwritten(wal, self._wal_stamp))
        )
        if is_changed:
            self._audit()
            self._is_doubtful = True
        if is_changed or is_committed:
            self._catch_up()
            self._version, self._wal_stamp = version, wal
        self._ledger_stamp = ledger
        self._lost = self._rescue = None

    def _is_as_left(self) -> bool:
        """Return whether the ledger and its write-ahead log are unchanged since the last check."""
        ledger, wal = stamp_of(self._files.ledger), stamp_of(self._files.wal)
        return ledger == self._ledger_stamp and _is_unwritten(wal, self._wal_stamp)

    def _is_unexplained(self, ledger: Stamp | None, wal: Stamp | None) -> bool:
        """Return whether the ledger changed, or its write-ahead log shrank, without a checkpoint of this program."""
        if ledger != self._ledger_stamp:
            return ledger != self._queue.noted()
        return _is_shorter(wal, self._wal_stamp)

    def _catch_up(self) -> None:
        """Read the entries of other programs; all known ones must still be there. Raise `ReplacedError` if not."""
        retained, known = self._retained, self._known
        rows = list(self.read(known.position - len(retained), _LAST, verified=False))
        if rows[: len(retained)] != retained or (not retained and self._lacks(known)):
            raise self._lacking()
        new = rows[len(retained) :]
        digest = known.digest
        for row in new:
            if row.digest != (digest := digest_after(digest, row.canonical())):
                raise self._unsound(phrase("replaced.digest", position=row.position))
        self._retain(new)
        try:
            self._check_head()
        except UnreadableError as error:
            raise self._unsound(error.said) from error

    def _lacks(self, head: Head) -> bool:
        return head.position > 0 and self.digest_at(head.position) != head.digest

    def _retain(self, rows: Sequence[Row]) -> None:
        if rows:
            self._retained += rows
            self._retained_bytes += sum(len(row.payload) for row in rows)
            self._commits += 1
            self._known = Head(rows[-1].position, rows[-1].digest)

    def _checkpoint(self) -> None:
        """Make a checkpoint; call it while holding the writer's turn."""
        self._look(is_alone=True)
        self._check_retained_afresh()  # or damage in the write-ahead log would reach the ledger
        # A changed write-ahead log is truncated: SQLite's cached pages of it are sound, but after a crash it would be
        # read again.
        way = "TRUNCATE" if self._is_doubtful else "PASSIVE"
        try:
            is_blocked, pages, done = self._execute(f"PRAGMA wal_checkpoint({way})").fetchone()
        except sqlite3.Error as error:
            raise translated(error, self.path, self._lock_timeout_s) from error
        finally:
            self._ledger_stamp, wal, _ = self._files.stamps()
            if way == "TRUNCATE":
                self._wal_stamp = wal  # a passive checkpoint only reads it
            self._queue.note(self._ledger_stamp)
            self._commits = self._retained_bytes = 0
        if is_blocked or done < pages:
            return  # a reader uses an older state
        self._check_retained_afresh()
        if self._is_doubtful:
            self._audit()
            self._is_doubtful = False
        self._retained = []

    def _check_retained_afresh(self) -> None:
        """Compare the retained entries with those that a new connection reads, which has no cached pages."""
        if not self._retained:
            return
        try:
            with SqliteStore(self.path, access="read") as fresh:
                stored = list(
                    fresh.read(self._known.position - len(self._retained), self._known.position, verified=False)
                )
        except LedgerError as error:
            raise self._unsound(error.said) from error
        if stored != self._retained:
            raise self._lacking()

    def _audit(self) -> None:
        """Read the whole ledger at the path, as the next program to open it will. Raise `ReplacedError` if it is
        unsound.

        If its digests match and the last one is known, every entry is unchanged.
        """
        position, digest = 0, GENESIS
        try:
            with closing(FileCheck(self.path)) as file:
                for row in file.rows():
                    digest = digest_after(digest, row.canonical())
                    if row.position != position + 1 or row.digest != digest:
                        raise self._unsound(phrase("replaced.digest", position=row.position))
                    position += 1
                    if position == self._known.position and digest != self._known.digest:
                        raise self._lacking(file.size())
                if position < self._known.position:
                    raise self._lacking(position)
                if (problem := file.first_problem(is_quick=True)) is not None:
                    raise self._unsound(problem[1])
        except ReplacedError:
            raise
        except LedgerError as error:
            raise self._unsound(error.said) from error

    # Lost entries

    def _unsound(self, why: Text) -> ReplacedError:
        return ReplacedError("damaged", phrase("replaced.unsound", why=why))

    def _lacking(self, actual: int | None = None) -> ReplacedError:
        """Return the error for a ledger that lacks entries it had."""
        actual = self.head().position if actual is None else actual
        numbers = {"expected": self._known.position, "actual": actual}
        return ReplacedError("rolled_back", phrase("replaced.lacking", **numbers), **numbers)

    def _refusal(self, error: ReplacedError) -> ReplacedError:
        """Return the error to answer with, with its rescue file. A file that continues the ledger will be opened
        instead.
        """
        if self._files.has_successor():
            try:
                self._audit()
            except ReplacedError as other:
                return self._lose(other)
            return error
        return self._lose(error)

    def _lose(self, error: ReplacedError) -> ReplacedError:
        if self._rescue is None and self._retained:
            self._rescue = _written(self.path, self._retained)
            self._on_rescue(self._rescue)
        error.rescue = self._rescue
        self._lost, self._lost_at, self._lost_since = error, self._files.stamps(), monotonic()
        return error

    def _raise_lost(self) -> None:
        """Raise the last `ReplacedError` again while nothing has changed since."""
        if (
            self._lost is not None
            and self._lost_at == self._files.stamps()
            and monotonic() < self._lost_since + _LOOK_AGAIN_S
        ):
            raise self._lost.with_traceback(None)


def _is_unwritten(wal: Stamp | None, before: Stamp | None) -> bool:
    """Return whether the log was not written to; SQLite sets its owner, and with it the ctime, when root opens it."""
    return (wal and wal[:-1]) == (before and before[:-1])


def _is_shorter(wal: Stamp | None, before: Stamp | None) -> bool:
    return wal is not None and before is not None and wal.size < before.size


def _written(ledger: Path, rows: Sequence[Row]) -> Path | None:
    """Write a rescue file beside the ledger or, if that fails, into the folder for temporary files; return its path."""
    content = b"".join(row.line() + b"\n" for row in rows)
    for folder in (ledger.parent, Path(tempfile.gettempdir())):
        path = rescue_of(folder / ledger.name, datetime.now(UTC))
        with suppress(OSError):
            write_whole(path, content, _FOR_OWNER, publish)
            return path.absolute()
    return None
