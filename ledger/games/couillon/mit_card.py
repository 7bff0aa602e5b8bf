"""Where SQ is in one Couillon deal, as far as the record tells, and what it is from a Mit' on (COU-5.2, 5.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.games.couillon.pack import MIT_CARD, MIT_TABLES

if TYPE_CHECKING:
    from ledger.games.couillon.deal import CouillonDeal


def holds_mit_card(deal: CouillonDeal, seat: int) -> bool | None:
    """Whether SQ was dealt to the seat; null where that is not known."""
    holder = deal.holder_of_mit_card()
    if holder is not None:
        return holder == seat
    if seat in deal.without_mit_card:
        return False
    if not deal.was_dealt:
        return None if deal.recorded is None else False
    if deal.holdings.candidates(seat) & MIT_CARD:
        return None
    could_be = deal.play is not None and deal.play.has_unknown_of(seat) and not deal.holdings.placed & MIT_CARD
    return None if could_be else False


def mit_card_is_out(deal: CouillonDeal) -> bool:
    """Whether SQ certainly lies among the cards that nobody got: it is seen there, or in no hand."""
    if "SQ" in deal.stock:
        return True
    return deal.was_dealt and all(holds_mit_card(deal, seat) is False for seat in range(deal.seats))


def let_mit_stand(deal: CouillonDeal) -> None:
    """From now on SQ is a trump, the cards of the first trick included (COU-5.6, 5.17)."""
    play, suit = deal.play, deal.trumps.suit
    assert play is not None and suit is not None
    play.table = MIT_TABLES[suit]
    play.weigh_again()
