"""What a director has decided on a deal."""

from __future__ import annotations

from msgspec import Struct

from ledger.events import RulingGiven, ScoreClaimed


class Decision(Struct, frozen=True):
    """The ruling in force for one deal and the score sheet it may rest on."""

    ruling: RulingGiven
    sheet: ScoreClaimed | None
