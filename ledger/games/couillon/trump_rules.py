"""What a call, a suit named or a card turned does to one Couillon deal, and what it breaks there (COU section 4)."""

from __future__ import annotations

from ledger.cards import UNKNOWN
from ledger.events import BidMade, CardTurned, TrumpNamed
from ledger.games.couillon.early import before_cards
from ledger.games.couillon.irregularities import violation
from ledger.games.couillon.state import CouillonState
from ledger.games.couillon.turned_cards import place_forehands, place_turned, turned_at_wrong_moment
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.tricks import Violations


def make_call(state: CouillonState, event: BidMade, version: int) -> Violations:
    """A pass, a take or a deferral."""
    if _is_too_late(state):
        return _after_trumps(state, event.seat, event.call, version)
    return state.trumps.bid(event, state.stock[0] if state.stock else UNKNOWN, version)


def name_trump(state: CouillonState, event: TrumpNamed, version: int) -> Violations:
    """A suit named."""
    if _is_too_late(state):
        return _after_trumps(state, event.seat, event.suit, version)
    return state.trumps.name(event, version)


def _is_too_late(state: CouillonState) -> bool:
    return state.phase in ("play", "settled")


def _after_trumps(state: CouillonState, seat: int, call: str, version: int) -> Violations:
    """COU-11.19."""
    rule = "COU-4.17" if state.form.is_naming else "COU-4.4"
    return (violation("call_after_trumps", rule, version, seat, call=call),)


def rule_without_trumps(state: CouillonState) -> str:
    """By which rule trumps should have been fixed."""
    trumps = state.trumps
    if trumps.is_naming:
        return "COU-4.13" if trumps.is_deferred else "COU-4.12"
    return "COU-4.7" if trumps.caller() is None and not trumps.is_taken else "COU-4.3"


# --- turned cards -----------------------------------------------------------------------------------------------------


def turn_card(state: CouillonState, event: CardTurned, version: int) -> Violations:
    """A card turned up, which fixes trumps or offers them; it shows that the cards were dealt."""
    if state.recorded is not None:
        return (turned_at_wrong_moment(state, event, version),)
    state.imply_deal()
    found = _turned(state, event, version)
    before_cards(state, event, version, found)
    return found


def _turned(state: CouillonState, event: CardTurned, version: int) -> Violations:
    trumps = state.trumps
    if state.play is not None and trumps.suit is None:
        return (turned_at_wrong_moment(state, event, version),)
    if trumps.is_naming:
        return _turn_of_forehand(state, event, version)
    if trumps.upcard is None and (trumps.is_taken or trumps.caller() is not None):
        return _turn_upcard(state, event.card, version)
    return _turn_bottom(state, event, version)


def _turn_upcard(state: CouillonState, card: str, version: int) -> Violations:
    trumps = state.trumps
    if trumps.suit is not None and not trumps.is_taken:
        return (violation("call_after_trumps", "COU-4.4", version, found="card", card=card),)
    trumps.show_upcard(card)
    return place_turned(state, card, 0, state.form.turned_rule, version)


def _turn_bottom(state: CouillonState, event: CardTurned, version: int) -> Violations:
    trumps, card = state.trumps, event.card
    if trumps.suit is not None:
        return (violation("call_after_trumps", "COU-4.4", version, found="card", card=card),)
    found: list[Violation] = []
    if trumps.caller() is not None:
        found.append(turned_at_wrong_moment(state, event, version))
    trumps.fix_by_card(card)  # COU-4.7, 4.8
    return [*found, *place_turned(state, card, -1, "COU-4.7", version)]


def _turn_of_forehand(state: CouillonState, event: CardTurned, version: int) -> Violations:
    trumps = state.trumps
    if trumps.suit is not None:
        return (turned_at_wrong_moment(state, event, version),)
    found: list[Violation] = []
    if not trumps.is_deferred:
        found.append(turned_at_wrong_moment(state, event, version))
    trumps.fix_by_card(event.card)  # COU-4.13, 4.16
    return [*found, *place_forehands(state, event.card, version)]
