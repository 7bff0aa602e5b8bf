"""A deal whose hands were not recorded, read once more with the hands that its cards have shown since."""

from __future__ import annotations

from ledger.events import CardsDealt
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.kop.auction import LADDER
from ledger.games.kop.facts import as_known
from ledger.games.kop.irregularities import DEALING_CODES
from ledger.games.kop.state import KopState


def late_violations(state: KopState) -> Violations:
    """What hands that were not recorded have shown since; of a voided deal, what they had shown by then."""
    if not state.hands.has_unknown:
        return NOTHING
    at_once, later = _both_readings(state)
    return [found for found in later if found not in at_once]


def refuted_violations(state: KopState) -> Violations:
    """What was found at once and is not found with the hands that have been shown since (KOP-11.73, 11.75)."""
    if not state.hands.has_unknown:
        return NOTHING
    at_once, later = _both_readings(state)
    return [found for found in at_once if found not in later and found.code not in DEALING_CODES]


def _both_readings(state: KopState) -> tuple[list[Violation], list[Violation]]:
    """What the deal breaks as it was judged event by event, and what it breaks in hindsight."""
    return replayed(state, None)[1], replayed(state, _dealt_in_hindsight(state), knows_all=True)[1]


def in_hindsight(state: KopState) -> KopState:
    """This deal read again with the hands that have become known since; itself where all were known."""
    if not state.hands.has_unknown or state.is_hindsight or state.phase == "voided" or state.recorded is not None:
        return state
    return replayed(state, _dealt_in_hindsight(state), knows_all=True)[0]


def bidder_of(state: KopState) -> int | None:
    """Who bid the final contract; None where nobody did and where the record does not tell."""
    return None if state.recorded is not None else in_hindsight(state).auction.bidder


def effective_doublings(state: KopState) -> list[str]:
    """Return the doublings that count (KOP-4.29); none if the record has only the result."""
    if state.recorded is not None:
        return []
    effects = in_hindsight(state).auction.effects()
    return [rung for rung, is_effective in zip(LADDER, effects, strict=False) if is_effective]


def replayed(state: KopState, dealt: CardsDealt | None, *, knows_all: bool = False) -> tuple[KopState, list[Violation]]:
    """The same events on other hands, and what they broke; None: on the hands as recorded.

    `knows_all`: cards that nobody wrote down are read as what they must have been.
    """
    again = type(state)(state.options, state.dealer)
    again.begin_second_reading()
    found: list[Violation] = []
    log = state.log
    if dealt is not None:
        again.apply(dealt, 0)
        as_recorded = next((place for place, (_, event) in enumerate(log) if type(event) is CardsDealt), len(log))
        log = [*log[:as_recorded], *log[as_recorded + 1 :]]
    for version, event in log:
        found.extend(again.apply(as_known(event, state.hands, state.play) if knows_all else event, version))
    if state.left is not None:
        found.extend(again.leave(*state.left))
    return again, found


def _dealt_in_hindsight(state: KopState) -> CardsDealt:
    return CardsDealt(hands=tuple(state.hands.in_hindsight()))
