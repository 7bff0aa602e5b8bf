"""A deal whose hands were not recorded, read once more with the hands that its cards have shown since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.events import CardsDealt
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.kop.facts import as_known
from ledger.games.kop.irregularities import DEALING_CODES

if TYPE_CHECKING:
    from ledger.games.kop.deal import KopDeal


def late_violations(deal: KopDeal) -> Violations:
    """What hands that were not recorded have shown since; of a voided deal, what they had shown by then."""
    if not deal.hands.has_unknown:
        return NOTHING
    at_once, later = _both_readings(deal)
    return [found for found in later if found not in at_once]


def refuted_violations(deal: KopDeal) -> Violations:
    """What was found at once and is not found with the hands that have been shown since (KOP-11.73, 11.75)."""
    if not deal.hands.has_unknown:
        return NOTHING
    at_once, later = _both_readings(deal)
    return [found for found in at_once if found not in later and found.code not in DEALING_CODES]


def _both_readings(deal: KopDeal) -> tuple[list[Violation], list[Violation]]:
    """What the deal breaks as it was judged event by event, and what it breaks in hindsight."""
    return replayed(deal, None)[1], replayed(deal, _dealt_in_hindsight(deal), knows_all=True)[1]


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
        as_recorded = next((place for place, (_, event) in enumerate(log) if type(event) is CardsDealt), len(log))
        log = [*log[:as_recorded], *log[as_recorded + 1 :]]
    for version, event in log:
        found.extend(again.apply(as_known(event, deal.hands, deal.play) if knows_all else event, version))
    if deal.left is not None:
        found.extend(again.leave(*deal.left))
    return again, found


def _dealt_in_hindsight(deal: KopDeal) -> CardsDealt:
    return CardsDealt(hands=tuple(deal.hands.in_hindsight()))
