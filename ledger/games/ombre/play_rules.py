"""The rules of an Ombre deal from the exchange to the end, including results recorded without play (OMB-5, 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from ledger.cards import BIT, UNKNOWN
from ledger.events import Announced, CardPlayed, CardsExchanged, ResultRecorded, ScoreClaimed, TrickGathered
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.holdings import Holdings
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.ombre.irregularities import violation
from ledger.games.ombre.opening_rules import miss_trump, settle_forced
from ledger.games.ombre.outcome import OmbreOutcome, checked_outcome
from ledger.games.ombre.pack import ACTIVE, HAND, Cards
from ledger.games.ombre.state import OmbreState


def yield_exchange(state: OmbreState, event: Announced, version: int) -> Violations:
    """Let the left neighbour exchange before the right one (OMB-5.10)."""
    if state.phase == "trump":
        return miss_trump(state, version, event.seat)
    exchange = state.exchange
    if state.phase != "exchange" or exchange is None or event.seat != exchange.right or not exchange.may_yield():
        is_early = (
            exchange is not None
            and event.seat == exchange.right
            and exchange.yield_open
            and len(exchange.due) == ACTIVE
        )
        return (violation("illegal_yield", "OMB-5.11" if is_early else "OMB-5.10", version, event.seat),)
    exchange.give_way()
    return NOTHING


def exchange_cards(state: OmbreState, event: CardsExchanged, version: int) -> Violations:
    """Exchange cards. An impossible exchange halts the deal (OMB-11.25 to 11.28)."""
    seat, exchange = event.seat, state.exchange
    if state.phase == "trump":
        return miss_trump(state, version, seat)
    if state.phase != "exchange" or exchange is None or seat not in exchange.due:
        rule = "OMB-5.9" if seat == state.ombre and state.contract == "solo" else "OMB-5.15"
        return (violation("exchange_not_entitled", rule, version, seat),)
    holdings, stock, count, aside = state.holdings, state.stock, event.count, event.discarded
    limit = exchange.limit(len(stock))
    is_in_order = seat == exchange.due[0]
    if (
        is_in_order
        and aside is not None
        and event.drawn is None
        and len(aside) == count <= limit
        and holdings.exchange(seat, aside, stock[:count])
    ):
        state.end_exchange_of(seat, stock[count:])
        return NOTHING
    violations: list[Violation] = []
    if not is_in_order:
        violations.append(violation("exchange_out_of_order", "OMB-5.8", version, seat, due=exchange.turn))
    fault = _exchange_fault(event, limit, holdings, stock)
    if fault is not None and not violations:  # an exchange out of order is reported only as that
        violations.append(violation(fault.name, fault.rule, version, seat, **fault.values))
    if fault is not None and fault.halts:
        state.halt()
    else:
        state.end_exchange_of(seat, _carry_out(event, holdings, stock))
    return violations


def miss_exchanges(state: OmbreState, version: int) -> Violations:
    """Begin the play without the missing exchanges, which are forfeited (OMB-11.29)."""
    exchange = state.exchange
    assert exchange is not None
    violations = [violation("exchange_missing", "OMB-5.15", version, due, due=due) for due in exchange.due]
    exchange.forgo()
    state.begin_play()
    return violations


class _Fault(NamedTuple):
    """A faulty exchange (OMB-11.26 to 11.28). `halts`: the deal cannot continue."""

    name: str
    rule: str
    values: dict[str, Any]
    halts: bool


def _exchange_fault(event: CardsExchanged, limit: int, holdings: Holdings, stock: Cards) -> _Fault | None:
    """Return the first of OMB-11.26 to 11.28 that applies."""
    wrong = _not_held(event, holdings)
    if wrong:
        return _Fault("discard_not_held", "OMB-5.12", {"cards": wrong}, halts=True)
    left, count = len(stock), event.count
    if count > limit:
        rule = "OMB-5.14" if limit < min(HAND, left) else "OMB-5.13"
        cannot_be = count > left or count > holdings.size(event.seat)
        return _Fault("exchange_too_many", rule, {"count": count, "limit": limit}, cannot_be)
    if event.drawn is not None and not _may_be_drawn(event.drawn, holdings, stock):
        return _Fault("draw_mismatch", "OMB-5.12", {"cards": list(event.drawn)}, halts=True)
    return None


def _not_held(event: CardsExchanged, holdings: Holdings) -> list[str]:
    """Return the discards that the seat cannot have held or that are listed twice."""
    seat = event.seat
    known = [card for card in event.discarded or () if card != UNKNOWN]
    wrong = [card for card in known if not holdings.may_hold(seat, BIT[card])]
    not_seen = [card for card in known if not holdings.known[seat] & BIT[card]]
    if not wrong and len(not_seen) > holdings.hidden[seat]:
        return not_seen
    return wrong or sorted(card for card in set(known) if known.count(card) > 1)


def _may_be_drawn(drawn: Sequence[str], holdings: Holdings, stock: Cards) -> bool:
    """Return whether these can be the top cards of the stock, as far as it is known."""
    known = [card for card in drawn if card != UNKNOWN]
    if len(set(known)) != len(known):
        return False
    for card, of_stock in zip(drawn, stock, strict=False):
        if UNKNOWN not in (card, of_stock) and card != of_stock:
            return False
        if of_stock == UNKNOWN and card != UNKNOWN and holdings.placed & BIT[card]:
            return False
    return True


def _carry_out(event: CardsExchanged, holdings: Holdings, stock: Cards) -> Cards:
    """Move the cards, known or not, and return the rest of the stock."""
    seat, count = event.seat, event.count
    if event.discarded is None:
        holdings.remove_hidden(seat, count)
    for card in event.discarded or ():
        if card == UNKNOWN:
            holdings.remove_unknown(seat, 1)
        else:
            holdings.remove(seat, BIT[card])
    top = stock[:count]
    if event.drawn is not None and UNKNOWN in top:
        top = tuple([drawn if card == UNKNOWN else card for card, drawn in zip(top, event.drawn, strict=True)])
    holdings.give(seat, top)
    return stock[count:]


_OUTSIDE_PLAY: Final = {
    "stop": ("illegal_stop", "OMB-6.19"),
    "surrender": ("illegal_surrender", "OMB-6.23"),
    "defend": ("illegal_defence", "OMB-6.26"),
    "decline_defence": ("illegal_defence", "OMB-6.26"),
    "throw_in": ("illegal_throw_in", "OMB-6.33"),
}


def play_card(state: OmbreState, event: CardPlayed, version: int) -> Violations:
    """Play a card. The first one may come before the exchanges are complete, others after the end."""
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
    """Record who gathered the trick (OMB-6.14)."""
    if state.play is None:
        return (violation("wrong_gather", "OMB-6.14", version, event.seat, winner=None),)
    return state.play.gather(event, version)


def announce(state: OmbreState, event: Announced, version: int) -> Violations:
    """Apply an announcement: a yield, a stop, a surrender, its answer, or throwing in."""
    assert event.seat is not None
    if event.what == "yield_exchange":
        return yield_exchange(state, event, version)
    if state.play is None or state.phase != "play":
        name, rule = _OUTSIDE_PLAY[event.what]
        return (violation(name, rule, version, event.seat),)
    return state.play.announce(event.what, event.seat, version)


def record_result(state: OmbreState, event: ResultRecorded, version: int) -> Violations:
    """Record a result written down in place of cards and calls (OMB section 7)."""
    if state.status != "voided":
        outcome = msgspec.convert(event.outcome, OmbreOutcome)
        state.record(checked_outcome(outcome, state.seats, state.dealer))
    return NOTHING


def claim(state: OmbreState, event: ScoreClaimed, version: int) -> Violations:
    """Halt an unfinished deal when its score sheet comes (OMB-11.43). The match compares the amounts."""
    settle_forced(state)
    if state.status != "open":
        return NOTHING
    is_defence_due = state.play is not None and bool(state.play.pending_defenders)
    state.halt()
    name, rule = ("defence_unanswered", "OMB-6.26") if is_defence_due else ("incomplete_play", "OMB-6.16")
    return (violation(name, rule, version),)
