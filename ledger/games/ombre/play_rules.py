"""What a card, a trick gathered or a word does to one Ombre deal, and how it ends without its play (OMB-6)."""

from __future__ import annotations

from typing import Final

import msgspec

from ledger.events import Announced, CardPlayed, ResultRecorded, ScoreClaimed, TrickGathered
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.ombre.auction_rules import miss_trump, settle_forced
from ledger.games.ombre.exchange_rules import miss_exchanges, yield_exchange
from ledger.games.ombre.irregularities import violation
from ledger.games.ombre.outcome import OmbreOutcome, checked_outcome
from ledger.games.ombre.state import OmbreState

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


def record_result(state: OmbreState, event: ResultRecorded, version: int) -> Violations:
    """The result is all that was written down (OMB section 7)."""
    if state.status != "voided":
        outcome = msgspec.convert(event.outcome, OmbreOutcome)
        state.record(checked_outcome(outcome, state.seats, state.dealer))
    return NOTHING


def claim(state: OmbreState, event: ScoreClaimed, version: int) -> Violations:
    """A score sheet before the play has ended (OMB-11.43); its figures are compared elsewhere."""
    settle_forced(state)
    if state.status != "open":
        return NOTHING
    is_asked = state.play is not None and bool(state.play.asked)
    state.halt()
    name, rule = ("defence_unanswered", "OMB-6.26") if is_asked else ("incomplete_play", "OMB-6.16")
    return (violation(name, rule, version),)
