"""The payments of a deal: a pure function of outcome and options (KOP section 7)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from ledger.events import BidMade, Event
from ledger.games.kernel.settlement import ScoreLine
from ledger.games.kop.auction import LADDER
from ledger.games.kop.options import KopOptions
from ledger.games.kop.outcome import KopOutcome
from ledger.games.kop.pack import DU_CONTRACTS, SEATS
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
BEZ_WYJSCIA: Final = 2  # KOP-7.7
BEZ_BITKI: Final = 3  # KOP-7.8

_PAID: Final = {contract: f"paid_{contract}" for contract in BASES}
_DEFENDERS: Final = {
    declarers: tuple(seat for seat in range(SEATS) if seat not in declarers)
    for count in (1, 2)
    for declarers in combinations(range(SEATS), count)
}
"""The defenders, by the declarers in rising seat number."""


def bez_factor(outcome: KopOutcome, options: KopOptions) -> int:
    """Return the factor for the losing side's points and tricks (KOP-7.7 to 7.10)."""
    contract = outcome.contract
    if contract in DU_CONTRACTS or contract == "baska":
        return 1  # KOP-7.9
    if contract in ("cicha", "zolo", "grand") and not options.bez_in_solo:
        return 1  # KOP-7.10
    is_won = outcome.declarer_wins
    losers = 1 if is_won else 0
    if not outcome.tricks[losers]:
        return BEZ_BITKI
    limit = BEZ_LIMIT if is_won else options.declarer_bez_limit
    return BEZ_WYJSCIA if outcome.card_points[losers] <= limit else 1


def loss_factor(outcome: KopOutcome, options: KopOptions) -> int:
    """Return the factor for a loss of the declarers in Baśka (KOP-7.11)."""
    return 2 if options.is_baska and not outcome.declarer_wins else 1


def doubled(doublings: int) -> int:
    """Return the factor for a number of doublings (KOP-4.30)."""
    return 1 << doublings


def _factors(outcome: KopOutcome, options: KopOptions) -> tuple[int, int, int, int]:
    """Return the factors of G: base, doublings, bez, and a loss of the declarers (KOP-7.12)."""
    base, doublings = BASES[outcome.contract], doubled(outcome.doublings)
    return base, doublings, bez_factor(outcome, options), loss_factor(outcome, options)


def game_points(outcome: KopOutcome, options: KopOptions) -> int:
    """Return G (KOP-7.12)."""
    base, doublings, bez, loss = _factors(outcome, options)
    return base * doublings * bez * loss


def _factors_words(doublings: int, bez: int, loss: int, declarers: int, rungs: Sequence[str]) -> Words | str:
    """Put the factors of the base into words; a factor of 1 is left out."""
    factors = (
        ("doublings", doublings),
        ("bez_bitki" if bez == BEZ_BITKI else "bez_wyjscia", bez),
        ("loss_of_two" if declarers > 1 else "loss_of_one", loss),
    )
    words = [Words(name, {"factor": factor, "rungs": rungs}) for name, factor in factors if factor > 1]
    return Words("factors", {"factors": words}) if words else ""


def payment_lines(outcome: KopOutcome, options: KopOptions, effective: Sequence[str] = ()) -> list[ScoreLine]:
    """Return the payments of one deal, in rising seat number (KOP-7.13 to 7.15).

    `effective`: the doublings that count, if the record has the calls; otherwise the lowest rungs are named.
    """
    base, doublings, bez, loss = _factors(outcome, options)
    amount = base * doublings * bez * loss
    rungs = effective if len(effective) == outcome.doublings else LADDER[: outcome.doublings]
    factors = _factors_words(doublings, bez, loss, len(outcome.declarers), rungs)
    words = Words(_PAID[outcome.contract], {"base": base, "factors": factors})
    declarers = outcome.declarers
    defenders = _DEFENDERS[declarers]
    losers, winners = (defenders, declarers) if outcome.declarer_wins else (declarers, defenders)
    if len(declarers) == 2:  # KOP-7.14
        return [ScoreLine("KOP-7.13", losers[pair], winners[pair], amount, words) for pair in range(2)]
    return [ScoreLine("KOP-7.15", loser, winner, amount, words) for loser in losers for winner in winners]


def stakes(event: Event, options: KopOptions) -> Words | None:
    """Describe the base and the players of a contract (KOP-4.5), or the factor of a doubling (KOP-4.30)."""
    if not isinstance(event, BidMade):
        return None
    if event.call in LADDER:
        return Words("stakes.doubled", {"factor": doubled(LADDER.index(event.call) + 1)})
    if event.call in BASES:
        return Words(f"stakes.{event.call}", {"base": BASES[event.call]})
    return None
