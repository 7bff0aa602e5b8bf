"""The address of a ledger and the store it belongs to. Only this package knows how a ledger is stored.

An address is a text: the path of a SQLite file, or `postgresql://…#name` for a ledger in a database. A further kind of
store adds a scheme here.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.errors import MalformedError, UnreadableError, UsageError
from ledger.log.base import Access, Clock, Head, LogStore, utc_now
from ledger.log.bulk import BulkReader
from ledger.log.catalogue import phrase
from ledger.log.durable import LOCK_TIMEOUT_S, Bell, DurableStore, ServedStore
from ledger.log.sqlite import SqliteStore
from ledger.log.sqlite_bulk import SqliteBulkReader
from ledger.log.watched import OnRescue, WatchedStore

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ledger.log.postgres_connection import PostgresAddress

HOME: Final = "TRICKLEDGER_HOME"
"""The environment variable with the folder for the files of ledgers in a database: keys, read models, heads."""

_SCHEME: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]+)://(.*@)?(.*)", re.DOTALL)
"""A scheme has at least two letters, as `C:` is a drive; text before an `@` may be a password, which no message shows.
"""


def open_store(
    where: str | Path, *, access: Access = "write", clock: Clock = utc_now, lock_timeout_s: float = LOCK_TIMEOUT_S
) -> DurableStore:
    """Open the ledger at an address; a `Path` is always a file.

    Raise `UnreadableError` if it is missing, damaged, of a newer format, or no ledger, and `MalformedError` for an
    unknown kind of address.
    """
    if (address := database_of(where)) is None:
        return SqliteStore(file_of(where), access=access, clock=clock, lock_timeout_s=lock_timeout_s)
    from ledger.log.postgres import PostgresStore

    return PostgresStore(address, sidecar_base(where), access=access, clock=clock, lock_timeout_s=lock_timeout_s)


def open_watched(
    where: str | Path, access: Access, known: Head, on_rescue: OnRescue, *, clock: Clock = utc_now
) -> ServedStore:
    """Open the ledger of a service, as `open_store`; it must have the entry `known`, else raise `ReplacedError`."""
    if (address := database_of(where)) is None:
        return WatchedStore(file_of(where), access, known, on_rescue, clock=clock)
    from ledger.log.postgres import PostgresStore

    store = PostgresStore(address, sidecar_base(where), access=access, clock=clock)
    try:
        store.watch_from(known)
    except BaseException:
        store.close()
        raise
    return store


def create_store(
    where: str | Path,
    *,
    clock: Clock = utc_now,
    lock_timeout_s: float = LOCK_TIMEOUT_S,
    ledger_id: str | None = None,
    handles: bool = False,
) -> DurableStore:
    """Create an empty ledger at an address and open it; it appears complete or not at all.

    `ledger_id`: that of the ledger to copy, by default a new one. `handles`: record players under handles, so that
    their names can be erased. Raise `ConflictError` if one exists, and `MalformedError` as `open_store`.
    """
    if (address := database_of(where)) is None:
        return SqliteStore.create(
            file_of(where), clock=clock, lock_timeout_s=lock_timeout_s, ledger_id=ledger_id, handles=handles
        )
    from ledger.log.postgres import PostgresStore

    return PostgresStore.create(
        address,
        sidecar_base(where),
        clock=clock,
        lock_timeout_s=lock_timeout_s,
        ledger_id=ledger_id,
        handles=handles,
    )


def exists(where: str | Path) -> bool:
    """Return whether there is a ledger, or another file, at an address. Raise `UnreadableError` if that is unknown."""
    if is_file(where):
        return file_of(where).exists()
    try:
        open_store(where, access="read").close()
    except UnreadableError as error:
        if error.code == "no_ledger":
            return False
        raise
    return True


def grants_needed(where: str | Path) -> Mapping[str, Sequence[str]]:
    """Return the statements that let other users of a database in, by role, which is also the user; none for a file."""
    if database_of(where) is None:
        return {}
    from ledger.log.postgres_roles import DATABASE_ROLES, grants

    return {role: grants(role, role) for role in DATABASE_ROLES}


def open_bell(where: str | Path, ledger_id: str, heard: Callable[[], None]) -> Bell | None:
    """Return the bell between the services of a ledger in a database; None for a file.

    `heard` is called in another thread when somebody else has rung. The caller closes the bell.
    """
    if (address := database_of(where)) is None:
        return None
    from ledger.log.postgres_bell import PostgresBell

    return PostgresBell(address, ledger_id, heard)


def as_address(text: str) -> str | Path:
    """Return the address that a person typed: text if it has a scheme, else a path."""
    return text if _SCHEME.fullmatch(text) else Path(text)


def is_file(where: str | Path) -> bool:
    """Return whether the address is that of a file. Raise `MalformedError` for an unknown kind of address."""
    return database_of(where) is None


def file_of(where: str | Path) -> Path:
    """Return the file of the ledger at an address.

    Raise `UsageError` for a ledger in a database, and `MalformedError` for an unknown kind of address.
    """
    if (address := database_of(where)) is not None:
        raise UsageError("usage", phrase("postgres.only_files", file=address))
    return Path(where)


def sidecar_base(where: str | Path) -> Path:
    """Return the path from which `paths` derives those of the files beside a ledger: that of its file, if it has one.

    Those of a ledger in a database are in the folder that `TRICKLEDGER_HOME` names, by default in the user's data.
    """
    address = database_of(where)
    return Path(where) if address is None else home() / f"{address.name}.ledger"


def home() -> Path:
    """Return the folder for the files of ledgers in a database."""
    if chosen := os.environ.get(HOME):
        return Path(chosen)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "trickledger"


def database_of(where: str | Path) -> PostgresAddress | None:
    """Return the address of a ledger in a database, None for that of a file."""
    if isinstance(where, Path) or (match := _SCHEME.fullmatch(where)) is None:
        return None
    scheme, _, rest = match.groups()
    if scheme.lower() in ("postgresql", "postgres"):
        from ledger.log.postgres_connection import parse_address

        return parse_address(where)
    raise MalformedError(phrase("form.not_store"), phrase("form.path"), scheme, f"{scheme}://{rest}")


def bulk_reader(store: LogStore) -> BulkReader:
    """Return the fastest reader of this whole store; the caller closes it."""
    return SqliteBulkReader(store) if isinstance(store, SqliteStore) else BulkReader(store)
