"""What a word of Couillon raises a deal to, in a few words beside it, and who may answer."""

from __future__ import annotations

from ledger.events import Announced, Event
from ledger.games.couillon.options import CouillonOptions
from ledger.games.couillon.raises import RAISES
from ledger.games.couillon.scoring import points_won
from ledger.i18n import Words


def stakes(event: Event, options: CouillonOptions) -> Words | None:
    """The points of the deal after it (COU-7.29, 7.31); after `mit` and `kontra` another word may follow (COU-5.16)."""
    if not isinstance(event, Announced) or event.what not in RAISES:
        return None
    said = RAISES[: RAISES.index(event.what) + 1]
    return Words(f"stakes.{event.what}", {"points": points_won(dict.fromkeys(said, 1))})
