"""A Mit' whose caller may hold SQ or not: until the cards tell, the deal is read both ways (COU-5.2, 5.6, 11.22)."""

from __future__ import annotations

from ledger.events import Event
from ledger.games.couillon.mit_card import holds_mit_card
from ledger.games.couillon.state import CouillonState, DoubtfulMit
from ledger.games.kernel.tricks import Violations


def read_both_ways(state: CouillonState, doubt: DoubtfulMit, event: Event, version: int, found: Violations) -> None:
    """Reads an event in which the deal has `found` this the other way, too; ends the doubt where that shows who holds
    SQ, or that there is no Mit' to be in doubt of.
    """
    doubt.take(event, version, found)
    holds = state.raises.mit is None or holds_mit_card(state, doubt.caller)
    if holds is None:
        return
    if holds:
        state.confirm_mit(doubt)
    else:
        state.take_back_mit(doubt)
