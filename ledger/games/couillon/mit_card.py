"""Where SQ is in one Couillon deal, as far as the record tells (COU-5.2, 5.3)."""

from __future__ import annotations

from ledger.games.couillon.pack import MIT_CARD
from ledger.games.couillon.state import CouillonState


def holder_of_mit_card(state: CouillonState) -> int | None:
    """The seat that certainly was dealt SQ."""
    dealt = state.holdings.known if state.play is None else state.play.origin
    return next((seat for seat, mask in enumerate(dealt) if mask & MIT_CARD), None)


def holds_mit_card(state: CouillonState, seat: int) -> bool | None:
    """Whether SQ was dealt to the seat; None where that is not known."""
    holder = holder_of_mit_card(state)
    if holder is not None:
        return holder == seat
    if seat in state.without_mit_card:
        return False
    if not state.was_dealt:
        return None if state.recorded is None else False
    if state.holdings.candidates(seat) & MIT_CARD:
        return None
    could_be = state.play is not None and state.play.has_unknown_of(seat) and not state.holdings.placed & MIT_CARD
    return None if could_be else False


def mit_card_is_out(state: CouillonState) -> bool:
    """Whether SQ certainly lies among the cards that nobody got: it is seen there, or in no hand."""
    if "SQ" in state.stock:
        return True
    return state.was_dealt and all(holds_mit_card(state, seat) is False for seat in range(state.seats))
