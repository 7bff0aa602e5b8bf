"""How trumps are fixed in one Ombre deal: named, or turned up from the stock (OMB-5.1 to 5.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.cards import BIT, UNKNOWN
from ledger.events import CardTurned, TrumpNamed
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.ombre.auction_rules import force, seats_with_spadille
from ledger.games.ombre.exchange import Exchange
from ledger.games.ombre.irregularities import violation
from ledger.games.ombre.pack import neighbours

if TYPE_CHECKING:
    from ledger.games.ombre.deal import OmbreDeal


def name_trump(deal: OmbreDeal, event: TrumpNamed, version: int) -> Violations:
    """The Ombre names trumps (OMB-5.1, 5.2)."""
    seat, suit = event.seat, event.suit
    if deal.phase != "trump" or deal.contract == "vuelta":
        rule = "OMB-5.4" if deal.contract == "vuelta" else "OMB-5.7" if deal.trump else "OMB-5.1"
        return (violation("trump_not_allowed", rule, version, seat, suit=suit),)
    standing = deal.auction.standing or ""
    if standing.endswith("_favour") and suit != deal.options.favourite_suit:
        return (violation("trump_not_allowed", "OMB-5.2", version, seat, suit=suit),)
    found: Violations = NOTHING
    if deal.forced_by_record:
        _take_as_forced(deal, seat)
    if seat != deal.ombre:
        found = (violation("trump_by_wrong_seat", "OMB-5.1", version, seat, suit=suit, due=deal.ombre),)
    if deal.ombre is None:
        deal.status = deal.phase = "unscorable"  # who was forced cannot be known
    else:
        _fix_trump(deal, suit)
    return found


def _take_as_forced(deal: OmbreDeal, seat: int) -> None:
    """That trumps are named shows that somebody held SA (OMB-4.21): this seat, if it can have been this one."""
    able = seats_with_spadille(deal)
    if seat in able or len(able) == 1:
        force(deal, seat if seat in able else able[0])
    deal.forced_by_record = False


def turn_card(deal: OmbreDeal, event: CardTurned, version: int) -> Violations:
    """The top card of the stock is turned up in a vuelta (OMB-5.4)."""
    if deal.phase != "trump" or deal.contract != "vuelta":
        rule = "OMB-5.7" if deal.trump else "OMB-5.1"
        return (violation("trump_not_allowed", rule, version, suit=event.card[0]),)
    card, top = event.card, deal.stock[0]
    found: Violations = NOTHING
    if top not in (card, UNKNOWN) or (top == UNKNOWN and deal.holdings.placed & BIT[card]):
        legal = None if top == UNKNOWN else (top,)
        found = (violation("wrong_upcard", "OMB-5.4", version, None, legal, card=card),)
    if top == UNKNOWN:
        top = card
        deal.stock = (card, *deal.stock[1:])
        deal.holdings.placed |= BIT[card]
    deal.turned = top
    _fix_trump(deal, top[0])  # OMB-5.4, 5.5: the printed suit, also of a black ace
    return found


def _fix_trump(deal: OmbreDeal, suit: str) -> None:
    assert deal.ombre is not None
    deal.trump = suit
    right, left = neighbours(deal.active, deal.ombre)
    deal.exchange = Exchange(
        deal.ombre,
        right,
        left,
        is_solo=deal.contract == "solo",
        solo_first_max=deal.options.solo_first_exchange_max,
        may_yield=deal.options.exchange_yield,
    )
    deal.phase = "exchange"


def miss_trump(deal: OmbreDeal, version: int, seat: int | None) -> Violations:
    """An exchange, a yield or a play comes before trumps (OMB-11.19)."""
    return deal.fatal("trump_missing", "OMB-5.4" if deal.contract == "vuelta" else "OMB-5.1", version, seat)
