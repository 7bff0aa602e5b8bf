"""The address of a ledger and the store it belongs to. Only this package knows how a ledger is stored.

An address is a text, today the path of a SQLite file. A further kind of store adds a scheme here.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from ledger.errors import MalformedError
from ledger.log.base import Access, Clock, Head, LogStore, utc_now
from ledger.log.bulk import BulkReader
from ledger.log.catalogue import phrase
from ledger.log.sqlite import LOCK_TIMEOUT_S, SqliteStore
from ledger.log.sqlite_bulk import SqliteBulkReader
from ledger.log.watched import OnRescue, WatchedStore

_SCHEME: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]+)://(.*@)?(.*)", re.DOTALL)
"""A scheme has at least two letters, as `C:` is a drive; text before an `@` may be a password, which no message shows.
"""


def open_store(
    where: str | Path, *, access: Access = "write", clock: Clock = utc_now, lock_timeout_s: float = LOCK_TIMEOUT_S
) -> LogStore:
    """Open the ledger at an address; a `Path` is always a file.

    Raise `UnreadableError` if it is missing, damaged, of a newer format, or no ledger, and `MalformedError` for an
    unknown kind of address.
    """
    return SqliteStore(file_of(where), access=access, clock=clock, lock_timeout_s=lock_timeout_s)


def open_watched(
    where: str | Path, access: Access, known: Head, on_rescue: OnRescue, *, clock: Clock = utc_now
) -> WatchedStore:
    """Open the ledger of a service, as `open_store`; it must have the entry `known`, else raise `ReplacedError`."""
    return WatchedStore(file_of(where), access, known, on_rescue, clock=clock)


def create_store(
    where: str | Path,
    *,
    clock: Clock = utc_now,
    lock_timeout_s: float = LOCK_TIMEOUT_S,
    ledger_id: str | None = None,
) -> LogStore:
    """Create an empty ledger at an address and open it; it appears complete or not at all.

    `ledger_id`: that of the ledger to copy, by default a new one. Raise `ConflictError` if one exists, and
    `MalformedError` as `open_store`.
    """
    return SqliteStore.create(file_of(where), clock=clock, lock_timeout_s=lock_timeout_s, ledger_id=ledger_id)


def file_of(where: str | Path) -> Path:
    """Return the file of the ledger at an address. Raise `MalformedError` for an unknown kind of address."""
    if isinstance(where, str) and (match := _SCHEME.fullmatch(where)) is not None:
        scheme, _, rest = match.groups()
        raise MalformedError(phrase("form.not_store"), phrase("form.path"), scheme, f"{scheme}://{rest}")
    return Path(where)


def bulk_reader(store: LogStore) -> BulkReader:
    """Return the fastest reader of this whole store; the caller closes it."""
    return SqliteBulkReader(store) if isinstance(store, SqliteStore) else BulkReader(store)
