"""A deal whose hands were not recorded, read once more with the hands that its cards have shown since."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ledger.events import CardsDealt
from ledger.games.kop.facts import as_known
from ledger.games.protocol import Violation
from ledger.games.tricks import NOTHING, Violations

if TYPE_CHECKING:
    from ledger.games.kop.deal import KopDeal

_FOLLOWING_CODES: Final = frozenset(("KOP-11.44", "KOP-11.45", "KOP-11.46"))


def late_violations(deal: KopDeal) -> Violations:
    """What hands that were not recorded have shown since; of a voided deal, what they had shown by then."""
    if not deal.hands.has_unknown:
        return NOTHING
    _, at_once = replayed(deal, None)
    known = {_key(found) for found in at_once}
    _, later = replayed(deal, _dealt_in_hindsight(deal), knows_all=True)
    return [found for found in later if _key(found) not in known]


def in_hindsight(deal: KopDeal) -> KopDeal:
    """This deal read again with the hands that have become known since; itself where all were known."""
    if not deal.hands.has_unknown or deal.is_hindsight or deal.phase == "voided" or deal.recorded is not None:
        return deal
    return replayed(deal, _dealt_in_hindsight(deal), knows_all=True)[0]


def replayed(deal: KopDeal, dealt: CardsDealt | None, *, knows_all: bool = False) -> tuple[KopDeal, list[Violation]]:
    """The same events on other hands, and what they broke; null: on the hands as recorded.

    `knows_all`: cards that nobody wrote down are read as what they must have been.
    """
    again = type(deal)(deal.options, deal.dealer)
    again.is_hindsight = True
    found: list[Violation] = []
    log = deal.log
    if dealt is not None:
        again.apply(dealt, 0)
        log = log[1:] if log and type(log[0][1]) is CardsDealt else log
    for mark, event in log:
        found.extend(again.apply(as_known(event, deal.hands, deal.play) if knows_all else event, mark))
    if deal.left is not None:
        found.extend(again.leave(*deal.left))
    return again, found


def _dealt_in_hindsight(deal: KopDeal) -> CardsDealt:
    return CardsDealt(hands=tuple(deal.hands.in_hindsight()))


def _key(found: Violation) -> tuple[str, int, int | None]:
    """What makes two findings one; a play breaks the duties of following only once (KOP-11.73)."""
    code = "following" if found.code in _FOLLOWING_CODES else found.code
    return code, found.mark, found.seat
