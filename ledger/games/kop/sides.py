"""Who plays with whom under a contract, as far as the hands known so far tell (KOP section 5)."""

from __future__ import annotations

from typing import Final

from ledger.games.kop.hands import Hands
from ledger.games.kop.pack import JACKS, OLD_QUEENS, OLD_QUEENS_MASK, SEATS

SOLO_BIDS: Final = frozenset(("grand", "zolo", "grand_du", "zolo_du", "baska"))
"""The contract bids that one seat plays alone against three (KOP-5.2)."""


def possible_partner_jacks(hands: Hands, bidder: int) -> list[int]:
    """The jacks of which one is the highest that the bidder of a wesele was not dealt, as far as can be told."""
    jacks = []
    for jack in JACKS:
        if not hands.has(bidder, 1 << jack):
            jacks.append(jack)
            if not hands.may_have(bidder, 1 << jack):
                break
    return jacks


def partner_jack(hands: Hands, bidder: int) -> int | None:
    """The highest jack that the bidder of a wesele was not dealt (KOP-5.5); None while it cannot be told."""
    jacks = possible_partner_jacks(hands, bidder)
    return jacks[0] if len(jacks) == 1 else None


def is_declarer(hands: Hands, contract: str | None, bidder: int | None, seat: int) -> bool | None:
    """Whether the seat is on the declarer side (KOP-5.2); None while it cannot be told."""
    if contract is None:
        queens = [1 << queen for queen in OLD_QUEENS]
        if any(hands.has(seat, queen) for queen in queens):
            return True
        return None if any(hands.may_have(seat, queen) for queen in queens) else False
    if seat == bidder or contract != "wesele":
        return seat == bidder
    assert bidder is not None
    jacks = possible_partner_jacks(hands, bidder)
    holder = hands.holder(jacks[0]) if len(jacks) == 1 else None
    if holder is not None:
        return holder == seat
    return None if any(hands.may_have(seat, 1 << jack) for jack in jacks) else False


def declarers(hands: Hands, contract: str | None, bidder: int | None) -> tuple[int, ...] | None:
    """The declarer side in rising seat number (KOP-5.2); None while it cannot be told."""
    if contract is None:
        one, other = hands.holder(OLD_QUEENS[0]), hands.holder(OLD_QUEENS[1])
        if one is None or other is None:
            return None
        return (one,) if one == other else (one, other) if one < other else (other, one)
    assert bidder is not None
    if contract in SOLO_BIDS:
        return (bidder,)
    jack = partner_jack(hands, bidder)
    partner = None if jack is None else hands.holder(jack)
    return None if partner is None else tuple(sorted((bidder, partner)))


def declarers_by_concession(
    hands: Hands, contract: str | None, bidder: int | None, conceded: frozenset[int]
) -> tuple[int, ...] | None:
    """The declarer side in rising seat number where all seats of one side have conceded (KOP-6.17).

    None while nothing tells which of the two sides it is.
    """
    rest = frozenset(range(SEATS)) - conceded
    if contract is None and len(conceded) != len(rest):  # KOP-4.40: one against three
        return tuple(sorted(conceded if len(conceded) < len(rest) else rest))
    for seat in range(SEATS):
        plays_it = is_declarer(hands, contract, bidder, seat)
        if plays_it is not None:
            return tuple(sorted(conceded if plays_it == (seat in conceded) else rest))
    return None


def final_contract(hands: Hands, contract: str | None) -> str | None:
    """The contract that is played (KOP-4.39, 4.40): the last bid, else the ordinary game or cicha; None: not known."""
    if contract is not None:
        return contract
    if hands.is_with_one(OLD_QUEENS_MASK):
        return "cicha"
    if hands.has_unknown and any(hands.may_have(seat, OLD_QUEENS_MASK) for seat in range(SEATS)):
        return None
    return "normal"


def declarer_and_partner(hands: Hands, contract: str | None, bidder: int | None) -> tuple[int | None, int | None]:
    """For showing: the bidder and his partner; without a bid the holder of CQ, and that of SQ as his partner."""
    if contract is None:
        first, second = (hands.holder(queen) for queen in OLD_QUEENS)
        may_be_alone = second is None or hands.may_have(second, OLD_QUEENS_MASK)  # then it may be a cicha
        return first, None if may_be_alone else second
    assert bidder is not None
    if contract in SOLO_BIDS:
        return bidder, None
    jack = partner_jack(hands, bidder)
    return bidder, None if jack is None else hands.holder(jack)
