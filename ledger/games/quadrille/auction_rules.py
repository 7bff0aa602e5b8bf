"""What a call breaks, and what the end of the bidding brings (QUA section 4)."""

from __future__ import annotations

from ledger.events import BidMade
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.quadrille.irregularities import violation
from ledger.games.quadrille.pack import SPADILLE_BIT
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
        state.end()  # QUA-4.17
    else:
        holders = state.dealt.holders(SPADILLE_BIT)
        state.begin_trump(holders[0] if len(holders) == 1 else None, "forced")  # QUA-4.15


def leave_auction_open(state: QuadrilleState, seat: int | None, version: int) -> Violations:
    """What comes after the bidding comes before its end (QUA-11.16)."""
    state.halt()
    return (violation("bidding_incomplete", "QUA-4.13", version, seat),)
