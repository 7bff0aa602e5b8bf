"""Ombre's seats, cards, numbers and results (OMB sections 2, 3, 7); `kernel.matadors` has what Quadrille shares."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, Literal, TypeAlias

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
    """Return the three seats that play, starting with forehand (OMB-2.5 to 2.7, 2.12)."""
    first = (dealer + 1) % seats
    return first, (first + 1) % seats, (first + 2) % seats


def first_leader(dealer: int, seats: int) -> int:
    """Return forehand's seat (OMB-6.1)."""
    return active_seats(seats, dealer)[0]


def neighbours(active: tuple[int, ...], seat: int) -> tuple[int, int]:
    """Return the right and the left neighbour of an active seat (OMB-2.10, 2.11)."""
    place = active.index(seat)
    return active[(place + 1) % ACTIVE], active[(place + 2) % ACTIVE]


Result: TypeAlias = Literal[
    "ALL_PASS",
    "SURRENDER",
    "SACADA",
    "SACADA_VOLE",
    "SACADA_VOLE_FAILED",
    "CODILLE",
    "PUESTA",
    "DEFENDED_WON",
    "DEFENDED_CODILLE",
    "DEFENDED_SAVED",
    "DEFENDED_DOUBLE_PUESTA",
]
Contract: TypeAlias = Literal["entrada", "vuelta", "solo"]
Ending: TypeAlias = Literal["played", "stopped", "surrendered", "thrown_in"]


def defended_result(defender: int, ombre: int, third: int) -> Result:
    """Return the result of a defended deal from its three numbers of tricks (OMB-7.14)."""
    if defender > ombre and defender > third:
        return "DEFENDED_WON"
    if third > defender and third > ombre:
        return "DEFENDED_CODILLE"
    if ombre > defender:
        return "DEFENDED_SAVED"
    return "DEFENDED_DOUBLE_PUESTA"


def played_result(ombre: int, first: int, second: int, undertook_vole: bool) -> Result:
    """Return the result of a deal that was not stopped from its three numbers of tricks (OMB-7.15, lines b to f)."""
    if ombre == TRICKS:
        return "SACADA_VOLE"
    if undertook_vole:
        return "SACADA_VOLE_FAILED"
    if ombre > first and ombre > second:
        return "SACADA"
    if first != second and max(first, second) > ombre:
        return "CODILLE"
    return "PUESTA"


def result_of(
    active: tuple[int, ...], ombre: int, tricks: Sequence[int], ending: Ending, primeras: bool, defender: int | None
) -> Result:
    """Return the result that follows from the facts (OMB-7.13 to 7.15). Tricks left unplayed by throwing in cannot
    change it.
    """
    if ending == "surrendered":
        return "SURRENDER"  # OMB-7.13
    if ending == "stopped":
        return "SACADA"  # OMB-7.15 a
    unplayed = TRICKS - sum(tricks)
    right, left = neighbours(active, ombre)
    if defender is not None:
        third = left if defender == right else right
        return defended_result(tricks[defender] + unplayed, tricks[ombre], tricks[third])
    to_ombre = 0 if primeras else unplayed
    return played_result(tricks[ombre] + to_ombre, tricks[right], tricks[left], primeras)


@cache
def is_decided(ombre: int, first: int, second: int, *, primeras: bool, defender: int | None) -> bool:
    """Return whether every distribution of the unplayed tricks gives the same result and payments (OMB-6.34, 6.35).

    `ombre`, `first`, `second`: tricks so far of the Ombre and the two opponents. `defender`: 1 or 2 if the first or the
    second opponent defends.
    """
    played = ombre + first + second
    if not 0 < played < TRICKS:
        return False
    if defender is None:
        if ombre == played and played < TRICKS:
            return False  # the first five tricks or the vole are still open
        if primeras:
            return True  # the vole has failed already
    unplayed = TRICKS - played
    endings = set()
    for to_ombre in range(unplayed + 1):
        for to_first in range(unplayed - to_ombre + 1):
            tricks = (ombre + to_ombre, first + to_first, second + unplayed - to_ombre - to_first)
            if defender is None:
                endings.add((played_result(*tricks, False), tricks[1] > tricks[2]))
            else:
                endings.add((defended_result(tricks[defender], tricks[0], tricks[3 - defender]), False))
    # The order of the two opponents affects only the payments of a Codille.
    return len({(result, first_leads and result == "CODILLE") for result, first_leads in endings}) == 1
