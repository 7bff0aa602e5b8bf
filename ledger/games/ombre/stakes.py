"""What a call of Ombre is played for, in a few words beside it."""

from __future__ import annotations

from ledger.events import BidMade, Event
from ledger.games.ombre.auction import PASS
from ledger.games.ombre.options import OmbreOptions
from ledger.games.ombre.scoring import points_of
from ledger.i18n import Words


def stakes(event: Event, options: OmbreOptions) -> Words | None:
    """The pool, and what every other seat pays for the contract (OMB-7.18)."""
    if not isinstance(event, BidMade) or event.call == PASS:
        return None
    contract, _, favour = event.call.partition("_")
    points = points_of(contract, options, is_favour=bool(favour))
    return Words("stakes.pool_and_each", {"points": points}) if points else Words("stakes.pool")
