"""What Kop is played with: seats, hands, tricks, the sixteen cards, what they are worth, and those with a part of their
own (KOP section 2). Which of them are trumps depends on the contract: see `schemes.py`.
"""

from __future__ import annotations

from typing import Final

from ledger.cards import INDEX, PACK_52, SUITS, mask_of

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
    """The right-hand neighbour of the dealer (KOP-3.3)."""
    return (dealer + 3) % SEATS


def first_leader(dealer: int, seats: int = SEATS) -> int:
    """L, who leads to the first trick (KOP-3.8, 6.1)."""
    return (dealer + 1) % SEATS
