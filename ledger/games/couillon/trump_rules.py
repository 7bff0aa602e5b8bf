"""Calls, named suits and turned cards of one deal: their effects and violations (COU section 4).

Events before the cards in the record are judged when the cards come (COU-11.23, 11.49).
"""

from __future__ import annotations

from collections.abc import Sequence

from ledger.cards import BIT, UNKNOWN
from ledger.events import Announced, BidMade, CardTurned, Event, TrumpNamed
from ledger.games.couillon.calls import RAISES
from ledger.games.couillon.irregularities import halts, violation
from ledger.games.couillon.state import CouillonState
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.tricks import NOTHING, Violations


def place_turned(state: CouillonState, card: str, place: int, rule: str, version: int) -> Violations:
    """Show a card of the stock, which must be the one in that place (COU-11.16); return the violations."""
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
    """Show the first card of forehand's second packet, and put it into the hand (COU-4.13 to 4.15)."""
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
    """Return the violation COU-11.49."""
    rule = "COU-4.13" if state.form.is_naming else "COU-4.7"
    return violation("turned_at_wrong_moment", rule, version, found="card", card=event.card)


def bad_pack(state: CouillonState, version: int, how: str, cards: Sequence[str] = ()) -> Violations:
    """Return the violation COU-11.11, once per deal."""
    if state.pack_is_bad:
        return NOTHING
    state.judge_pack(is_bad=True)
    return (violation("bad_pack", state.form.pack_rule, version, found=how, cards=list(cards)),)


def remember_if_early(state: CouillonState, event: Event, version: int, violations: Violations = NOTHING) -> None:
    """Keep an event that is out of place if the cards are dealt only after it, with its violations so far."""
    if not state.has_cards:
        state.remember_early(event, version, any(one.code == "COU-11.49" for one in violations))


def judge_early_events(state: CouillonState) -> None:
    """Judge the cards turned and calls made before the cards were dealt (COU-11.23, 11.49)."""
    for event, version, is_reported in state.early:
        if isinstance(event, CardTurned):
            if not is_reported:
                state.find_late(turned_at_wrong_moment(state, event, version))
            _check_early_card(state, event.card, version)
        elif isinstance(event, Announced) and state.raises[:1] == ((event.seat, version),):
            for what, (seat, of_call), rule in zip(
                RAISES, state.raises, ("COU-5.1", "COU-5.8", "COU-5.10"), strict=False
            ):
                state.find_late(violation(f"{what}_not_allowed", rule, of_call, seat))
            state.forget_raises()
    state.forget_early()


def _check_early_card(state: CouillonState, card: str, version: int) -> None:
    """Compare a card turned before the deal with the place that it must have come from."""
    if state.form.is_naming:
        violations = place_forehands(state, card, version)
    else:
        is_upcard = card == state.trumps.upcard
        rule = state.form.turned_rule if is_upcard else "COU-4.7"
        violations = place_turned(state, card, 0 if is_upcard else -1, rule, version)
    state.find_late(*violations)
    if halts(violations):
        state.halt()


def make_call(state: CouillonState, event: BidMade, version: int) -> Violations:
    """Make a pass, a take or a deferral, and return the violations."""
    if state.phase in ("play", "settled"):
        return state.trumps.too_late(event.seat, event.call, version)
    return state.trumps.bid(event, state.stock[0] if state.stock else UNKNOWN, version)


def name_trump(state: CouillonState, event: TrumpNamed, version: int) -> Violations:
    """Name a suit and return the violations."""
    if state.phase in ("play", "settled"):
        return state.trumps.too_late(event.seat, event.suit, version)
    return state.trumps.name(event, version)


def rule_without_trumps(state: CouillonState) -> str:
    """Return the rule by which trumps should have been fixed."""
    trumps = state.trumps
    if trumps.is_naming:
        return "COU-4.13" if trumps.is_deferred else "COU-4.12"
    return "COU-4.7" if trumps.caller() is None and not trumps.is_taken else "COU-4.3"


def turn_card(state: CouillonState, event: CardTurned, version: int) -> Violations:
    """Turn up a card, which fixes trumps or offers them and implies a deal; return the violations."""
    if state.recorded is not None:
        return (turned_at_wrong_moment(state, event, version),)
    state.imply_deal()
    violations = _turned(state, event, version)
    remember_if_early(state, event, version, violations)
    return violations


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
    violations: list[Violation] = []
    if trumps.caller() is not None:
        violations.append(turned_at_wrong_moment(state, event, version))
    trumps.fix_by_card(card)  # COU-4.7, 4.8
    return [*violations, *place_turned(state, card, -1, "COU-4.7", version)]


def _turn_of_forehand(state: CouillonState, event: CardTurned, version: int) -> Violations:
    trumps = state.trumps
    if trumps.suit is not None:
        return (turned_at_wrong_moment(state, event, version),)
    violations: list[Violation] = []
    if not trumps.is_deferred:
        violations.append(turned_at_wrong_moment(state, event, version))
    trumps.fix_by_card(event.card)  # COU-4.13, 4.16
    return [*violations, *place_forehands(state, event.card, version)]
