"""The bidding of one Quadrille deal, and who is forced to play when all have passed (QUA section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ledger.events import Announced, BidMade
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.quadrille.irregularities import violation
from ledger.games.quadrille.pack import SPADILLE_BIT

if TYPE_CHECKING:
    from ledger.games.quadrille.deal import QuadrilleDeal


def bid(deal: QuadrilleDeal, event: BidMade, version: int) -> Violations:
    """A call (QUA-4.7 to 4.13); a void one changes nothing."""
    auction, seat, call = deal.auction, event.seat, event.call
    if deal.phase != "auction":
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
        _end_auction(deal)
    return NOTHING


def _end_auction(deal: QuadrilleDeal) -> None:
    auction = deal.auction
    deal.phase = "trump"
    if not auction.all_passed:
        deal.ombre, deal.contract = auction.bidder, auction.standing  # QUA-4.13
    elif deal.options.all_pass == "throw_in":
        deal.phase, deal.status = "settled", "complete"  # QUA-4.17
    else:
        deal.contract = "forced"  # QUA-4.15
        holders = deal.dealt.holders(SPADILLE_BIT)
        deal.ombre = holders[0] if len(holders) == 1 else None


def may_be_forced(deal: QuadrilleDeal, seat: int) -> bool:
    """Whether nothing in the record excludes that SA makes this seat the Ombre (QUA-4.15)."""
    return seat in deal.dealt.holders(SPADILLE_BIT)


def believe_forced(deal: QuadrilleDeal, seat: int) -> None:
    """What the seat does shows that it was dealt SA."""
    if deal.ombre is None and deal.contract == "forced" and may_be_forced(deal, seat):
        deal.ombre = seat
        deal.dealt.masks[seat] |= SPADILLE_BIT
        deal.holdings.remove(seat, SPADILLE_BIT)
        deal.holdings.give_known(seat, SPADILLE_BIT)


def show_spadille(deal: QuadrilleDeal, event: Announced, version: int) -> Violations:
    """`show_spadille`: who must play because he holds it makes himself known (QUA-4.16)."""
    seat = cast(int, event.seat)
    if deal.phase == "auction":
        return deal.halt("bidding_incomplete", "QUA-4.13", version, seat)
    if deal.contract != "forced":
        return (violation("false_spadille", "QUA-4.15", version, seat),)
    believe_forced(deal, seat)
    if seat != deal.ombre or not deal.holdings.may_hold(seat, SPADILLE_BIT):
        return (violation("false_spadille", "QUA-4.16", version, seat),)
    deal.is_spadille_shown = True
    return NOTHING
