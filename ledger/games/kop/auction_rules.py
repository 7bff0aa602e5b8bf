"""What calls make of a deal up to the first lead: those that do not count, how the auction ends (KOP section 4)."""

from __future__ import annotations

from ledger.events import Announced, BidMade
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.kop.auction import PASS
from ledger.games.kop.irregularities import violation
from ledger.games.kop.pack import scheme_of
from ledger.games.kop.state import KopState


def make_call(state: KopState, event: BidMade, version: int) -> Violations:
    auction, seat, call = state.auction, event.seat, event.call
    turn = auction.turn
    if auction.is_over:
        is_led = state.play is not None and state.play.cards
        rule = "KOP-6.14" if is_led or state.recorded is not None else auction.rule_of_end()
        return (violation("call_after_end", rule, version, seat, call=call),)  # KOP-11.4
    if not auction.is_free and (turn is None or seat != turn):
        return (violation("call_out_of_turn", "KOP-4.20", version, seat, call=call, due=turn),)  # KOP-11.4
    found: Violations = NOTHING
    fault = auction.fault(seat, call)
    if fault is not None:
        legal = tuple(auction.admissible(seat))
        found = (violation(fault.name, fault.rule, version, seat, legal, call=call, standing=auction.contract),)
        if auction.is_free:
            return found  # KOP-11.2
        is_over = auction.take(seat, PASS, None, version)  # KOP-11.2
    else:
        card = event.card
        if call == "wesele" and state.options.announce_wesele_jack and auction.jack_is_wrong(seat, card):
            found = (violation("wrong_jack", "KOP-5.7", version, seat, auction.jacks_due(seat), card=card),)
        is_over = auction.take(seat, call, card, version)
    return [*found, *end_auction(state)] if is_over else found


def end_auction(state: KopState) -> list[Violation]:
    """The play begins, or is won at once (KOP-6.16); void doublings show now that the contract is final."""
    auction = state.auction
    auction.end()
    found = []
    for place, is_effective in enumerate(auction.effects()):
        if is_effective is False:
            seat, version = auction.doublings[place]
            found.append(violation("own_side_doubled", "KOP-4.29", version, seat))
    if auction.contract == "baska":
        state.win_unplayed()
    else:
        state.begin_play(scheme_of(auction.contract, state.options.new_trumps))
    return found


def ask(state: KopState, event: Announced, version: int) -> Violations:
    found = _speaking_faults(state, event, version, "KOP-4.36")
    if not found:
        state.auction.ask()
    return found


def close_auction(state: KopState, event: Announced, version: int) -> Violations:
    return _speaking_faults(state, event, version, "KOP-4.37") or end_auction(state)


def _speaking_faults(state: KopState, event: Announced, version: int, rule: str) -> Violations:
    """`ask` and `close_auction`: the leader's in the free auction, before its end (KOP-4.36, 4.37)."""
    if not state.auction.is_free or event.seat != state.leader:
        return (violation("unknown_call", rule, version, event.seat, call=event.what),)
    if state.auction.is_over:
        return (violation("call_after_end", "KOP-6.14", version, event.seat, call=event.what),)
    return NOTHING
