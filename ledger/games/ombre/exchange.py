"""The exchange with the stock in one Ombre deal: who, in which order, how many, which cards (OMB-5.8 to 5.19)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from mypy_extensions import mypyc_attr

from ledger.cards import BIT, UNKNOWN, mask_of_distinct
from ledger.events import CardsExchanged
from ledger.games.kernel.holdings import Holdings
from ledger.games.ombre.pack import ACTIVE, HAND, Cards


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Exchange:
    """Whose exchange is due. `due` holds the entitled seats that have not exchanged, in order (OMB-5.8, 5.9)."""

    __slots__ = ("due", "first_max", "is_first_of_solo", "left", "right", "yield_open")

    def __init__(self, ombre: int, right: int, left: int, is_solo: bool, solo_first_max: int, may_yield: bool) -> None:
        self.right, self.left = right, left
        self.due = [right, left] if is_solo else [ombre, right, left]
        self.first_max = solo_first_max
        self.is_first_of_solo = is_solo
        self.yield_open = may_yield

    def copy(self) -> Exchange:
        twin = Exchange.__new__(Exchange)
        twin.right, twin.left, twin.due, twin.first_max = self.right, self.left, self.due[:], self.first_max
        twin.is_first_of_solo, twin.yield_open = self.is_first_of_solo, self.yield_open
        return twin

    @property
    def turn(self) -> int | None:
        return self.due[0] if self.due else None

    def limit(self, stock_left: int) -> int:
        """The most cards that the next exchange may have (OMB-5.13, 5.14)."""
        most = min(HAND, stock_left)
        return min(most, self.first_max) if self.is_first_of_solo else most

    def may_yield(self) -> bool:
        """Whether the right neighbour may let the left one exchange first (OMB-5.10, 5.11)."""
        return self.yield_open and self.due == [self.right, self.left]

    def may_yield_later(self) -> bool:
        """Whether only the Ombre's exchange has to come first (OMB-5.11)."""
        return self.yield_open and len(self.due) == ACTIVE

    def give_way(self) -> None:
        self.due.reverse()
        self.yield_open = False

    def done(self, seat: int) -> None:
        self.due.remove(seat)
        self.is_first_of_solo = False


class ExchangeFault(NamedTuple):
    """One of OMB-11.26 to 11.28; after a fatal one the deal cannot be carried on."""

    name: str
    rule: str
    values: dict[str, Any]
    is_fatal: bool


def exchange_plainly(event: CardsExchanged, limit: int, holdings: Holdings, stock: Cards) -> Cards | None:
    """Carries out an exchange with which nothing is wrong and in which every card is known; answers what is left.

    Otherwise changes nothing and answers null.
    """
    seat, count, discarded = event.seat, event.count, event.discarded
    if discarded is None or len(discarded) != count or event.drawn is not None or count > limit:
        return None
    try:
        aside = mask_of_distinct(discarded)
        drawn = mask_of_distinct(stock[:count])
    except KeyError:
        return None
    hand = holdings.known[seat]
    if aside & ~hand:
        return None
    holdings.known[seat] = hand ^ aside | drawn
    return stock[count:]


def exchange_fault(event: CardsExchanged, limit: int, holdings: Holdings, stock: Cards) -> ExchangeFault | None:
    """The first of OMB-11.26 to 11.28 that fits."""
    wrong = _not_held(event, holdings)
    if wrong:
        return ExchangeFault("discard_not_held", "OMB-5.12", {"cards": wrong}, is_fatal=True)
    left, count = len(stock), event.count
    if count > limit:
        rule = "OMB-5.14" if limit < min(HAND, left) else "OMB-5.13"
        cannot_be = count > left or count > holdings.size(event.seat)
        return ExchangeFault("exchange_too_many", rule, {"count": count, "limit": limit}, cannot_be)
    if event.drawn is not None and not _may_be_drawn(event.drawn, holdings, stock):
        return ExchangeFault("draw_mismatch", "OMB-5.12", {"cards": list(event.drawn)}, is_fatal=True)
    return None


def _not_held(event: CardsExchanged, holdings: Holdings) -> list[str]:
    """The cards put aside that the seat cannot have held, or that are listed twice."""
    seat = event.seat
    known = [card for card in event.discarded or () if card != UNKNOWN]
    wrong = [card for card in known if not holdings.may_hold(seat, BIT[card])]
    not_seen = [card for card in known if not holdings.known[seat] & BIT[card]]
    if not wrong and len(not_seen) > holdings.hidden[seat]:
        return not_seen
    return wrong or sorted(card for card in set(known) if known.count(card) > 1)


def _may_be_drawn(drawn: Sequence[str], holdings: Holdings, stock: Cards) -> bool:
    """Whether these can be the top cards of the stock, as far as the stock is known."""
    known = [card for card in drawn if card != UNKNOWN]
    if len(set(known)) != len(known):
        return False
    for card, of_stock in zip(drawn, stock, strict=False):
        if UNKNOWN not in (card, of_stock) and card != of_stock:
            return False
        if of_stock == UNKNOWN and card != UNKNOWN and holdings.placed & BIT[card]:
            return False
    return True


def carry_out(event: CardsExchanged, holdings: Holdings, stock: Cards) -> Cards:
    """Moves the cards, known or not, and answers what is left of the stock."""
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
        top = tuple([told if card == UNKNOWN else card for card, told in zip(top, event.drawn, strict=True)])
    holdings.give(seat, top)
    return stock[count:]
