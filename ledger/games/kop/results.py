"""Who has won by the facts of a deal (KOP-7.3 to 7.6)."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from ledger.games.kop.pack import TRICKS

Contract: TypeAlias = Literal["normal", "cicha", "wesele", "grand", "zolo", "grand_du", "zolo_du", "baska"]
WinningSide: TypeAlias = Literal["declarer", "defenders"]

DU_CONTRACTS: Final = frozenset(("grand_du", "zolo_du"))
TO_WIN: Final = 53  # KOP-7.3


def winning_side(contract: str, card_points: tuple[int, int], tricks: tuple[int, int]) -> WinningSide:
    """Who wins (KOP-7.3 to 7.6); there is no draw (KOP-7.20)."""
    if contract == "baska":
        return "declarer"  # KOP-7.6
    won = tricks[0] == TRICKS if contract in DU_CONTRACTS else card_points[0] >= TO_WIN
    return "declarer" if won else "defenders"
