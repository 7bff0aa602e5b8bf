"""Verified backups: a copy gets its name only after it was read back and compared with the ledger.

Copies are files of the same format. The ledger may be in use; entries recorded during the copy are in the next one.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import zip_longest
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ledger.errors import ConflictError, LedgerError, UnreadableError
from ledger.log.append_rules import timestamp
from ledger.log.base import EMPTY, Head, utc_now
from ledger.log.catalogue import phrase
from ledger.log.durable import LOCK_TIMEOUT_S
from ledger.log.paths import backups_in, checkpoint_of, lock_of, seen_of, wal_of
from ledger.log.rollback_detection import answer_for, furthest_known_head
from ledger.log.sqlite import SqliteStore
from ledger.log.sqlite_file import copy_file
from ledger.log.stores import file_of
from ledger.log.verify import verify
from ledger.log.writer_queue import WriterQueue

Progress: TypeAlias = Callable[[str, int, int], object]
"""A callback that gets the current step (`copying`, `checking`, `comparing`), the amount done and the total."""


class Copied(Struct, frozen=True):
    """A copy that was read back: its entries and last digest are those of the original ledger."""

    path: Path
    entries: int
    digest: str
    deleted: tuple[Path, ...] = ()
    """Older backups that `delete_older` deleted, the oldest first."""


class Drill(Struct, frozen=True):
    """The result of a practice backup and restore, since removed: the entries and last digest of both."""

    entries: int
    digest: str


def back_up(
    ledger: Path | str, target: Path | str, *, overwrite: bool = False, progress: Progress | None = None
) -> Copied:
    """Copy a ledger, which may be in use, and read the copy back: verify every digest and compare every entry.

    Raise `ConflictError` if the target exists, `UnreadableError` if the ledger or its copy is damaged; then no file is
    created or replaced.
    """
    source, path = file_of(ledger), Path(target)
    heads: list[Head] = []

    def report(what: str) -> Callable[[int, int], object] | None:
        return None if progress is None else lambda done, total: progress(what, done, total)

    def check(entries: int, draft: Path) -> None:
        _forget_cached(draft)
        verification = verify(draft, access="sealed", progress=report("checking"))
        if verification.damage is not None:
            raise _damaged(source)
        if verification.entries != entries:
            copied = phrase("copy.has_fewer", file=source, actual=verification.entries, expected=entries)
            raise UnreadableError("disk", copied)
        _compare(source, draft, verification.head, report("comparing"))
        heads.append(verification.head)

    turn = _answering_for(path, source)
    copy_file(source, path, LOCK_TIMEOUT_S, overwrite=overwrite, check=check, turn=turn, progress=report("copying"))
    return Copied(path, heads[0].position, heads[0].digest.hex())


def restore(
    backup: Path | str, target: Path | str, *, overwrite: bool = False, progress: Progress | None = None
) -> Copied:
    """Create a ledger from a backup, which stays unchanged, and read it back. Raise as `back_up`."""
    return back_up(backup, target, overwrite=overwrite, progress=progress)


def delete_older(copied: Copied, ledger: Path, before: datetime) -> Copied:
    """Delete the backups of a ledger in the folder of a new one that were made before a moment, by their names.

    A backup stays if it has an entry that the new one lacks, and if it cannot be read.
    """
    deleted = []
    with SqliteStore(copied.path, access="sealed") as new:
        for made, path in backups_in(copied.path.parent, ledger):
            if made < before and path != copied.path and _has_all_of(new, path):
                path.unlink()
                deleted.append(path)
    return replace(copied, deleted=tuple(deleted))


def opened_backup(path: Path) -> SqliteStore:
    """Open a backup to read it. Nothing is created beside it if nobody else has it open. Raise as `SqliteStore`."""
    return SqliteStore(path, access="allowed" if wal_of(path).exists() else "sealed")


def _has_all_of(new: SqliteStore, backup: Path) -> bool:
    with suppress(LedgerError), opened_backup(backup) as old:
        head = old.head()
        return old.ledger_id == new.ledger_id and (head == EMPTY or new.digest_at(head.position) == head.digest)
    return False


def drill(ledger: Path | str, *, progress: Progress | None = None) -> Drill:
    """Copy a ledger into a temporary folder and restore it there; return their common content. Raise as `back_up`."""
    with tempfile.TemporaryDirectory(prefix="trickledger-drill-") as folder:
        backup = back_up(ledger, Path(folder, "backup.ledger"), progress=progress)
        restored = restore(backup.path, Path(folder, "restored.ledger"), progress=progress)
        return Drill(restored.entries, restored.digest)


@contextmanager
def _answering_for(target: Path, source: Path) -> Iterator[None]:
    """Record, right after the copy gets its name, that an older state there is intended.

    No other program appends in between, as it would report a rollback. Raise `ConflictError` if one is appending.
    """
    if not any(path.exists() for path in (target, seen_of(target), checkpoint_of(target))):
        yield
        return
    queue = WriterQueue(lock_of(target))
    try:
        if not queue.enter(LOCK_TIMEOUT_S):
            raise ConflictError("busy", phrase("in_use", file=target))
        yield
        if furthest_known_head(target) is not None:
            with SqliteStore(target) as store:
                answer_for(target, "restored", source.name, store.head(), store.digest_at, timestamp(utc_now()))
    finally:
        queue.leave()
        queue.close()


def _damaged(source: Path) -> UnreadableError:
    """Return the error that says which of the two is damaged, and where."""
    damage = verify(source).damage
    if damage is None:
        return UnreadableError("disk", phrase("copy.cannot_be_read", file=source))
    key = "copy.damaged" if damage.position is None else "copy.damaged_at"
    return UnreadableError("damaged", phrase(key, file=source, position=damage.position, what=damage.what))


def _compare(source: Path, draft: Path, head: Head, report: Callable[[int, int], object] | None) -> None:
    """Raise `UnreadableError` at the first entry of the copy that differs from the ledger's."""
    with SqliteStore(source, access="read") as store, SqliteStore(draft, access="sealed") as copy:
        if store.ledger_id != copy.ledger_id:
            raise UnreadableError("disk", phrase("copy.has_another_id", file=source))
        for position, rows in enumerate(zip_longest(store.read(until=head.position), copy.read()), start=1):
            if rows[0] != rows[1]:
                raise UnreadableError("disk", phrase("copy.differs", file=source, position=position))
            if report is not None and position % 10_000 == 0:
                report(position, head.position)


def _forget_cached(path: Path) -> None:
    """Drop the file from the system's cache, so that it is read from the disk."""
    if hasattr(os, "posix_fadvise"):
        file = os.open(path, os.O_RDONLY)
        try:
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(file)
