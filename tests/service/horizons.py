"""How far everybody sees a ledger, for tests: as `ledger.service` has it."""

from __future__ import annotations

from msgspec import Struct

from ledger.log import LogStore
from ledger.log.base import Head
from tests.history.cuts import cut_of


class HiddenFrom(Struct, frozen=True):
    position: int


class Horizon(Struct, frozen=True):
    head: Head
    hidden: dict[str, HiddenFrom]


def horizon_of(store: LogStore) -> Horizon:
    """As of the last entry: what belongs to open deals is hidden."""
    cut = cut_of(store)
    return Horizon(cut.head, {stream: HiddenFrom(position) for stream, position in cut.held_back.items()})
