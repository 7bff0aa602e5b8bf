"""The rules of a Quadrille deal before the call: dealing, the auction, trumps (QUA-3 to 5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, cast

from ledger.cards import UNKNOWN
from ledger.events import Announced, BidMade, CardsDealt, TrumpNamed
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.holdings import masks_if_plain, repeated_cards
from ledger.games.kernel.matadors import PACK_MASK
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.quadrille.irregularities import violation
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.games.quadrille.pack import HAND, PACK_SIZE, SEATS, SPADILLE_BIT, WITH_PARTNER
from ledger.games.quadrille.state import QuadrilleState

Hands: TypeAlias = Sequence[Sequence[str] | None]


def deal_cards(state: QuadrilleState, event: CardsDealt, version: int) -> Violations:
    """Deal the hands, as far as they are recorded, and return the faults of the deal."""
    if _deal_in_full(state, event):
        state.begin_auction()
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
    state.dealt.take_over(holdings.known)
    state.begin_auction()
    return faults


def deal_again(state: QuadrilleState, event: CardsDealt, version: int) -> Violations:
    """Halt a deal in which cards are dealt a second time (QUA-11.9)."""
    if state.status != "open":
        return NOTHING
    state.halt()
    return (violation("bad_pack", "QUA-2.4", version, found="again"),)


def deal_unseen(state: QuadrilleState) -> None:
    """Deal unknown cards: a club often records only the calls and the play."""
    for seat in range(SEATS):
        state.holdings.give_hidden(seat, HAND)
    state.begin_auction()


def _deal_in_full(state: QuadrilleState, event: CardsDealt) -> bool:
    """Deal a completely known pack and return whether this was possible; otherwise change nothing."""
    if event.deck is not None or event.stock:
        return False
    masks = masks_if_plain(event.hands, HAND, (), PACK_MASK)
    if masks is None:
        return False
    state.holdings.deal_out(masks)
    state.dealt.take_over(masks)
    return True


def packets(deck: Sequence[str], dealer: int, options: QuadrilleOptions) -> list[tuple[str, ...]]:
    """Return the hands that this dealing order gives (QUA-3.8, 3.9)."""
    hands: list[tuple[str, ...]] = [()] * SEATS
    start = 0
    for size in map(int, options.deal_packets.split("-")):
        for step in range(1, SEATS + 1):
            hands[(dealer + step) % SEATS] += tuple(deck[start : start + size])
            start += size
    return hands


def hands_of(event: CardsDealt, dealer: int, options: QuadrilleOptions) -> Hands:
    """Return the hands, derived from the dealing order if only that was recorded."""
    if event.deck is None or len(event.deck) != PACK_SIZE or any(hand is not None for hand in event.hands):
        return event.hands
    return packets(event.deck, dealer, options)


def deal_faults(
    event: CardsDealt, hands: Hands, dealer: int, options: QuadrilleOptions, version: int
) -> list[Violation]:
    """Return the faults of a deal: QUA-11.9, or else 11.10 for each wrong hand, or else 11.11."""
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
    """Return whether this dealing order can have given these hands, as far as both are known."""
    if len(deck) != PACK_SIZE or repeated_cards([deck]):
        return False
    for hand, dealt in zip(hands, packets(deck, dealer, options), strict=True):
        if hand is None:
            continue
        in_hand, in_packets = {*hand} - {UNKNOWN}, {*dealt} - {UNKNOWN}
        if len(in_hand - in_packets) > dealt.count(UNKNOWN) or len(in_packets - in_hand) > hand.count(UNKNOWN):
            return False
    return True


def bid(state: QuadrilleState, event: BidMade, version: int) -> Violations:
    """Apply a call (QUA-4.7 to 4.13); a void call changes nothing."""
    auction, seat, call = state.auction, event.seat, event.call
    if state.phase != "auction":
        return (violation("bid_after_end", "QUA-4.13", version, seat, call=call),)
    if seat in auction.passed:
        return (violation("bid_after_pass", "QUA-4.8", version, seat, call=call),)
    if seat != auction.turn:
        return (violation("bid_out_of_turn", "QUA-4.7", version, seat, call=call, due=auction.turn),)
    if not auction.is_allowed(seat, call):
        rule = "QUA-4.11" if auction.yields_to_bidder(seat) else "QUA-4.12"
        legal = tuple(auction.legal())
        return (violation("insufficient_bid", rule, version, seat, legal, call=call, standing=auction.high_bid),)
    if auction.take(seat, call):
        _end_auction(state)
    return NOTHING


def _end_auction(state: QuadrilleState) -> None:
    auction = state.auction
    if auction.high_bid is not None:
        state.begin_trump(auction.bidder, auction.high_bid)  # QUA-4.13
    elif state.options.all_pass == "throw_in":
        state.end()  # QUA-4.17
    else:
        holders = state.dealt.holders(SPADILLE_BIT)
        state.begin_trump(holders[0] if len(holders) == 1 else None, "forced")  # QUA-4.15


def leave_auction_open(state: QuadrilleState, seat: int | None, version: int) -> Violations:
    """Halt a deal in which play goes on before the bidding is over (QUA-11.16)."""
    state.halt()
    return (violation("bidding_incomplete", "QUA-4.13", version, seat),)


def may_be_forced(state: QuadrilleState, seat: int) -> bool:
    """Return whether SA may make this seat the Ombre, as far as the record shows (QUA-4.15)."""
    return seat in state.dealt.holders(SPADILLE_BIT)


def _believe_forced(state: QuadrilleState, seat: int) -> None:
    """Take the seat as dealt SA, as its act shows."""
    if state.ombre is None and state.contract == "forced" and may_be_forced(state, seat):
        state.make_forced(seat)
        state.holdings.remove(seat, SPADILLE_BIT)
        state.holdings.give_known(seat, SPADILLE_BIT)


def show_spadille(state: QuadrilleState, event: Announced, version: int) -> Violations:
    """Apply `show_spadille`, by which the forced Ombre becomes known (QUA-4.16)."""
    seat = cast(int, event.seat)
    if state.phase == "auction":
        return leave_auction_open(state, seat, version)
    if state.contract != "forced":
        return (violation("false_spadille", "QUA-4.15", version, seat),)
    _believe_forced(state, seat)
    if seat != state.ombre or not state.holdings.may_hold(seat, SPADILLE_BIT):
        return (violation("false_spadille", "QUA-4.16", version, seat),)
    state.show_spadille()
    return NOTHING


def name_trump(state: QuadrilleState, event: TrumpNamed, version: int) -> Violations:
    """Name trumps; next, a card is called or the play begins."""
    seat, suit = event.seat, event.suit
    if state.phase == "trump":
        _believe_forced(state, seat)
    if seat != state.ombre or state.phase in ("deal", "voided"):
        return (violation("wrong_trump_namer", "QUA-5.1", version, seat, suit=suit, due=state.ombre),)
    if state.phase != "trump":
        return (violation("trump_renamed", "QUA-5.2", version, seat, suit=suit, trump=state.trump),)
    state.begin_call(suit)
    if state.contract not in WITH_PARTNER:
        state.begin_play(None)  # QUA-5.3
    if state.contract == "forced" and not state.is_spadille_shown:
        return (violation("spadille_not_shown", "QUA-4.16", version, seat),)
    return NOTHING


def miss_trump(state: QuadrilleState, seat: int, version: int) -> Violations:
    """Halt a deal in which a card is called or played before trumps are named (QUA-11.21)."""
    state.halt()
    return (violation("trump_missing", "QUA-5.1", version, seat),)
