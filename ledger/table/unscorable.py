"""Why a deal cannot be scored: what is missing, and which kinds of ruling can settle it (contract 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from ledger.events import Event, RulingKind
from ledger.i18n import sentence
from ledger.table.audit import violations_in_order
from ledger.table.fold import DealRecord, TableFold

_SETTLING: Final[Sequence[RulingKind]] = ("accept", "replace", "award", "void")
"""The kinds of ruling that settle such a deal, as far as a game has them; `accept` needs a score sheet."""


class FatalFinding(Struct, frozen=True, kw_only=True):
    """An irregularity, by its id in the rulebook, in the place of which a lawful course is missing."""

    code: str
    version: int


class Unscorable(Struct, frozen=True, kw_only=True):
    """What is missing: `untold` facts, in words of the game; its end; a lawful course where `fatal` findings stand.

    `kinds`: of rulings that can settle it; none where the deal came after the match and does not count.
    """

    untold: Sequence[str] = ()
    is_unfinished: bool = False
    fatal: Sequence[FatalFinding] = ()
    kinds: Sequence[RulingKind] = ()


def unscorable_after(fold: TableFold, events: Sequence[Event], lang: str = "en") -> Unscorable | None:
    """Return why the last deal would not be scored after these events; None where it would be, or may be yet.

    Only that deal is folded again, not the table.
    """
    deal = fold.deals[-1]
    if deal.is_ignored:
        return None
    entries = [fold.entries[0], *fold.entries[deal.start :], *enumerate(events, fold.entries[-1][0] + 1)]
    after = TableFold(entries, signed=fold.signed, is_redacted=fold.is_redacted).deals[0]
    after.players = deal.players
    return why_unscorable(fold, after, lang)


def why_unscorable(fold: TableFold, record: DealRecord, lang: str = "en") -> Unscorable | None:
    """Why the deal is not scored; None where it is, or may be yet."""
    if record.status != "unscorable":
        return None
    if record.is_ignored:
        return Unscorable()
    game = fold.game
    return Unscorable(
        untold=[sentence(game.package, fact, record.players, lang) for fact in record.machine.untold()],
        is_unfinished=any(found.code == game.unfinished for found in record.violations),
        fatal=[
            FatalFinding(code=found.code, version=found.version)
            for found in violations_in_order(record)
            if found.code in game.fatal
        ],
        kinds=[kind for kind in _SETTLING if kind in game.ruling_kinds],
    )
