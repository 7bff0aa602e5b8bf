"""What was turned, called and said before the cards in the record, judged once they come (COU-11.23, 11.49)."""

from __future__ import annotations

from ledger.events import Announced, CardTurned, Event
from ledger.games.couillon.irregularities import halts, violation
from ledger.games.couillon.state import CouillonState
from ledger.games.couillon.turned_cards import place_forehands, place_turned, turned_at_wrong_moment
from ledger.games.kernel.tricks import NOTHING, Violations


def before_cards(state: CouillonState, event: Event, version: int, found: Violations = NOTHING) -> None:
    """Remembers what is out of its place if the cards are dealt only after it, and what it broke even so."""
    if not state.has_cards:
        state.remember_early(event, version, any(one.code == "COU-11.49" for one in found))


def judge_early(state: CouillonState) -> None:
    """What was turned, called and said before the cards were dealt (COU-11.23, 11.49)."""
    for event, version, is_reported in state.early:
        if isinstance(event, CardTurned):
            if not is_reported:
                state.find_late(turned_at_wrong_moment(state, event, version))
            _place_again(state, event.card, version)
        elif isinstance(event, Announced) and state.raises.mit == (event.seat, version):
            state.find_late(violation("mit_not_allowed", "COU-5.1", version, event.seat))
            if state.raises.kontra is not None:
                seat, version_of_kontra = state.raises.kontra
                state.find_late(violation("kontra_not_allowed", "COU-5.8", version_of_kontra, seat))
            if state.raises.re is not None:
                seat, version_of_re = state.raises.re
                state.find_late(violation("re_not_allowed", "COU-5.10", version_of_re, seat))
            state.raises.forget()
    state.forget_early()


def _place_again(state: CouillonState, card: str, version: int) -> None:
    """Compares a card turned before the cards were dealt with the place that it must have come from."""
    if state.form.is_naming:
        found = place_forehands(state, card, version)
    else:
        is_upcard = card == state.trumps.upcard
        rule = state.form.turned_rule if is_upcard else "COU-4.7"
        found = place_turned(state, card, 0 if is_upcard else -1, rule, version)
    state.find_late(*found)
    if halts(found):
        state.halt()
