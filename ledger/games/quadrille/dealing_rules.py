"""The cards as dealt: hands from the dealing order, and what is wrong with them (QUA-3.8 to 3.11, 11.9 to 11.11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ledger.cards import UNKNOWN
from ledger.events import CardsDealt
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.holdings import masks_if_plain, repeated_cards
from ledger.games.kernel.matadors import PACK_MASK
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.quadrille.irregularities import violation
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.games.quadrille.pack import HAND, PACK_SIZE, SEATS
from ledger.games.quadrille.state import QuadrilleState

Hands: TypeAlias = Sequence[Sequence[str] | None]


def deal_cards(state: QuadrilleState, event: CardsDealt, version: int) -> Violations:
    """The deal: the hands, as far as they are told, and what is wrong with them."""
    if _deal_in_full(state, event):
        state.phase = "auction"
        return NOTHING
    hands = hands_of(event, state.dealer, state.options)
    faults = deal_faults(event, hands, state.dealer, state.options, version)
    if any(fault.severity == "error" for fault in faults):
        state.halt()
        return faults
    holdings = state.holdings
    for seat, hand in enumerate(hands):
        if hand is None:
            holdings.give_hidden(seat, HAND)
        else:
            holdings.give(seat, hand)
    state.dealt.masks[:] = holdings.known
    state.phase = "auction"
    return faults


def deal_again(state: QuadrilleState, event: CardsDealt, version: int) -> Violations:
    """Cards dealt a second time in one deal leave no forty different cards (QUA-11.9)."""
    if state.status != "open":
        return NOTHING
    state.halt()
    return (violation("bad_pack", "QUA-2.4", version, found="again"),)


def deal_unseen(state: QuadrilleState) -> None:
    """The cards have been dealt, but nobody wrote down which: often a club tells only the calls and the play."""
    for seat in range(SEATS):
        state.holdings.give_hidden(seat, HAND)
    state.phase = "auction"


def _deal_in_full(state: QuadrilleState, event: CardsDealt) -> bool:
    """Deals out a pack that is known to the last card; otherwise changes nothing."""
    if event.deck is not None or event.stock:
        return False
    masks = masks_if_plain(event.hands, HAND, (), PACK_MASK)
    if masks is None:
        return False
    state.holdings.deal_out(masks)
    state.dealt.masks[:] = masks
    return True


def packets(deck: Sequence[str], dealer: int, options: QuadrilleOptions) -> list[tuple[str, ...]]:
    """The hands that this dealing order gives (QUA-3.8, 3.9)."""
    hands: list[tuple[str, ...]] = [()] * SEATS
    start = 0
    for size in map(int, options.deal_packets.split("-")):
        for step in range(1, SEATS + 1):
            hands[(dealer + step) % SEATS] += tuple(deck[start : start + size])
            start += size
    return hands


def hands_of(event: CardsDealt, dealer: int, options: QuadrilleOptions) -> Hands:
    """The hands; where only the dealing order is recorded they follow from it."""
    if event.deck is None or len(event.deck) != PACK_SIZE or any(hand is not None for hand in event.hands):
        return event.hands
    return packets(event.deck, dealer, options)


def deal_faults(
    event: CardsDealt, hands: Hands, dealer: int, options: QuadrilleOptions, version: int
) -> list[Violation]:
    """QUA-11.9, else 11.10 for each wrong hand, else 11.11."""
    twice = repeated_cards(hands)
    if twice:
        return [violation("bad_pack", "QUA-2.4", version, found="repeated", cards=twice)]
    count = sum(len(hand) for hand in hands if hand is not None)
    if event.stock or (None not in hands and count != PACK_SIZE):
        return [violation("bad_pack", "QUA-2.4", version, found="count", count=count)]
    wrong_sizes = [(seat, len(hand)) for seat, hand in enumerate(hands) if hand is not None and len(hand) != HAND]
    if wrong_sizes:
        return [violation("wrong_hand_size", "QUA-3.8", version, seat, count=size) for seat, size in wrong_sizes]
    if event.deck is not None and hands is event.hands and not _gives(event.deck, hands, dealer, options):
        return [violation("wrong_packets", "QUA-3.9", version, packets=options.deal_packets)]
    return []


def _gives(deck: Sequence[str], hands: Hands, dealer: int, options: QuadrilleOptions) -> bool:
    """Whether this dealing order can have given these hands, as far as either is known."""
    if len(deck) != PACK_SIZE or repeated_cards([deck]):
        return False
    for hand, dealt in zip(hands, packets(deck, dealer, options), strict=True):
        if hand is None:
            continue
        shown, told = {*hand} - {UNKNOWN}, {*dealt} - {UNKNOWN}
        if len(shown - told) > dealt.count(UNKNOWN) or len(told - shown) > hand.count(UNKNOWN):
            return False
    return True
