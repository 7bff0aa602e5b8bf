"""What a card, a trick gathered or a word does in one Ombre deal, within the play and outside it (OMB section 6)."""

from __future__ import annotations

from typing import Final

from ledger.events import Announced, CardPlayed, TrickGathered
from ledger.games.kernel.tricks import Violations
from ledger.games.ombre.exchange_rules import miss_exchanges, yield_exchange
from ledger.games.ombre.irregularities import violation
from ledger.games.ombre.state import OmbreState
from ledger.games.ombre.trump_rules import miss_trump

_OUTSIDE_PLAY: Final = {
    "stop": ("illegal_stop", "OMB-6.19"),
    "surrender": ("illegal_surrender", "OMB-6.23"),
    "defend": ("illegal_defence", "OMB-6.26"),
    "decline_defence": ("illegal_defence", "OMB-6.26"),
    "throw_in": ("illegal_throw_in", "OMB-6.33"),
}


def play_card(state: OmbreState, event: CardPlayed, version: int) -> Violations:
    """A card; the first one may come before the exchanges are complete, the last ones after the end."""
    if state.phase == "play" and state.play is not None:
        return state.play.take_card(event, version)
    if state.phase == "trump":
        return miss_trump(state, version, event.seat)
    if state.phase != "exchange":
        rule = "OMB-6.16" if state.play is None else state.play.rule_of_end()
        return (violation("play_after_end", rule, version, event.seat, card=event.card),)
    missing = miss_exchanges(state, version)
    assert state.play is not None
    return [*missing, *state.play.take_card(event, version)]


def gather(state: OmbreState, event: TrickGathered, version: int) -> Violations:
    """Somebody takes a trick in (OMB-6.14)."""
    if state.play is None:
        return (violation("wrong_gather", "OMB-6.14", version, event.seat, winner=None),)
    return state.play.gather(event, version)


def announce(state: OmbreState, event: Announced, version: int) -> Violations:
    """Somebody yields the exchange, stops, surrenders, defends or not, or throws in."""
    assert event.seat is not None
    if event.what == "yield_exchange":
        return yield_exchange(state, event, version)
    if state.play is None or state.phase != "play":
        name, rule = _OUTSIDE_PLAY[event.what]
        return (violation(name, rule, version, event.seat),)
    return state.play.announce(event.what, event.seat, version)
