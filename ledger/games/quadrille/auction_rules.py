"""What a call breaks, who is forced to play when all have passed, and the naming of trumps (QUA-4, 5.1 to 5.3)."""

from __future__ import annotations

from typing import cast

from ledger.events import Announced, BidMade, TrumpNamed
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.quadrille.irregularities import violation
from ledger.games.quadrille.pack import SPADILLE_BIT, WITH_PARTNER
from ledger.games.quadrille.state import QuadrilleState


def bid(state: QuadrilleState, event: BidMade, version: int) -> Violations:
    """A call (QUA-4.7 to 4.13); a void one changes nothing."""
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
        return (violation("insufficient_bid", rule, version, seat, legal, call=call, standing=auction.standing),)
    if auction.take(seat, call):
        _end_auction(state)
    return NOTHING


def _end_auction(state: QuadrilleState) -> None:
    auction = state.auction
    if auction.standing is not None:
        state.begin_trump(auction.bidder, auction.standing)  # QUA-4.13
    elif state.options.all_pass == "throw_in":
        state.phase = "settled"  # QUA-4.17
    else:
        holders = state.dealt.holders(SPADILLE_BIT)
        state.begin_trump(holders[0] if len(holders) == 1 else None, "forced")  # QUA-4.15


def leave_auction_open(state: QuadrilleState, seat: int | None, version: int) -> Violations:
    """What comes after the bidding comes before its end (QUA-11.16)."""
    state.halt()
    return (violation("bidding_incomplete", "QUA-4.13", version, seat),)


def may_be_forced(state: QuadrilleState, seat: int) -> bool:
    """Whether nothing in the record excludes that SA makes this seat the Ombre (QUA-4.15)."""
    return seat in state.dealt.holders(SPADILLE_BIT)


def _believe_forced(state: QuadrilleState, seat: int) -> None:
    """What the seat does shows that it was dealt SA."""
    if state.ombre is None and state.contract == "forced" and may_be_forced(state, seat):
        state.ombre = seat
        state.dealt.masks[seat] |= SPADILLE_BIT
        state.holdings.remove(seat, SPADILLE_BIT)
        state.holdings.give_known(seat, SPADILLE_BIT)


def show_spadille(state: QuadrilleState, event: Announced, version: int) -> Violations:
    """`show_spadille`: who must play because he holds it makes himself known (QUA-4.16)."""
    seat = cast(int, event.seat)
    if state.phase == "auction":
        return leave_auction_open(state, seat, version)
    if state.contract != "forced":
        return (violation("false_spadille", "QUA-4.15", version, seat),)
    _believe_forced(state, seat)
    if seat != state.ombre or not state.holdings.may_hold(seat, SPADILLE_BIT):
        return (violation("false_spadille", "QUA-4.16", version, seat),)
    state.is_spadille_shown = True
    return NOTHING


def name_trump(state: QuadrilleState, event: TrumpNamed, version: int) -> Violations:
    """The Ombre names trumps; a card is called next, or the play begins."""
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
    """A card is called or played before trumps are named (QUA-11.21)."""
    state.halt()
    return (violation("trump_missing", "QUA-5.1", version, seat),)
