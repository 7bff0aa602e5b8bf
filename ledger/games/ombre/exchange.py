"""The exchange with the stock in one Ombre deal: who, in which order, how many (OMB-5.8 to 5.15)."""

from __future__ import annotations

from mypy_extensions import mypyc_attr

from ledger.games.ombre.pack import ACTIVE, HAND


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Exchange:
    """Whose exchange is due. `due` holds the entitled seats that have not exchanged, in order (OMB-5.8, 5.9)."""

    __slots__ = ("due", "first_max", "is_first_of_solo", "left", "right", "yield_open")

    def __init__(self, ombre: int, right: int, left: int, is_solo: bool, solo_first_max: int, may_yield: bool) -> None:
        self.right, self.left = right, left
        self.due = [right, left] if is_solo else [ombre, right, left]
        self.first_max = solo_first_max
        self.is_first_of_solo = is_solo
        self.yield_open = may_yield

    def copy(self) -> Exchange:
        twin = Exchange.__new__(Exchange)
        twin.right, twin.left, twin.due, twin.first_max = self.right, self.left, self.due[:], self.first_max
        twin.is_first_of_solo, twin.yield_open = self.is_first_of_solo, self.yield_open
        return twin

    @property
    def turn(self) -> int | None:
        return self.due[0] if self.due else None

    def limit(self, stock_left: int) -> int:
        """The most cards that the next exchange may have (OMB-5.13, 5.14)."""
        most = min(HAND, stock_left)
        return min(most, self.first_max) if self.is_first_of_solo else most

    def may_yield(self) -> bool:
        """Whether the right neighbour may let the left one exchange first (OMB-5.10, 5.11)."""
        return self.yield_open and self.due == [self.right, self.left]

    def may_yield_later(self) -> bool:
        """Whether only the Ombre's exchange has to come first (OMB-5.11)."""
        return self.yield_open and len(self.due) == ACTIVE

    def give_way(self) -> None:
        self.due.reverse()
        self.yield_open = False

    def forgo(self) -> None:
        """What is due is not exchanged any more."""
        self.due.clear()

    def done(self, seat: int) -> None:
        self.due.remove(seat)
        self.is_first_of_solo = False
