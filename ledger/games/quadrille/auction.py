"""The bidding of one Quadrille deal: whose turn, what may be called, who becomes Ombre (QUA-4.1 to 4.18)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import mypyc_attr

from ledger.games.kernel.copying import twin_of
from ledger.games.quadrille.pack import SEATS

PASS: Final = "pass"
BIDS: Final = ("alliance", "solo", "vole")  # QUA-4.1, weakest first
CALLS: Final = frozenset((PASS, *BIDS))


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Auction:
    """The calls so far. `turn` is None once the bidding is over.

    `bidder` holds the standing bid: the Ombre then, None when all four passed.
    """

    __slots__ = ("bidder", "dealer", "made", "passed", "standing", "turn")

    def __init__(self, dealer: int) -> None:
        self.dealer = dealer
        self.made: list[tuple[int, str]] = []
        self.passed: tuple[int, ...] = ()
        self.standing: str | None = None
        self.bidder: int | None = None
        self.turn: int | None = (dealer + 1) % SEATS  # QUA-4.6

    def copy(self) -> Auction:
        return twin_of(self)

    def priority(self, seat: int) -> int:
        """QUA-4.5: the smaller number is the higher priority."""
        return (seat - self.dealer - 1) % SEATS

    def yields_to_bidder(self, seat: int) -> bool:
        """Whether the standing bid is of higher priority than the seat, so that only a stronger bid will do."""
        return self.bidder is not None and self.priority(self.bidder) < self.priority(seat)

    def is_allowed(self, seat: int, call: str) -> bool:
        """Whether the seat in turn may make this call (QUA-4.9 to 4.12)."""
        if call == PASS or self.standing is None:
            return True
        if call == self.standing:
            return not self.yields_to_bidder(seat)
        return BIDS.index(call) > BIDS.index(self.standing)

    def legal(self) -> list[str]:
        """The calls open to the seat in turn, sorted."""
        if self.turn is None:
            return []
        return sorted(call for call in CALLS if self.is_allowed(self.turn, call))

    def take(self, seat: int, call: str) -> bool:
        """Makes an allowed call of the seat in turn; answers whether the bidding is over now."""
        self.made.append((seat, call))
        if call == PASS:
            self.passed += (seat,)
        else:
            self.standing, self.bidder = call, seat
        passes = len(self.passed)
        if passes == SEATS or (passes == SEATS - 1 and self.bidder is not None):  # QUA-4.13, 4.15
            self.turn = None
            return True
        other = (seat + 1) % SEATS
        while other in self.passed:
            other = (other + 1) % SEATS
        self.turn = other  # QUA-4.7, 4.8
        return False
