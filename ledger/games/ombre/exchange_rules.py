"""What an exchange with the stock does in one Ombre deal, and what it breaks (OMB-5.8 to 5.19)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.events import Announced, CardsExchanged
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.ombre.exchange import carry_out, exchange_fault, exchange_plainly
from ledger.games.ombre.irregularities import violation
from ledger.games.ombre.pack import Cards
from ledger.games.ombre.trump_rules import miss_trump

if TYPE_CHECKING:
    from ledger.games.ombre.deal import OmbreDeal


def yield_exchange(deal: OmbreDeal, event: Announced, version: int) -> Violations:
    """The right neighbour lets the left one exchange first (OMB-5.10)."""
    if deal.phase == "trump":
        return miss_trump(deal, version, event.seat)
    exchange = deal.exchange
    if deal.phase != "exchange" or exchange is None or event.seat != exchange.right or not exchange.may_yield():
        is_early = exchange is not None and event.seat == exchange.right and exchange.may_yield_later()
        return (violation("illegal_yield", "OMB-5.11" if is_early else "OMB-5.10", version, event.seat),)
    exchange.give_way()
    return NOTHING


def exchange_cards(deal: OmbreDeal, event: CardsExchanged, version: int) -> Violations:
    """An exchange; one that cannot be carried out is fatal (OMB-11.25 to 11.28)."""
    seat, exchange = event.seat, deal.exchange
    if deal.phase == "trump":
        return miss_trump(deal, version, seat)
    if deal.phase != "exchange" or exchange is None or seat not in exchange.due:
        rule = "OMB-5.9" if seat == deal.ombre and deal.contract == "solo" else "OMB-5.15"
        return (violation("exchange_not_entitled", rule, version, seat),)
    if seat == exchange.due[0]:
        left = exchange_plainly(event, exchange.limit(len(deal.stock)), deal.holdings, deal.stock)
        if left is not None:
            return _end_exchange_of(deal, seat, left, NOTHING)
    found = []
    if seat != exchange.turn:
        found.append(violation("exchange_out_of_order", "OMB-5.8", version, seat, due=exchange.turn))
    fault = exchange_fault(event, exchange.limit(len(deal.stock)), deal.holdings, deal.stock)
    if fault is not None and not found:
        if fault.is_fatal:
            return deal.fatal(fault.name, fault.rule, version, seat, **fault.values)
        found.append(violation(fault.name, fault.rule, version, seat, **fault.values))
    elif fault is not None and fault.is_fatal:
        deal.status = deal.phase = "unscorable"  # cannot be carried out, though only its order is reported
        return found
    return _end_exchange_of(deal, seat, carry_out(event, deal.holdings, deal.stock), found)


def _end_exchange_of(deal: OmbreDeal, seat: int, stock: Cards, found: Violations) -> Violations:
    assert deal.exchange is not None
    deal.stock = stock
    deal.exchange.done(seat)
    if not deal.exchange.due:
        deal.begin_play()
    return found
