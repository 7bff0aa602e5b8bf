"""What was turned, called and said before the cards in the record, judged once they come (COU-11.23, 11.49)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.events import Announced, CardTurned, Event
from ledger.games.couillon.irregularities import violation
from ledger.games.couillon.raises import Raises
from ledger.games.couillon.turned_cards import place_forehands, place_turned, turned_at_wrong_moment
from ledger.games.kernel.tricks import NOTHING, Violations

if TYPE_CHECKING:
    from ledger.games.couillon.deal import CouillonDeal


def before_cards(deal: CouillonDeal, event: Event, version: int, found: Violations = NOTHING) -> None:
    """Remembers what is out of its place if the cards are dealt only after it, and what it broke even so."""
    if not deal.has_cards:
        deal.early.append((event, version, any(one.code == "COU-11.49" for one in found)))


def judge_early(deal: CouillonDeal) -> None:
    """What was turned, called and said before the cards were dealt (COU-11.23, 11.49)."""
    for event, version, is_reported in deal.early:
        if isinstance(event, CardTurned):
            if not is_reported:
                deal.late.append(turned_at_wrong_moment(deal, event, version))
            _place_again(deal, event.card, version)
        elif isinstance(event, Announced) and deal.raises.mit == (event.seat, version):
            deal.late.append(violation("mit_not_allowed", "COU-5.1", version, event.seat))
            if deal.raises.kontra is not None:
                seat, mark_of_kontra = deal.raises.kontra
                deal.late.append(violation("kontra_not_allowed", "COU-5.8", mark_of_kontra, seat))
            if deal.raises.re is not None:
                seat, mark_of_re = deal.raises.re
                deal.late.append(violation("re_not_allowed", "COU-5.10", mark_of_re, seat))
            deal.raises = Raises()
    deal.early = []


def _place_again(deal: CouillonDeal, card: str, version: int) -> None:
    """Compares a card turned before the cards were dealt with the place that it must have come from."""
    if deal.trumps.is_naming:
        found = place_forehands(deal, card, version)
    else:
        is_upcard = card == deal.trumps.upcard
        rule = deal.form.turned_rule if is_upcard else "COU-4.7"
        found = place_turned(deal, card, 0 if is_upcard else -1, rule, version)
    deal.late.extend(found)
    deal.block_if(found)
