"""What a deal pays: outcome and options in, score lines out; a pure function (KOP section 7)."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from ledger.games.kernel.settlement import ScoreLine
from ledger.games.kop.options import KopOptions
from ledger.games.kop.outcome import KopOutcome
from ledger.games.kop.pack import SEATS
from ledger.games.kop.results import DU_CONTRACTS
from ledger.i18n import Words

BASES: Final = {
    "normal": 1,
    "wesele": 1,
    "cicha": 4,
    "grand": 5,
    "zolo": 5,
    "grand_du": 10,
    "zolo_du": 10,
    "baska": 10,
}  # KOP-7.2
BEZ_LIMIT: Final = 25  # KOP-7.7

_PAID: Final = {contract: f"paid_{contract}" for contract in BASES}
_DEFENDERS: Final = {
    declarers: tuple(seat for seat in range(SEATS) if seat not in declarers)
    for count in (1, 2)
    for declarers in combinations(range(SEATS), count)
}
"""The defenders, by the declarers in rising seat number."""


def bez_factor(outcome: KopOutcome, options: KopOptions) -> int:
    """What the losing side's points and tricks multiply (KOP-7.7 to 7.10)."""
    contract = outcome.contract
    if contract in DU_CONTRACTS or contract == "baska":
        return 1  # KOP-7.9
    if contract in ("cicha", "zolo", "grand") and not options.bez_in_solo:
        return 1  # KOP-7.10
    is_won = outcome.declarer_wins
    losers = 1 if is_won else 0
    if not outcome.tricks[losers]:
        return 3  # KOP-7.8
    limit = BEZ_LIMIT if is_won else options.declarer_bez_limit
    return 2 if outcome.card_points[losers] <= limit else 1  # KOP-7.7


def loss_factor(outcome: KopOutcome, options: KopOptions) -> int:
    """What the declarers' loss multiplies in Baśka (KOP-7.11)."""
    return 2 if options.is_baska and not outcome.declarer_wins else 1


def _factors(outcome: KopOutcome, options: KopOptions) -> tuple[int, int, int, int]:
    """What makes G: the base, the doublings, bez, and a loss of the declarers (KOP-7.12)."""
    base, doublings = BASES[outcome.contract], 1 << outcome.doublings
    return base, doublings, bez_factor(outcome, options), loss_factor(outcome, options)


def game_points(outcome: KopOutcome, options: KopOptions) -> int:
    """G (KOP-7.12)."""
    base, doublings, bez, loss = _factors(outcome, options)
    return base * doublings * bez * loss


def payment_lines(outcome: KopOutcome, options: KopOptions) -> list[ScoreLine]:
    """The payments of one deal, in rising seat number (KOP-7.13 to 7.15)."""
    base, doublings, bez, loss = _factors(outcome, options)
    amount = base * doublings * bez * loss
    values = {"base": base, "doublings": doublings, "bez": bez, "loss": loss}
    words = Words(_PAID[outcome.contract], values)
    declarers = outcome.declarers
    defenders = _DEFENDERS[declarers]
    losers, winners = (defenders, declarers) if outcome.declarer_wins else (declarers, defenders)
    if len(declarers) == 2:  # KOP-7.14
        return [ScoreLine("KOP-7.13", losers[pair], winners[pair], amount, words) for pair in range(2)]
    return [ScoreLine("KOP-7.15", loser, winner, amount, words) for loser in losers for winner in winners]
