"""What a call of Kop is played for, in a few words beside it; whether it will count shows when the sides are known."""

from __future__ import annotations

from ledger.events import BidMade, Event
from ledger.games.kop.auction import LADDER
from ledger.games.kop.options import KopOptions
from ledger.games.kop.scoring import BASES, doubled
from ledger.i18n import Words


def stakes(event: Event, options: KopOptions) -> Words | None:
    """The base of a contract and who plays it (KOP-4.5), the factor of a doubling (KOP-4.30)."""
    if not isinstance(event, BidMade):
        return None
    if event.call in LADDER:
        return Words("stakes.doubled", {"factor": doubled(LADDER.index(event.call) + 1)})
    if event.call in BASES:
        return Words(f"stakes.{event.call}", {"base": BASES[event.call]})
    return None
