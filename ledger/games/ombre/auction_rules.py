"""The auction of one Ombre deal: calls, passes owed, and what follows when all have passed (OMB section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.cards import UNKNOWN
from ledger.events import BidMade
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.ombre.auction import CONTRACTS, PASS
from ledger.games.ombre.irregularities import violation
from ledger.games.ombre.pack import SPADILLE

if TYPE_CHECKING:
    from ledger.games.ombre.deal import OmbreDeal


def bid(deal: OmbreDeal, event: BidMade, version: int) -> Violations:
    """A call (OMB-4.1 to 4.16); a void one changes nothing."""
    auction, seat, call = deal.auction, event.seat, event.call
    if deal.owed_pass is not None and seat != deal.owed_pass:
        settle_owed_pass(deal)  # OMB-11.16
    if auction.is_over or deal.phase != "auction":
        return (violation("call_after_end", "OMB-4.16", version, seat, call=call),)
    if seat in auction.passed:
        return (violation("call_after_pass", "OMB-4.9", version, seat, call=call),)
    if seat != auction.turn:
        rule = "OMB-4.8" if seat in deal.active else "OMB-2.7"
        return (violation("call_out_of_turn", rule, version, seat, call=call, due=auction.turn),)
    if not auction.is_allowed(seat, call):
        deal.owed_pass = seat
        rule = "OMB-4.15" if call in auction.ranks else "OMB-4.2"
        legal = tuple(auction.legal())
        return (violation("illegal_call", rule, version, seat, legal, call=call, standing=auction.standing),)
    deal.owed_pass = None
    if auction.take(seat, call):
        _end_auction(deal)
    return NOTHING


def settle_owed_pass(deal: OmbreDeal) -> None:
    """Who made an illegal call and nothing else afterwards has passed (OMB-11.16)."""
    if deal.owed_pass is None:
        return
    seat, deal.owed_pass = deal.owed_pass, None
    if deal.auction.take(seat, PASS):
        _end_auction(deal)


def _end_auction(deal: OmbreDeal) -> None:
    auction = deal.auction
    if not auction.all_passed:
        assert auction.standing is not None
        deal.ombre, deal.contract = auction.bidder, CONTRACTS[auction.standing]
        deal.phase = "trump"
    elif deal.options.all_pass == "redeal":
        pass_out(deal)  # OMB-4.20
    else:
        _force_spadille(deal)


def _force_spadille(deal: OmbreDeal) -> None:
    """The seat that was dealt SA becomes Ombre (OMB-4.21); if SA is in the stock the deal is passed out (4.22)."""
    able = seats_with_spadille(deal)
    if not able:
        pass_out(deal)
        return
    deal.phase, deal.contract = "trump", "entrada"
    is_dealt = deal.holdings.known[able[0]] & SPADILLE or UNKNOWN not in deal.stock
    if len(able) == 1 and is_dealt:
        force(deal, able[0])
    else:
        deal.forced_by_record = True


def seats_with_spadille(deal: OmbreDeal) -> list[int]:
    """The active seats that can have been dealt SA."""
    return [seat for seat in deal.active if deal.holdings.may_hold(seat, SPADILLE)]


def force(deal: OmbreDeal, seat: int) -> None:
    """This seat was dealt SA, and must play (OMB-4.21)."""
    deal.ombre = seat
    deal.holdings.remove(seat, SPADILLE)
    deal.holdings.give_known(seat, SPADILLE)


def settle_forced(deal: OmbreDeal) -> None:
    """Left before trumps were named: nobody held SA, it lay in the stock (OMB-4.22), if it can have."""
    if deal.forced_by_record and UNKNOWN in deal.stock:
        pass_out(deal)


def pass_out(deal: OmbreDeal) -> None:
    """Nobody plays: the deal is complete (OMB-4.20, 4.22)."""
    deal.ombre = deal.contract = None
    deal.forced_by_record = False
    deal.phase, deal.status = "settled", "complete"
