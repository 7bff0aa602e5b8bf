"""How far everybody may see."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ledger.log.base import Head


class HiddenFrom(Struct, frozen=True):
    version: int
    position: int
    deal: int


class Horizon(Struct, frozen=True):
    head: Head
    hidden: Mapping[str, HiddenFrom] = {}
    names: int = 0

    @property
    def reaches(self) -> int:
        return min((one.position - 1 for one in self.hidden.values()), default=self.head.position)
