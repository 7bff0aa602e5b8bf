from __future__ import annotations

from typing import Any

from msgspec import Struct

from ledger.log.base import LogStore
from ledger.service.horizon import Horizon


class View(Struct, frozen=True):
    hands: bool
    writer: str
    seat: tuple[str, int] | None = None
    tables: tuple[str, ...] | None = None


def SeenStore(store: LogStore, horizon: Horizon, view: View) -> Any:
    return store
