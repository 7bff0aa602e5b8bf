"""The rules of an Ombre deal before the exchange: dealing, the auction, trumps (OMB-3 to 5.7)."""

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
    """Deal the cards. An impossible deal is halted (OMB-11.10)."""
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
    """Deal unknown cards: a club often records only the calls and the play."""
    for seat in state.active:
        state.holdings.give_hidden(seat, HAND)
    state.begin_auction(UNKNOWN_STOCK)


def deal_again(state: OmbreState, event: CardsDealt, version: int) -> Violations:
    """Halt a deal in which cards are dealt a second time (OMB-11.10)."""
    if state.status != "open":
        return NOTHING
    state.halt()
    return (violation("bad_deal", "OMB-3.6", version, found="again", count=len(event.hands)),)


def _hands_and_stock(event: CardsDealt, active: Sequence[int]) -> tuple[Hands, Cards | None]:
    """Return hands and stock, derived from the dealing order if only that was recorded (OMB-3.6 to 3.9)."""
    deck = event.deck
    if deck is None or len(deck) != PACK_SIZE or any(event.hands[seat] for seat in active):
        return event.hands, event.stock
    hands: list[Cards | None] = list(event.hands)
    for place, seat in enumerate(active):
        packets = range(PACKET * place, ACTIVE * HAND, ACTIVE * PACKET)
        hands[seat] = tuple([card for start in packets for card in deck[start : start + PACKET]])
    return tuple(hands), event.stock if event.stock is not None else deck[ACTIVE * HAND :]


def _deal_in_full(holdings: Holdings, hands: Hands, stock: Cards | None, active: tuple[int, ...]) -> bool:
    """Deal a completely known pack and return whether this was possible; otherwise change nothing."""
    known = None if stock is None or len(stock) != STOCK else masks_if_plain(hands, HAND, stock, PACK_MASK)
    if known is None:
        return False
    for seat in active:
        if not known[seat]:
            return False  # a seat that sits out has the cards
    holdings.deal_out(known)
    return True


def _deal_faults(
    hands: Hands, stock: Cards | None, deck: Cards | None, active: Sequence[int], version: int
) -> list[Violation]:
    """Return the faults of a deal (OMB-11.10): one for each wrong hand, for a wrong stock and for a wrong dealing
    order, or else one for repeated cards.
    """
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
    """Apply a call (OMB-4.1 to 4.16); a void call changes nothing."""
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
        how = None if call in auction.ranks else "unknown"
        values = {"call": call, "standing": auction.high_bid}
        return (violation("illegal_call", rule, version, seat, legal, found=how, **values),)
    if auction.take(seat, call):
        _end_auction(state)
    return NOTHING


def halt_auction(state: OmbreState, version: int, seat: int | None) -> Violations:
    """Halt a deal in which play goes on before the auction is over (OMB-11.17)."""
    state.halt()
    return (violation("auction_unfinished", "OMB-4.16", version, seat),)


def settle_owed_pass(state: OmbreState) -> None:
    """Record a pass for a seat whose illegal call was not replaced (OMB-11.16)."""
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
    """Make the seat that was dealt SA the Ombre (OMB-4.21), or pass out the deal if SA is in the stock (OMB-4.22)."""
    able = seats_with_spadille(state)
    if not able:
        state.pass_out()
        return
    state.begin_trump(None, "entrada")
    is_dealt = state.holdings.known[able[0]] & SPADILLE or UNKNOWN not in state.stock
    if len(able) == 1 and is_dealt:
        state.force(able[0])


def seats_with_spadille(state: OmbreState) -> list[int]:
    """Return the active seats that can have been dealt SA."""
    return [seat for seat in state.active if state.holdings.may_hold(seat, SPADILLE)]


def settle_forced(state: OmbreState) -> None:
    """Pass out a deal left before trumps were named if SA can have been in the stock (OMB-4.22)."""
    if state.forced_by_record and UNKNOWN in state.stock:
        state.pass_out()


def name_trump(state: OmbreState, event: TrumpNamed, version: int) -> Violations:
    """Name trumps (OMB-5.1, 5.2)."""
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
        state.halt()  # the forced seat cannot be determined
    else:
        state.begin_exchange(suit)
    return violations


def _forced_seat(state: OmbreState, seat: int) -> int | None:
    """Return the seat that held SA (OMB-4.21), or None if this is unknown.

    Naming trumps shows that somebody held it: `seat`, if possible.
    """
    able = seats_with_spadille(state)
    if seat in able:
        return seat
    return able[0] if len(able) == 1 else None


def turn_card(state: OmbreState, event: CardTurned, version: int) -> Violations:
    """Turn up the top card of the stock in a vuelta (OMB-5.4)."""
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
    state.begin_exchange(top[0])  # OMB-5.4, 5.5: the printed suit, even of a black ace
    return violations


def miss_trump(state: OmbreState, version: int, seat: int | None) -> Violations:
    """Halt a deal in which an exchange, a yield or a card comes before trumps (OMB-11.19)."""
    state.halt()
    return (violation("trump_missing", "OMB-5.4" if state.contract == "vuelta" else "OMB-5.1", version, seat),)
