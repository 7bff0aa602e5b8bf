"""Seats, cards, their points, the three trump schemes as bit masks (KOP section 2), and the winner (KOP-7.3 to 7.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from mypy_extensions import mypyc_attr

from ledger.cards import INDEX, PACK_52, SUITS, mask_of
from ledger.games.kernel.card_order import TrumpTable, ranked

SEATS: Final = 4  # KOP-2.1
HAND: Final = 4  # KOP-3.4
TRICKS: Final = 4  # KOP-6.13

RANK_POINTS: Final = {"A": 11, "T": 10, "Q": 3, "J": 2}  # KOP-2.4
ALL_POINTS: Final = 104  # KOP-2.4

PACK: Final = frozenset(suit + rank for suit in SUITS for rank in RANK_POINTS)  # KOP-2.3
PACK_MASK: Final = mask_of(INDEX[card] for card in PACK)
POINTS: Final = tuple(RANK_POINTS.get(card[1], 0) for card in PACK_52)
"""The card points by card number."""

OLD_QUEENS: Final = (INDEX["CQ"], INDEX["SQ"])  # KOP-2.11
OLD_QUEENS_MASK: Final = mask_of(OLD_QUEENS)
QUEENS_MASK: Final = mask_of(INDEX[suit + "Q"] for suit in SUITS)
JACKS: Final = tuple(INDEX[card] for card in ("CJ", "SJ", "HJ", "DJ"))  # KOP-2.12, high to low


def cutter(dealer: int, seats: int = SEATS) -> int:
    """Return the right-hand neighbour of the dealer (KOP-3.3)."""
    return (dealer + 3) % SEATS


def first_leader(dealer: int, seats: int = SEATS) -> int:
    """Return L, the leader to the first trick (KOP-3.8, 6.1)."""
    return (dealer + 1) % SEATS


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, kw_only=True)
class Scheme(TrumpTable):
    """One order of the cards; all trumps are one suit (KOP-2.10)."""

    name: str

    def permitted(self, hand: int, led: int, best: int, must_trump: bool, must_beat: bool) -> int:
        """Return the cards of `hand` that may be played to a trick (KOP-6.6 to 6.10)."""
        bound = hand & self.follows[led]  # KOP-6.6
        if not bound:
            bound = hand & self.trumps if must_trump else 0  # KOP-6.7, 6.10
            if not bound:
                return hand  # KOP-6.9
        return (must_beat and bound & self.beaten_by[best]) or bound  # KOP-6.8


def _scheme(name: str, trumps: str, *plain: str) -> Scheme:
    """Return a scheme from its lists in the rulebook's notation, high to low."""
    trump_cards, *suits = ([INDEX[card] for card in cards.split()] for cards in (trumps, *plain))
    follows, beaten_by = ranked(trump_cards, suits)  # KOP-6.5
    return Scheme(
        name=name, trumps=mask_of(trump_cards), follows=follows, serves=follows, binds=follows, beaten_by=beaten_by
    )


SCHEMES: Final = {
    scheme.name: scheme
    for scheme in (
        _scheme("standard", "HA HT CQ SQ HQ DQ CJ SJ HJ DJ DA DT", "CA CT", "SA ST"),  # KOP-2.7
        _scheme("new", "HA CT ST HT CQ SQ HQ DQ CJ SJ HJ DJ DA DT", "CA", "SA"),  # KOP-2.8
        _scheme("jacks", "CJ SJ HJ DJ", "CA CT CQ", "SA ST SQ", "HA HT HQ", "DA DT DQ"),  # KOP-2.9
    )
}


def scheme_of(contract: str | None, new_trumps: bool) -> Scheme:
    """Return the scheme of a deal (KOP-2.6); no `contract`: none was bid."""
    if contract in ("grand", "grand_du"):
        return SCHEMES["jacks"]
    return SCHEMES["new" if new_trumps else "standard"]


Contract: TypeAlias = Literal["normal", "cicha", "wesele", "grand", "zolo", "grand_du", "zolo_du", "baska"]
WinningSide: TypeAlias = Literal["declarer", "defenders"]

DU_CONTRACTS: Final = frozenset(("grand_du", "zolo_du"))
TO_WIN: Final = 53  # KOP-7.3


def winning_side(contract: str, card_points: tuple[int, int], tricks: tuple[int, int]) -> WinningSide:
    """Return the winner (KOP-7.3 to 7.6); there is no draw (KOP-7.20)."""
    if contract == "baska":
        return "declarer"  # KOP-7.6
    won = tricks[0] == TRICKS if contract in DU_CONTRACTS else card_points[0] >= TO_WIN
    return "declarer" if won else "defenders"
