"""The place where the tokens of a ledger are stored; only this package knows the format."""

from __future__ import annotations

from pathlib import Path

from ledger.access.service import AccessStore
from ledger.access.sqlite import SqliteRepository
from ledger.log.base import Clock, utc_now
from ledger.log.paths import access_of
from ledger.log.stores import open_store, sidecar_base


def open_access(ledger: str | Path, *, clock: Clock = utc_now) -> AccessStore:
    """Open the tokens of the ledger at an address. Raise as `open_store` where the ledger cannot be read."""
    with open_store(ledger, access="allowed") as store:
        ledger_id = store.ledger_id or ""
    return AccessStore(SqliteRepository(access_of(sidecar_base(ledger)), ledger_id), clock)
