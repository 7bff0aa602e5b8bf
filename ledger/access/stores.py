"""The place where the tokens of a ledger are stored; only this package knows the format."""

from __future__ import annotations

from pathlib import Path

from ledger.access.service import AccessStore, TokenRepository
from ledger.access.sqlite import SqliteRepository
from ledger.log.base import Clock, utc_now
from ledger.log.paths import access_of
from ledger.log.stores import database_of, file_of, open_store


def open_access(ledger: str | Path, *, clock: Clock = utc_now) -> AccessStore:
    """Open the tokens of the ledger at an address. Raise as `open_store` where the ledger cannot be read."""
    with open_store(ledger, access="allowed") as store:
        ledger_id = store.ledger_id or ""
    return AccessStore(_repository(ledger, ledger_id), clock)


def _repository(ledger: str | Path, ledger_id: str) -> TokenRepository:
    if (address := database_of(ledger)) is None:
        return SqliteRepository(access_of(file_of(ledger)), ledger_id)
    from ledger.access.postgres import PostgresRepository

    return PostgresRepository(address, ledger_id)
