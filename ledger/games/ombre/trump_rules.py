"""How trumps are fixed in one Ombre deal: named, or turned up from the stock (OMB-5.1 to 5.7)."""

from __future__ import annotations

from ledger.cards import BIT, UNKNOWN
from ledger.events import CardTurned, TrumpNamed
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.ombre.auction_rules import seats_with_spadille
from ledger.games.ombre.irregularities import violation
from ledger.games.ombre.state import OmbreState


def name_trump(state: OmbreState, event: TrumpNamed, version: int) -> Violations:
    """The Ombre names trumps (OMB-5.1, 5.2)."""
    seat, suit = event.seat, event.suit
    if state.phase != "trump" or state.contract == "vuelta":
        rule = "OMB-5.4" if state.contract == "vuelta" else "OMB-5.7" if state.trump else "OMB-5.1"
        return (violation("trump_not_allowed", rule, version, seat, suit=suit),)
    standing = state.auction.standing or ""
    if standing.endswith("_favour") and suit != state.options.favourite_suit:
        return (violation("trump_not_allowed", "OMB-5.2", version, seat, suit=suit),)
    found: Violations = NOTHING
    if state.forced_by_record:
        state.force(_forced_seat(state, seat))
    if seat != state.ombre:
        found = (violation("trump_by_wrong_seat", "OMB-5.1", version, seat, suit=suit, due=state.ombre),)
    if state.ombre is None:
        state.halt()  # who was forced cannot be known
    else:
        state.begin_exchange(suit)
    return found


def _forced_seat(state: OmbreState, seat: int) -> int | None:
    """That trumps are named shows that somebody held SA (OMB-4.21): this seat, if it can have been this one."""
    able = seats_with_spadille(state)
    if seat in able:
        return seat
    return able[0] if len(able) == 1 else None


def turn_card(state: OmbreState, event: CardTurned, version: int) -> Violations:
    """The top card of the stock is turned up in a vuelta (OMB-5.4)."""
    if state.phase != "trump" or state.contract != "vuelta":
        rule = "OMB-5.7" if state.trump else "OMB-5.1"
        return (violation("trump_not_allowed", rule, version, suit=event.card[0]),)
    card, top = event.card, state.stock[0]
    found: Violations = NOTHING
    if top not in (card, UNKNOWN) or (top == UNKNOWN and state.holdings.placed & BIT[card]):
        legal = None if top == UNKNOWN else (top,)
        found = (violation("wrong_upcard", "OMB-5.4", version, None, legal, card=card),)
    if top == UNKNOWN:
        top = card
    state.turn_up(top)
    state.begin_exchange(top[0])  # OMB-5.4, 5.5: the printed suit, also of a black ace
    return found


def miss_trump(state: OmbreState, version: int, seat: int | None) -> Violations:
    """An exchange, a yield or a play comes before trumps (OMB-11.19)."""
    state.halt()
    return (violation("trump_missing", "OMB-5.4" if state.contract == "vuelta" else "OMB-5.1", version, seat),)
