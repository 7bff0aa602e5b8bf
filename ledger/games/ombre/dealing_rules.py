"""The cards as dealt: hands and stock, whether they can be right, and who holds what from then on (OMB section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ledger.cards import UNKNOWN, mask_of_known
from ledger.events import CardsDealt
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.holdings import Holdings, masks_if_plain, repeated_cards
from ledger.games.kernel.matadors import PACK_MASK
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.ombre.irregularities import violation
from ledger.games.ombre.pack import ACTIVE, HAND, PACK_SIZE, PACKET, STOCK, UNKNOWN_STOCK, Cards
from ledger.games.ombre.state import OmbreState

Hands: TypeAlias = tuple[Cards | None, ...]


def deal_cards(state: OmbreState, event: CardsDealt, version: int) -> Violations:
    """The cards are dealt; from a pack that cannot be right nothing is played (OMB-11.10)."""
    holdings, active = state.holdings, state.active
    hands, stock = _hands_and_stock(event, active)
    if event.deck is not None or not _deal_in_full(holdings, hands, stock, active):
        faults = _deal_faults(hands, stock, event.deck, active, version)
        if faults:
            state.halt()
            return faults
        holdings.place(mask_of_known(stock or ()))
        for seat in active:
            holdings.give(seat, hands[seat] or (UNKNOWN,) * HAND)
    state.begin_auction(stock or UNKNOWN_STOCK)
    return NOTHING


def deal_unseen(state: OmbreState) -> None:
    """Nobody has written down the cards: a club often keeps only the calls and the play."""
    for seat in state.active:
        state.holdings.give_hidden(seat, HAND)
    state.begin_auction(UNKNOWN_STOCK)


def deal_again(state: OmbreState, event: CardsDealt, version: int) -> Violations:
    """Cards dealt a second time in one deal leave no 40 different cards (OMB-11.10)."""
    if state.status != "open":
        return NOTHING
    state.halt()
    return (violation("bad_deal", "OMB-3.6", version, found="again", count=len(event.hands)),)


def _hands_and_stock(event: CardsDealt, active: Sequence[int]) -> tuple[Hands, Cards | None]:
    """Hands and stock; where only the dealing order is recorded they follow from it (OMB-3.6 to 3.9)."""
    deck = event.deck
    if deck is None or len(deck) != PACK_SIZE or any(event.hands[seat] for seat in active):
        return event.hands, event.stock
    hands: list[Cards | None] = list(event.hands)
    for place, seat in enumerate(active):
        packets = range(PACKET * place, ACTIVE * HAND, ACTIVE * PACKET)
        hands[seat] = tuple([card for start in packets for card in deck[start : start + PACKET]])
    return tuple(hands), event.stock if event.stock is not None else deck[ACTIVE * HAND :]


def _deal_in_full(holdings: Holdings, hands: Hands, stock: Cards | None, active: tuple[int, ...]) -> bool:
    """Deals out a pack that is known to the last card; otherwise changes nothing."""
    known = None if stock is None or len(stock) != STOCK else masks_if_plain(hands, HAND, stock, PACK_MASK)
    if known is None:
        return False
    for seat in active:
        if not known[seat]:
            return False  # somebody who sits out has the cards
    holdings.deal_out(known)
    return True


def _deal_faults(
    hands: Hands, stock: Cards | None, deck: Cards | None, active: Sequence[int], version: int
) -> list[Violation]:
    """OMB-11.10: one finding per wrong hand, one for a wrong stock and dealing order, else one for repeated cards."""
    faults: list[Violation] = []
    for seat, hand in enumerate(hands):
        if seat not in active and hand:
            faults.append(violation("bad_deal", "OMB-3.6", version, seat, found="inactive", count=len(hand)))
        elif seat in active and hand is not None and len(hand) != HAND:
            faults.append(violation("bad_deal", "OMB-3.7", version, seat, found="hand", count=len(hand)))
    if stock is not None and len(stock) != STOCK:
        faults.append(violation("bad_deal", "OMB-3.8", version, found="stock", count=len(stock)))
    if deck is not None and len(deck) != PACK_SIZE:
        faults.append(violation("bad_deal", "OMB-2.13", version, found="deck", count=len(deck)))
    twice = repeated_cards([*hands, stock]) or repeated_cards([deck])
    if twice and not faults:
        faults.append(violation("bad_deal", "OMB-2.13", version, found="repeated", count=len(twice), cards=twice))
    return faults
