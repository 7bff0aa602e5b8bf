"""What a call of Quadrille is played for, in a few words beside it."""

from __future__ import annotations

from ledger.events import BidMade, Event
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.i18n import Words


def stakes(event: Event, options: QuadrilleOptions) -> Words | None:
    """What is undertaken, and with whom (QUA-4.2 to 4.4); what all stake on the vole (QUA-4.14)."""
    match event:
        case BidMade(call="alliance"):
            return Words("stakes.alliance")
        case BidMade(call="solo"):
            return Words("stakes.solo")
        case BidMade(call="vole"):
            return Words("stakes.vole", {"stake": options.vole_stake})
    return None
