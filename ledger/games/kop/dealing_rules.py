"""What dealt cards make of a deal, also those told late or not at all, and break (KOP-3, 11.6, 11.10 to 11.14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from ledger.cards import UNKNOWN
from ledger.events import CardsDealt
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.holdings import masks_if_plain, repeated_cards
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.kop.irregularities import violation
from ledger.games.kop.pack import HAND, PACK, PACK_MASK, SEATS, cutter
from ledger.games.kop.state import KopState

HandAsDealt: TypeAlias = Sequence[str] | None


def hand_of_deck(deck: Sequence[str], dealer: int, seat: int) -> tuple[str, ...]:
    """The cards that the dealing order gives to a seat (KOP-3.5)."""
    return tuple(deck[(seat - dealer - 1) % SEATS :: SEATS])


def dealt_hands(event: CardsDealt, dealer: int) -> list[HandAsDealt]:
    """The hands as recorded; where they are not known, those of the dealing order."""
    deck = event.deck
    if deck is None:
        return list(event.hands)
    hands: list[HandAsDealt] = []
    for seat, hand in enumerate(event.hands):
        of_deck = hand_of_deck(deck, dealer, seat)
        is_known = hand is not None and (UNKNOWN not in hand or disagree(hand, of_deck))
        hands.append(hand if is_known else of_deck)
    return hands


def disagree(hand: Sequence[str], other: Sequence[str]) -> bool:
    """Whether these cannot be the same cards, whatever the unknown ones are."""
    one, two = Counter(hand), Counter(other)
    only_one, only_two = one - two, two - one
    del only_one[UNKNOWN], only_two[UNKNOWN]
    return len(hand) != len(other) or only_one.total() > two[UNKNOWN] or only_two.total() > one[UNKNOWN]


def dealing_faults(event: CardsDealt, dealer: int, version: int) -> tuple[list[Violation], bool]:
    """What is wrong with the cards dealt, and whether it makes the deal void (KOP-11.6)."""
    hands = dealt_hands(event, dealer)
    faults: list[Violation] = []
    twice = repeated_cards([*hands, event.stock])
    counts = [len(hand) for hand in hands if hand is not None]
    if twice:
        faults.append(violation("wrong_pack", "KOP-2.3", version, found="repeated", cards=twice))
    elif event.stock or (len(counts) == SEATS and sum(counts) != len(PACK)):
        faults.append(violation("wrong_pack", "KOP-2.3", version, found="count", count=sum(counts)))
    for seat, hand in enumerate(hands):
        if hand is not None and len(hand) != HAND:
            faults.append(violation("wrong_number", "KOP-3.4", version, seat, count=len(hand)))
    is_void = bool(faults)
    if event.deck is not None:
        for seat, hand in enumerate(event.hands):
            if hand is not None and disagree(hand, hand_of_deck(event.deck, dealer, seat)):
                faults.append(violation("deck_disagrees", "KOP-3.5", version, seat))
    if event.cut_by not in (None, cutter(dealer)):
        faults.append(violation("wrong_cut", "KOP-3.3", version, event.cut_by, due=cutter(dealer)))
    return faults, is_void


def deal_hidden(state: KopState) -> None:
    """Four hands that nobody wrote down."""
    state.hands.hide_all()
    state.begin_auction()


def deal_cards(state: KopState, event: CardsDealt, version: int) -> Violations:
    if state.phase != "deal":
        return _deal_late(state, event, version)
    hands = state.hands
    if event.deck is None and event.cut_by is None and not event.stock:
        masks = masks_if_plain(event.hands, HAND, (), PACK_MASK)
        if masks is not None:
            hands.give_all(masks)
            state.begin_auction()
            return NOTHING
    faults, is_void = dealing_faults(event, state.dealer, version)
    if is_void:
        state.annul()  # KOP-11.6
        return faults
    for seat, hand in enumerate(dealt_hands(event, state.dealer)):
        hands.give(seat, hand)
    hands.give_rest()
    state.begin_auction()
    return faults


def _deal_late(state: KopState, event: CardsDealt, version: int) -> Violations:
    """Cards written down after calls or plays were dealt before them; what they show is judged in hindsight.

    Cards dealt a second time in one deal are not each of the 16 exactly once (KOP-11.10).
    """
    if state.recorded is not None:
        return NOTHING
    if sum(type(other) is CardsDealt for _, other in state.log) > 1:
        if state.status == "complete":
            return NOTHING
        state.annul()
        return (violation("wrong_pack", "KOP-2.3", version, found="again"),)
    faults, is_void = dealing_faults(event, state.dealer, version)
    if is_void:
        state.annul()  # KOP-11.6
    else:
        state.hands.learn(dealt_hands(event, state.dealer), [other for _, other in state.log])
    return faults
