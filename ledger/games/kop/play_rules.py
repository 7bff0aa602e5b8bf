"""Cards and announcements during the play, and its early ends (KOP section 6).

The recorder may stop the play, a side may concede the rest, and a result may be recorded instead.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

import msgspec

from ledger.cards import BIT
from ledger.events import Announced, CardPlayed, ResultRecorded, TrickGathered
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.kop.hands import final_contract, is_declarer
from ledger.games.kop.irregularities import violation
from ledger.games.kop.opening_rules import end_auction
from ledger.games.kop.outcome import KopOutcome, checked_outcome
from ledger.games.kop.pack import DU_CONTRACTS, SEATS
from ledger.games.kop.state import KopState


def play_card(state: KopState, event: CardPlayed, version: int) -> Violations:
    """Play a card and return the violations; the first card ends the auction (KOP-4.37, 11.7)."""
    play = state.play
    if play is not None:
        return play.take_card(event, version)
    if state.phase == "settled":
        state.note(event, version)
        state.hands.show(event.seat, BIT.get(event.card, 0))
        rule = "KOP-6.13" if state.recorded is not None else "KOP-6.16"
        return (violation("play_after_end", rule, version, event.seat, card=event.card),)
    violations: list[Violation] = []
    if not state.auction.is_free and not state.auction.may_be_over():
        violations.append(violation("auction_unfinished", state.auction.rule_of_end(), version, event.seat))
    violations.extend(end_auction(state))
    begun = state.play
    assert begun is not None, "only a bid of baśka ends the deal before it is played, and ends the auction, too"
    return [*violations, *begun.take_card(event, version)]


def gather(state: KopState, event: TrickGathered, version: int) -> Violations:
    """Note who gathered a trick and return the violations."""
    if state.recorded is not None:
        return NOTHING
    if state.play is None:
        return (violation("wrong_gather", "KOP-6.11", version, event.seat, winner=None),)
    return state.play.gather(event, version)


def show_baska(state: KopState, event: Announced, version: int) -> Violations:
    """Accept the four queens shown with a baśka, which is won already (KOP-6.16)."""
    return NOTHING  # KOP-6.16: the four queens of a baśka, which is won already


def may_stop(state: KopState) -> bool:
    """Return whether a defender has won, or can have won, a trick of a du contract (KOP-6.15)."""
    if state.play is None or state.auction.contract not in DU_CONTRACTS:
        return False
    return any(winner != state.auction.bidder for winner in state.play.winners)


def stop(state: KopState, event: Announced, version: int) -> Violations:
    """Stop a du contract (KOP-6.15); a false stop changes nothing."""
    if not may_stop(state) or state.play is None:
        return (violation("false_stop", "KOP-6.15", version, event.seat),)
    if not state.play.is_over:
        state.stop_play(state.play)
    return NOTHING


def concede(state: KopState, event: Announced, version: int) -> Violations:
    """Concede the rest (KOP-6.17, 6.18); an irregular concession is ignored (KOP-11.50)."""
    if not state.options.concessions:
        return (violation("irregular_concession", "KOP-6.19", version, event.seat),)
    seats = frozenset((event.seat,) if event.seats is None else event.seats)
    if state.play is None or state.play.is_over or event.seat not in seats | {None} or not may_be_a_side(state, seats):
        return (violation("irregular_concession", "KOP-6.17", version, event.seat),)
    state.concede_play(state.play, cast(frozenset[int], seats))
    return NOTHING


def may_be_a_side(state: KopState, seats: Collection[int | None]) -> bool:
    """Return whether these are exactly the seats of one side, as far as the sides are known."""
    auction = state.auction
    if not 0 < len(seats) < SEATS:
        return False
    contract = final_contract(state.hands, auction.contract)
    if contract is not None and (contract in ("normal", "wesele")) != (len(seats) == 2):
        return False
    sides = [is_declarer(state.hands, auction.contract, auction.bidder, seat) for seat in range(SEATS)]
    within = {sides[seat] for seat in range(SEATS) if seat in seats} - {None}
    without = {sides[seat] for seat in range(SEATS) if seat not in seats} - {None}
    return len(within) < 2 and len(without) < 2 and within.isdisjoint(without)


def record_result(state: KopState, event: ResultRecorded, version: int) -> Violations:
    """Record the result in place of the rest of the deal."""
    outcome = msgspec.convert(event.outcome, KopOutcome)
    state.record(checked_outcome(outcome, state.options))
    return NOTHING
