"""The auction of one Ombre deal: whose turn, what may be called, who becomes Ombre (OMB-4.1 to 4.22)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import mypyc_attr

from ledger.games.kernel.copying import twin_of

PASS: Final = "pass"
CONTRACT_CALLS: Final[tuple[str, ...]] = ("entrada", "vuelta", "solo")  # OMB-4.2, weakest first
FAVOUR_CALLS: Final[tuple[str, ...]] = ("entrada", "entrada_favour", "vuelta", "solo", "solo_favour")  # OMB-4.18
CALLS: Final = frozenset((PASS, *FAVOUR_CALLS))

CONTRACTS: Final = {call: call.removesuffix("_favour") for call in FAVOUR_CALLS}
"""A favour call is its contract with the duty to name the favourite suit (OMB-4.19)."""


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Auction:
    """The calls so far. `order`: the active seats from forehand on, which is also their priority (OMB-4.8, 4.12).

    `turn` is None once the auction is over; `bidder` holds the standing bid: the Ombre then, None when all passed.
    `owed_pass`: who made an illegal call, and has passed if nothing else comes (OMB-11.16).
    """

    __slots__ = ("bidder", "is_over", "made", "order", "owed_pass", "passed", "ranks", "standing", "turn")

    def __init__(self, order: tuple[int, int, int], with_favourite: bool) -> None:
        self.order = order
        self.ranks = FAVOUR_CALLS if with_favourite else CONTRACT_CALLS
        self.made: list[tuple[int, str]] = []
        self.passed: tuple[int, ...] = ()
        self.standing: str | None = None
        self.bidder: int | None = None
        self.owed_pass: int | None = None
        self.is_over = False
        self.turn: int | None = order[0]

    def copy(self) -> Auction:
        return twin_of(self)

    @property
    def all_passed(self) -> bool:
        return self.is_over and self.bidder is None

    def is_allowed(self, seat: int, call: str) -> bool:
        """Whether the seat in turn may make this call (OMB-4.13 to 4.15)."""
        if call == PASS:
            return True
        if call not in self.ranks:
            return False  # OMB-4.6, 4.18
        if self.standing is None or self.bidder is None:
            return True
        if call == self.standing:
            return self.order.index(seat) < self.order.index(self.bidder)
        return self.ranks.index(call) > self.ranks.index(self.standing)

    def legal(self) -> list[str]:
        """The calls open to the seat in turn, sorted."""
        if self.turn is None:
            return []
        return sorted(call for call in (PASS, *self.ranks) if self.is_allowed(self.turn, call))

    def owe_pass(self, seat: int) -> None:
        self.owed_pass = seat

    def forgive_pass(self) -> None:
        self.owed_pass = None

    def take(self, seat: int, call: str) -> bool:
        """Makes an allowed call of the seat in turn; answers whether the auction is over now."""
        self.owed_pass = None
        self.made.append((seat, call))
        if call == PASS:
            self.passed += (seat,)
        else:
            self.standing, self.bidder = call, seat
        passes = len(self.passed)
        if passes == 3 or (passes == 2 and self.standing is not None):  # OMB-4.16, 4.17, 4.20
            self.is_over = True
            self.turn = None
            return True
        self.turn = self._next_after(seat)
        return False

    def _next_after(self, seat: int) -> int:
        """The next seat that has not passed; the one that called, where nobody else is left (OMB-4.8)."""
        first, second, third = self.order
        one, two = (second, third) if seat == first else (third, first) if seat == second else (first, second)
        return one if one not in self.passed else two if two not in self.passed else seat
