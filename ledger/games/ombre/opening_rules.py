"""What comes before the exchange in one Ombre deal, and what it breaks: cards dealt, calls, trumps (OMB-3 to 5.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ledger.cards import BIT, UNKNOWN, mask_of_known
from ledger.events import BidMade, CardsDealt, CardTurned, TrumpNamed
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.holdings import Holdings, masks_if_plain, repeated_cards
from ledger.games.kernel.matadors import PACK_MASK, PASS
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.ombre.irregularities import violation
from ledger.games.ombre.pack import ACTIVE, HAND, PACK_SIZE, PACKET, SPADILLE, STOCK, UNKNOWN_STOCK, Cards
from ledger.games.ombre.state import CONTRACTS, OmbreState

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


def bid(state: OmbreState, event: BidMade, version: int) -> Violations:
    """A call (OMB-4.1 to 4.16); a void one changes nothing."""
    auction, seat, call = state.auction, event.seat, event.call
    if auction.owed_pass is not None and seat != auction.owed_pass:
        settle_owed_pass(state)  # OMB-11.16
    if auction.turn is None or state.phase != "auction":
        return (violation("call_after_end", "OMB-4.16", version, seat, call=call),)
    if seat in auction.passed:
        return (violation("call_after_pass", "OMB-4.9", version, seat, call=call),)
    if seat != auction.turn:
        rule = "OMB-4.8" if seat in state.active else "OMB-2.7"
        return (violation("call_out_of_turn", rule, version, seat, call=call, due=auction.turn),)
    if not auction.is_allowed(seat, call):
        auction.owe_pass(seat)
        rule = "OMB-4.15" if call in auction.ranks else "OMB-4.2"
        legal = tuple(auction.legal())
        return (violation("illegal_call", rule, version, seat, legal, call=call, standing=auction.high_bid),)
    if auction.take(seat, call):
        _end_auction(state)
    return NOTHING


def halt_auction(state: OmbreState, version: int, seat: int | None) -> Violations:
    """Something else comes before the auction is over (OMB-11.17)."""
    state.halt()
    return (violation("auction_unfinished", "OMB-4.16", version, seat),)


def settle_owed_pass(state: OmbreState) -> None:
    """Who made an illegal call and nothing else afterwards has passed (OMB-11.16)."""
    owed_pass = state.auction.owed_pass
    if owed_pass is not None and state.auction.take(owed_pass, PASS):
        _end_auction(state)


def _end_auction(state: OmbreState) -> None:
    auction = state.auction
    if not auction.all_passed:
        assert auction.high_bid is not None
        state.begin_trump(auction.bidder, CONTRACTS[auction.high_bid])
    elif state.options.all_pass == "redeal":
        state.pass_out()  # OMB-4.20
    else:
        _force_spadille(state)


def _force_spadille(state: OmbreState) -> None:
    """The seat that was dealt SA becomes Ombre (OMB-4.21); if SA is in the stock the deal is passed out (4.22)."""
    able = seats_with_spadille(state)
    if not able:
        state.pass_out()
        return
    state.begin_trump(None, "entrada")
    is_dealt = state.holdings.known[able[0]] & SPADILLE or UNKNOWN not in state.stock
    if len(able) == 1 and is_dealt:
        state.force(able[0])


def seats_with_spadille(state: OmbreState) -> list[int]:
    """The active seats that can have been dealt SA."""
    return [seat for seat in state.active if state.holdings.may_hold(seat, SPADILLE)]


def settle_forced(state: OmbreState) -> None:
    """Left before trumps were named: nobody held SA, it lay in the stock (OMB-4.22), if it can have."""
    if state.forced_by_record and UNKNOWN in state.stock:
        state.pass_out()


def name_trump(state: OmbreState, event: TrumpNamed, version: int) -> Violations:
    """The Ombre names trumps (OMB-5.1, 5.2)."""
    seat, suit = event.seat, event.suit
    if state.phase != "trump" or state.contract == "vuelta":
        rule = "OMB-5.4" if state.contract == "vuelta" else "OMB-5.7" if state.trump else "OMB-5.1"
        return (violation("trump_not_allowed", rule, version, seat, suit=suit),)
    high_bid = state.auction.high_bid or ""
    if high_bid.endswith("_favour") and suit != state.options.favourite_suit:
        return (violation("trump_not_allowed", "OMB-5.2", version, seat, suit=suit),)
    violations: Violations = NOTHING
    if state.forced_by_record:
        state.force(_forced_seat(state, seat))
    if seat != state.ombre:
        violations = (violation("trump_by_wrong_seat", "OMB-5.1", version, seat, suit=suit, due=state.ombre),)
    if state.ombre is None:
        state.halt()  # who was forced cannot be known
    else:
        state.begin_exchange(suit)
    return violations


def _forced_seat(state: OmbreState, seat: int) -> int | None:
    """That trumps are named shows that somebody held SA (OMB-4.21): this seat, if it can have been this one."""
    able = seats_with_spadille(state)
    if seat in able:
        return seat
    return able[0] if len(able) == 1 else None


def turn_card(state: OmbreState, event: CardTurned, version: int) -> Violations:
    """The top card of the stock is turned up in a vuelta (OMB-5.4)."""
    if state.phase != "trump" or state.contract != "vuelta":
        rule = "OMB-5.7" if state.trump else "OMB-5.1"
        return (violation("trump_not_allowed", rule, version, suit=event.card[0]),)
    card, top = event.card, state.stock[0]
    violations: Violations = NOTHING
    if top not in (card, UNKNOWN) or (top == UNKNOWN and state.holdings.placed & BIT[card]):
        legal = None if top == UNKNOWN else (top,)
        violations = (violation("wrong_upcard", "OMB-5.4", version, None, legal, card=card),)
    if top == UNKNOWN:
        top = card
    state.turn_up(top)
    state.begin_exchange(top[0])  # OMB-5.4, 5.5: the printed suit, also of a black ace
    return violations


def miss_trump(state: OmbreState, version: int, seat: int | None) -> Violations:
    """An exchange, a yield or a play comes before trumps (OMB-11.19)."""
    state.halt()
    return (violation("trump_missing", "OMB-5.4" if state.contract == "vuelta" else "OMB-5.1", version, seat),)
