"""The deal, which may be recorded late or not at all, and the calls: their effects and violations (KOP-3, 4, 11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from ledger.cards import UNKNOWN
from ledger.events import Announced, BidMade, CardsDealt
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.holdings import masks_if_plain, repeated_cards
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.kop.auction import PASS
from ledger.games.kop.irregularities import violation
from ledger.games.kop.pack import HAND, PACK, PACK_MASK, SEATS, cutter, scheme_of
from ledger.games.kop.state import KopState

HandAsDealt: TypeAlias = Sequence[str] | None


def hand_of_deck(deck: Sequence[str], dealer: int, seat: int) -> tuple[str, ...]:
    """Return the cards that the dealing order gives to a seat (KOP-3.5)."""
    return tuple(deck[(seat - dealer - 1) % SEATS :: SEATS])


def dealt_hands(event: CardsDealt, dealer: int) -> list[HandAsDealt]:
    """Return the hands as recorded; unknown ones follow from the order of the pack."""
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
    """Return whether these cannot be the same cards, whatever the unknown ones are."""
    one, two = Counter(hand), Counter(other)
    only_one, only_two = one - two, two - one
    del only_one[UNKNOWN], only_two[UNKNOWN]
    return len(hand) != len(other) or only_one.total() > two[UNKNOWN] or only_two.total() > one[UNKNOWN]


def dealing_faults(event: CardsDealt, dealer: int, version: int) -> tuple[list[Violation], bool]:
    """Return the violations of the cards dealt, and whether they make the deal void (KOP-11.6)."""
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
    """Deal four hands that were not recorded."""
    state.hands.hide_all()
    state.begin_auction()


def deal_cards(state: KopState, event: CardsDealt, version: int) -> Violations:
    """Deal the recorded hands and return the violations; the hands may come after calls or plays."""
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
    """Deal hands that were recorded after calls or plays; what they show is judged in hindsight.

    A second deal of cards breaks KOP-11.10: not every card is there exactly once.
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


def make_call(state: KopState, event: BidMade, version: int) -> Violations:
    """Make a call and return the violations; an inadmissible one counts as a pass (KOP-11.2, 11.4)."""
    auction, seat, call = state.auction, event.seat, event.call
    turn = auction.turn
    if auction.is_over:
        is_led = state.play is not None and state.play.cards
        rule = "KOP-6.14" if is_led or state.recorded is not None else auction.rule_of_end()
        return (violation("call_after_end", rule, version, seat, call=call),)  # KOP-11.4
    if not auction.is_free and (turn is None or seat != turn):
        return (violation("call_out_of_turn", "KOP-4.20", version, seat, call=call, due=turn),)  # KOP-11.4
    violations: Violations = NOTHING
    fault = auction.fault(seat, call)
    if fault is not None:
        legal = tuple(auction.admissible(seat))
        violations = (violation(fault.name, fault.rule, version, seat, legal, call=call, standing=auction.contract),)
        if auction.is_free:
            return violations  # KOP-11.2
        is_over = auction.take(seat, PASS, None, version)  # KOP-11.2
    else:
        card = event.card
        if call == "wesele" and state.options.announce_wesele_jack and auction.jack_is_wrong(seat, card):
            violations = (violation("wrong_jack", "KOP-5.7", version, seat, auction.jacks_due(seat), card=card),)
        is_over = auction.take(seat, call, card, version)
    return [*violations, *end_auction(state)] if is_over else violations


def end_auction(state: KopState) -> list[Violation]:
    """Begin the play, or win it at once (KOP-6.16); return void doublings, now that the contract is final."""
    auction = state.auction
    auction.end()
    violations = []
    for place, is_effective in enumerate(auction.effects()):
        if is_effective is False:
            seat, version = auction.doublings[place]
            violations.append(violation("own_side_doubled", "KOP-4.29", version, seat))
    if auction.contract == "baska":
        state.win_unplayed()
    else:
        state.begin_play(scheme_of(auction.contract, state.options.new_trumps))
    return violations


def ask(state: KopState, event: Announced, version: int) -> Violations:
    """Announce `ask` (KOP-4.36) and return the violations."""
    violations = _speaking_faults(state, event, version, "KOP-4.36")
    if not violations:
        state.auction.ask()
    return violations


def close_auction(state: KopState, event: Announced, version: int) -> Violations:
    """Announce `close_auction` (KOP-4.37) and return the violations."""
    return _speaking_faults(state, event, version, "KOP-4.37") or end_auction(state)


def _speaking_faults(state: KopState, event: Announced, version: int, rule: str) -> Violations:
    """Return the fault of an announcement that only the leader makes, in the free auction and before its end."""
    if not state.auction.is_free or event.seat != state.leader:
        return (violation("unknown_call", rule, version, event.seat, call=event.what),)
    if state.auction.is_over:
        return (violation("call_after_end", "KOP-6.14", version, event.seat, call=event.what),)
    return NOTHING
