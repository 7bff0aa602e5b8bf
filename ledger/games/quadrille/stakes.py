"""What a call of Quadrille is played for, in a few words beside it."""

from __future__ import annotations

from ledger.events import BidMade, Event
from ledger.games.quadrille.auction import BIDS
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.i18n import Words


def stakes(event: Event, options: QuadrilleOptions) -> Words | None:
    """What is undertaken, and with whom (QUA-4.2 to 4.4); what all stake on the vole (QUA-4.14)."""
    if not isinstance(event, BidMade) or event.call not in BIDS:
        return None
    return Words(f"stakes.{event.call}", {"stake": options.vole_stake} if event.call == "vole" else {})
