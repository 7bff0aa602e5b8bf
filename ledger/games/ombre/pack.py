"""Ombre's seats, cards and numbers (OMB sections 2 and 3); what Quadrille shares of the pack stands in the kernel."""

from __future__ import annotations

from typing import Final, TypeAlias

from ledger.cards import BIT, UNKNOWN

Cards: TypeAlias = tuple[str, ...]

PLAYERS: Final = (3, 4)  # OMB-2.1
ACTIVE: Final = 3  # OMB-2.5, 2.6
PACK_SIZE: Final = 40  # OMB-2.13
PACKET: Final = 3  # OMB-3.6
HAND: Final = 9  # OMB-3.7
STOCK: Final = 13  # OMB-3.8
TRICKS: Final = 9  # OMB-6.16
FIRST_TRICKS: Final = 5  # OMB-6.17: the primeras

SPADILLE: Final = BIT["SA"]  # OMB-2.18
UNKNOWN_STOCK: Final[Cards] = (UNKNOWN,) * STOCK


def active_seats(seats: int, dealer: int) -> tuple[int, int, int]:
    """The three seats that play, from forehand on (OMB-2.5 to 2.7, 2.12)."""
    first = (dealer + 1) % seats
    return first, (first + 1) % seats, (first + 2) % seats


def first_leader(dealer: int, seats: int) -> int:
    """Forehand (OMB-6.1)."""
    return active_seats(seats, dealer)[0]


def neighbours(active: tuple[int, ...], seat: int) -> tuple[int, int]:
    """The right and the left neighbour of an active seat (OMB-2.10, 2.11)."""
    place = active.index(seat)
    return active[(place + 1) % ACTIVE], active[(place + 2) % ACTIVE]
