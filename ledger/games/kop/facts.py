"""The facts of a finished deal: contract, sides, points and tricks (KOP-7.1).

A deal whose hands were not recorded is read again in hindsight, with the hands that its cards have shown since.
"""

from __future__ import annotations

from typing import cast

from msgspec import structs

from ledger.cards import BIT, UNKNOWN
from ledger.events import CardPlayed, CardsDealt, Event
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.laid_cards import NO_CARD
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.kop.auction import LADDER
from ledger.games.kop.hands import KopHands, declarers, declarers_by_concession, final_contract
from ledger.games.kop.irregularities import DEALING_CODES
from ledger.games.kop.outcome import KopOutcome
from ledger.games.kop.pack import ALL_POINTS, HAND, SEATS, TRICKS, Contract, winning_side
from ledger.games.kop.play import KopPlay
from ledger.games.kop.state import KopState
from ledger.i18n import Words


def facts_of(state: KopState) -> KopOutcome | None:
    """Return the outcome of a complete deal, or None if the record does not show it."""
    auction = state.auction
    contract, seats = _contract(state), _declarers(state)
    doublings = auction.effective_doublings()
    if state.status != "complete" or contract is None or seats is None or doublings is None:
        return None
    tally = ((0, 0), (0, 0)) if state.play is None else _tally(state, state.play, seats)
    if tally is None:
        return None
    points, tricks = tally
    return KopOutcome(
        contract=cast(Contract, contract),
        declarers=seats,
        doublings=doublings,
        card_points=points,
        tricks=tricks,
        stopped=state.stopped,
        winning_side=winning_side(contract, points, tricks),
    )


def _contract(state: KopState) -> str | None:
    """Return the contract, known by the hands or else by how many conceded (KOP-4.40, 6.17)."""
    contract = final_contract(state.hands, state.auction.contract)
    if contract is None and state.conceded is not None:
        return "normal" if 2 * len(state.conceded) == SEATS else "cicha"
    return contract


def _declarers(state: KopState) -> tuple[int, ...] | None:
    """Return the declarer side, known by the hands or else by who conceded."""
    hands, auction = state.hands, state.auction
    seats = declarers(hands, auction.contract, auction.bidder)
    if seats is None and state.conceded is not None:
        return declarers_by_concession(hands, auction.contract, auction.bidder, state.conceded)
    return seats


def untold_of(state: KopState) -> list[Words]:
    """Return the facts that scoring needs and that the record of a finished play lacks."""
    if state.status != "complete":
        return []
    if _declarers(state) is None:
        return [Words("untold_sides")]
    return [Words("untold_points")] if facts_of(state) is None else []


def _tally(state: KopState, play: KopPlay, seats: tuple[int, ...]) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return card points and tricks of the declarer side and of the defenders (KOP-7.1); None if they are unknown."""
    if None in play.winners:
        return None
    won_points = won_tricks = 0
    worth = play.card_points()
    for seat in seats:
        won_points += worth[seat]
        won_tricks += play.counts[seat]
    points, tricks = [won_points, sum(worth) - won_points], [won_tricks, len(play.winners) - won_tricks]
    if not play.hands.has_unknown and state.conceded is None:
        return (points[0], points[1]), (tricks[0], tricks[1])
    unknown = [False, False]
    if NO_CARD in play.cards:
        for trick in play.tricks():
            side = 0 if trick.winner in seats else 1
            unknown[side] = unknown[side] or NO_CARD in trick.cards
    if state.conceded is not None:  # KOP-6.18: all that is not yet won goes to the other side
        losers = 0 if state.conceded == frozenset(seats) else 1
        if unknown[losers]:
            return None
        tricks[1 - losers] = TRICKS - tricks[losers]
        points[1 - losers] = ALL_POINTS - points[losers]
    elif any(unknown):
        if all(unknown) or state.stopped:
            return None
        side = unknown.index(True)
        points[side] = ALL_POINTS - points[1 - side]  # KOP-7.19
    return (points[0], points[1]), (tricks[0], tricks[1])


def as_known(event: Event, hands: KopHands, play: KopPlay | None) -> Event:
    """Replace an unrecorded card by the only card that it can have been; return other events as they are."""
    if play is None or type(event) is not CardPlayed or event.card != UNKNOWN or hands.unseen[event.seat] != 1:
        return event
    dealt = [card for card in hands.in_hindsight()[event.seat] if card != UNKNOWN]
    played = play.played_by(event.seat)
    rest = [card for card in dealt if not played & BIT[card]]
    is_certain = len(dealt) == HAND and len(rest) == 1
    return structs.replace(event, card=rest[0]) if is_certain else event


def late_violations(state: KopState) -> Violations:
    """Return the violations that unrecorded hands have shown since; of a voided deal, those shown by then."""
    if not state.hands.has_unknown:
        return NOTHING
    at_once, later = _both_readings(state)
    return [violation for violation in later if violation not in at_once]


def refuted_violations(state: KopState) -> Violations:
    """Return the violations that do not hold with the hands shown since (KOP-11.73, 11.75)."""
    if not state.hands.has_unknown:
        return NOTHING
    at_once, later = _both_readings(state)
    return [violation for violation in at_once if violation not in later and violation.code not in DEALING_CODES]


def _both_readings(state: KopState) -> tuple[list[Violation], list[Violation]]:
    """Return the violations judged event by event, and those in hindsight."""
    return replayed(state, None)[1], replayed(state, _dealt_in_hindsight(state), knows_all=True)[1]


def in_hindsight(state: KopState) -> KopState:
    """Read this deal again with the hands that are known by now; return the same deal if all were known."""
    if not state.hands.has_unknown or state.is_hindsight or state.phase == "voided" or state.recorded is not None:
        return state
    return replayed(state, _dealt_in_hindsight(state), knows_all=True)[0]


def bidder_of(state: KopState) -> int | None:
    """Return the bidder of the final contract; None if there is none or the record does not show it."""
    return None if state.recorded is not None else in_hindsight(state).auction.bidder


def effective_doublings(state: KopState) -> list[str]:
    """Return the doublings that count (KOP-4.29); none if the record has only the result."""
    if state.recorded is not None:
        return []
    effects = in_hindsight(state).auction.effects()
    return [rung for rung, is_effective in zip(LADDER, effects, strict=False) if is_effective]


def replayed(state: KopState, dealt: CardsDealt | None, *, knows_all: bool = False) -> tuple[KopState, list[Violation]]:
    """Apply the same events to other hands; return that deal and its violations. None: the hands as recorded.

    `knows_all`: unrecorded cards are read as the cards that they must have been.
    """
    again = type(state)(state.options, state.dealer)
    again.begin_second_reading()
    violations: list[Violation] = []
    log = state.log
    if dealt is not None:
        again.apply(dealt, 0)
        as_recorded = next((place for place, (_, event) in enumerate(log) if type(event) is CardsDealt), len(log))
        log = [*log[:as_recorded], *log[as_recorded + 1 :]]
    for version, event in log:
        violations.extend(again.apply(as_known(event, state.hands, state.play) if knows_all else event, version))
    if state.left is not None:
        violations.extend(again.leave(*state.left))
    return again, violations


def _dealt_in_hindsight(state: KopState) -> CardsDealt:
    return CardsDealt(hands=tuple(state.hands.in_hindsight()))
