"""Cards of one Couillon deal that all see turned, against the place that they come from (COU-4.7, 4.13, 11.16)."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.cards import BIT, UNKNOWN
from ledger.events import CardTurned
from ledger.games.couillon.irregularities import violation
from ledger.games.couillon.state import CouillonState
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.tricks import NOTHING, Violations


def place_turned(state: CouillonState, card: str, place: int, rule: str, version: int) -> Violations:
    """A card of the stock is seen: it must be the one that lies there (COU-11.16)."""
    if not state.stock:
        return NOTHING
    there = state.stock[place]
    if there != UNKNOWN:
        return () if there == card else (violation("wrong_turned_card", rule, version, None, (there,), card=card),)
    if state.holdings.placed & BIT[card]:
        return bad_pack(state, version, "turned", (card,))
    state.show_in_stock(place, card)
    return NOTHING


def place_forehands(state: CouillonState, card: str, version: int) -> Violations:
    """The first card of forehand's second packet is seen, and goes into his hand (COU-4.13 to 4.15)."""
    seat, bit, holdings = state.trumps.forehand, BIT[card], state.holdings
    hand, place = state.hands[seat], state.form.first
    there = UNKNOWN if hand is None or len(hand) <= place else hand[place]
    if there == card:
        return NOTHING
    if there != UNKNOWN or card in (hand or ()):
        legal = None if there == UNKNOWN else (there,)
        return (violation("wrong_turned_card", state.form.turned_rule, version, None, legal, card=card),)
    if not holdings.may_hold(seat, bit):
        return bad_pack(state, version, "turned", (card,))
    holdings.remove(seat, bit)
    holdings.give_known(seat, bit)
    return NOTHING


def turned_at_wrong_moment(state: CouillonState, event: CardTurned, version: int) -> Violation:
    """COU-11.49."""
    rule = "COU-4.13" if state.form.is_naming else "COU-4.7"
    return violation("turned_at_wrong_moment", rule, version, found="card", card=event.card)


def bad_pack(state: CouillonState, version: int, how: str, cards: Sequence[str] = ()) -> Violations:
    """COU-11.11; the deal has one report of it."""
    if state.pack_is_bad:
        return NOTHING
    state.judge_pack(is_bad=True)
    return (violation("bad_pack", state.form.pack_rule, version, found=how, cards=list(cards)),)
