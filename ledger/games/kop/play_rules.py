"""How the play of one deal may end early: the recorder stops it, or a side concedes the rest (KOP-6.15 to 6.19)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ledger.events import Announced
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.kop.irregularities import violation
from ledger.games.kop.pack import SEATS
from ledger.games.kop.results import DU_CONTRACTS
from ledger.games.kop.sides import final_contract, is_declarer

if TYPE_CHECKING:
    from ledger.games.kop.deal import KopDeal


def may_stop(deal: KopDeal) -> bool:
    """Whether a defender has won a trick of a du contract (KOP-6.15), or can have won one that nobody knows who won."""
    if deal.play is None or deal.auction.contract not in DU_CONTRACTS:
        return False
    return any(winner != deal.auction.bidder for winner in deal.play.winners)


def stop(deal: KopDeal, event: Announced, version: int) -> Violations:
    """KOP-6.15; a false stop changes nothing."""
    if not may_stop(deal) or deal.play is None:
        return (violation("false_stop", "KOP-6.15", version, event.seat),)
    if not deal.play.is_over:
        deal.stopped = True
        deal.play.end("stopped")
    return NOTHING


def concede(deal: KopDeal, event: Announced, version: int) -> Violations:
    """KOP-6.17, 6.18; an irregular concession is ignored (KOP-11.50)."""
    if not deal.options.concessions:
        return (violation("irregular_concession", "KOP-6.19", version, event.seat),)
    seats = frozenset((event.seat,) if event.seats is None else event.seats)
    if deal.play is None or deal.play.is_over or event.seat not in seats | {None} or not _may_be_a_side(deal, seats):
        return (violation("irregular_concession", "KOP-6.17", version, event.seat),)
    deal.conceded = cast(frozenset[int], seats)
    deal.play.end("conceded")
    return NOTHING


def _may_be_a_side(deal: KopDeal, seats: frozenset[int | None]) -> bool:
    """Whether these are exactly all seats of one side, as far as the sides are known."""
    auction = deal.auction
    if not 0 < len(seats) < SEATS:
        return False
    contract = final_contract(deal.hands, auction.contract)
    if contract is not None and (contract in ("normal", "wesele")) != (len(seats) == 2):
        return False
    sides = [is_declarer(deal.hands, auction.contract, auction.bidder, seat) for seat in range(SEATS)]
    within = {sides[seat] for seat in range(SEATS) if seat in seats} - {None}
    without = {sides[seat] for seat in range(SEATS) if seat not in seats} - {None}
    return len(within) < 2 and len(without) < 2 and within.isdisjoint(without)
