"""Where SQ is in one Couillon deal, and a Mit' that is in doubt until that is known (COU-5.2, 5.6, 11.22)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ledger.events import TrickGathered
from ledger.games.couillon.pack import MIT_CARD, TRUMP_TABLES
from ledger.games.protocol import Violation
from ledger.games.tricks import Violations

if TYPE_CHECKING:
    from ledger.games.couillon.deal import CouillonDeal

ORDER_DEPENDENT: Final = frozenset(("COU-11.28", "COU-11.33", "COU-11.34", "COU-11.35", "COU-11.36"))
"""Findings that depend on whether SQ is a trump."""


def holds_mit_card(deal: CouillonDeal, seat: int) -> bool | None:
    """Whether SQ was dealt to the seat; null where that is not known."""
    holder = deal.holder_of_mit_card()
    if holder is not None:
        return holder == seat
    if not deal.was_dealt:
        return None if deal.recorded is None else False
    if deal.holdings.candidates(seat) & MIT_CARD:
        return None
    could_be = deal.play is not None and deal.play.has_unknown_of(seat) and not deal.holdings.placed & MIT_CARD
    return None if could_be else False


def mit_card_is_out(deal: CouillonDeal) -> bool:
    """Whether SQ certainly lies among the cards that nobody got."""
    return "SQ" in deal.stock


def let_mit_stand(deal: CouillonDeal) -> None:
    """From now on SQ is a trump, the cards of the first trick included (COU-5.6, 5.17)."""
    play, suit = deal.play, deal.trumps.suit
    assert play is not None and suit is not None
    play.table = TRUMP_TABLES[suit, True]
    play.weigh_again()


def without_doubtful(deal: CouillonDeal, found: Violations) -> list[Violation]:
    """What is certain; the rest waits until SQ has shown itself."""
    deal.deferred_findings.extend(one for one in found if one.code in ORDER_DEPENDENT)
    return [one for one in found if one.code not in ORDER_DEPENDENT]


def resolve_mit(deal: CouillonDeal) -> None:
    """Sees whether the cards have shown by now if the caller of the Mit' holds SQ."""
    assert deal.raises.mit is not None
    holds = holds_mit_card(deal, deal.raises.mit[0])
    if holds is None:
        return
    if holds:
        deal.raises.is_doubtful = False
        deal.late.extend(deal.deferred_findings)
    else:
        deal.late.extend(deal.raises.disproved())
        _play_again(deal)
    deal.deferred_findings = []


def _play_again(deal: CouillonDeal) -> None:
    """Reads the play anew without a Mit': other cards are trumps, other seats may have won."""
    before, suit = deal.play, deal.trumps.suit
    assert before is not None and suit is not None and deal.start is not None
    holdings = deal.start.copy()
    play = deal.play_under(TRUMP_TABLES[suit, False], holdings)
    deal.holdings, deal.play = holdings, play
    gathered = [(after, event, mark) for after, event, mark in deal.told if type(event) is TrickGathered]
    found: list[Violation] = []
    for place, (mark, card) in enumerate(before.log):
        for after, event, mark_of_gather in gathered:
            if after == place:
                found.extend(play.gather(event, mark_of_gather))
        found.extend(play.take_card(card, mark))
    deal.late.extend(one for one in found if one.code in ORDER_DEPENDENT)
