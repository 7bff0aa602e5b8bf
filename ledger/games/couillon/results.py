"""The result that the facts of a Couillon deal make, and which team a seat belongs to (COU-2.7, 7.3 to 7.6, 7.30)."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from ledger.games.couillon.options import CouillonOptions

Team: TypeAlias = Literal[0, 1]
Result: TypeAlias = Literal["DRAW", "WIN", "ALL_TRICKS"]

TEAMS: Final[tuple[Team, Team]] = (0, 1)


def team_of(seat: int) -> Team:
    """COU-2.7."""
    return 1 if seat & 1 else 0


def winner_of(points: tuple[int, int], maker: int | None, options: CouillonOptions) -> Team | None:
    """W, or None for a draw (COU-7.3 to 7.5)."""
    if points[0] != points[1]:
        return 0 if points[0] > points[1] else 1
    if options.tie_rule == "makers_lose" and maker is not None:
        return team_of(maker + 1)
    return None


def result_of(winner: Team | None, tricks: tuple[int, int]) -> Result:
    """An ordinary win, one with all tricks, or a draw (COU-7.4, 7.30)."""
    if winner is None:
        return "DRAW"
    return "WIN" if tricks[1 - winner] else "ALL_TRICKS"
