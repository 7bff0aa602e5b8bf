"""What dealt cards make of a deal, also those written down late or not at all (KOP section 3, 11.6)."""

from __future__ import annotations

from ledger.events import CardsDealt
from ledger.games.kernel.holdings import masks_if_plain
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.kop.dealing import dealing_faults, dealt_hands
from ledger.games.kop.irregularities import violation
from ledger.games.kop.pack import HAND, PACK_MASK
from ledger.games.kop.state import KopState


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
