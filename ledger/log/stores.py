"""Which store an address means. Nobody outside of this package knows what a ledger is kept in.

An address is a text; today it is the path of a file, which SQLite keeps. A kind of store more is a scheme more here.
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
"""Of two letters at least, as `C:` is a drive; what stands before an `@` may be a password, which no message shows."""


def open_store(
    where: str | Path, *, access: Access = "write", clock: Clock = utc_now, lock_timeout_s: float = LOCK_TIMEOUT_S
) -> LogStore:
    """Open the ledger at an address; a `Path` is always a file.

    Raises `UnreadableError` where it is missing, damaged, of a newer format, or no ledger, and `MalformedError` for an
    address of a kind that no ledger has.
    """
    return SqliteStore(file_of(where), access=access, clock=clock, lock_timeout_s=lock_timeout_s)


def open_watched(
    where: str | Path, access: Access, known: Head, on_rescue: OnRescue, *, clock: Clock = utc_now
) -> WatchedStore:
    """Open the ledger of a service, as `open_store`; it must have the entry `known`, else `ReplacedError`."""
    return WatchedStore(file_of(where), access, known, on_rescue, clock=clock)


def create_store(where: str | Path, *, clock: Clock = utc_now, lock_timeout_s: float = LOCK_TIMEOUT_S) -> LogStore:
    """Make an empty ledger at an address and open it; it appears whole or not at all.

    Raises `ConflictError` where one exists, and `MalformedError` as `open_store`.
    """
    return SqliteStore.create(file_of(where), clock=clock, lock_timeout_s=lock_timeout_s)


def file_of(where: str | Path) -> Path:
    """The file of the ledger at an address; raises `MalformedError` for an address of a kind that no ledger has."""
    if isinstance(where, str) and (match := _SCHEME.fullmatch(where)) is not None:
        scheme, _, rest = match.groups()
        raise MalformedError(phrase("form.not_store"), phrase("form.path"), scheme, f"{scheme}://{rest}")
    return Path(where)


def bulk_reader(store: LogStore) -> BulkReader:
    """The quickest way to read all of this store; to be closed."""
    return SqliteBulkReader(store) if isinstance(store, SqliteStore) else BulkReader(store)
