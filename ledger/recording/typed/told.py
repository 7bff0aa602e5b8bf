"""What a recorder is told: what stands in the ledger now, what does not, and what may be typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from ledger.errors import LedgerError
from ledger.events import Event
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.views import TrickView
from ledger.log.base import Row
from ledger.recording.typed.situation import Situation


class Recorded(Struct, frozen=True):
    """An act that is on disk; `found`: what it broke; `trick`: number and cards of the trick that it ended.

    `exposed`: what this card shows to have been broken before it.
    """

    version: int
    event: Event
    found: Sequence[Violation] = ()
    trick: tuple[int, TrickView] | None = None
    exposed: Sequence[Violation] = ()


class Elsewhere(Struct, frozen=True):
    """What others have recorded since this recorder looked last."""

    rows: tuple[Row, ...]


class Refused(Struct, frozen=True):
    """What was not recorded, and why; `left`: what stood behind it in the line. `can_insist`: `!` records it."""

    error: LedgerError
    left: str = ""
    can_insist: bool = False


class DealEnded(Struct, frozen=True):
    """The deal of that number has come to its end."""

    number: int


class Undone(Struct, frozen=True):
    """An act that is read no more, or again."""

    version: int
    events: tuple[Event, ...]
    is_again: bool = False


class SheetAgrees(Struct, frozen=True):
    """The score sheet says what the rules make of the deal."""


class FormLeft(Struct, frozen=True):
    """A form was left before its end; nothing of it is recorded."""


class Help(Struct, frozen=True):
    """What may be typed now."""

    now: Situation


Told: TypeAlias = Recorded | Elsewhere | Refused | DealEnded | Undone | SheetAgrees | FormLeft | Help
