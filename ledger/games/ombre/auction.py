"""The auction of one Ombre deal: whose turn, what may be called, who becomes Ombre (OMB-4.1 to 4.22)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import mypyc_attr

from ledger.games.kernel.matadors import PASS, MatadorAuction

CONTRACT_CALLS: Final[tuple[str, ...]] = ("entrada", "vuelta", "solo")  # OMB-4.2, weakest first
FAVOUR_CALLS: Final[tuple[str, ...]] = ("entrada", "entrada_favour", "vuelta", "solo", "solo_favour")  # OMB-4.18
CALLS: Final = frozenset((PASS, *FAVOUR_CALLS))

CONTRACTS: Final = {call: call.removesuffix("_favour") for call in FAVOUR_CALLS}
"""A favour call is its contract with the duty to name the favourite suit (OMB-4.19)."""


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Auction(MatadorAuction):
    """The calls so far. `owed_pass`: who made an illegal call, and has passed if nothing else comes (OMB-11.16)."""

    __slots__ = ("owed_pass",)

    def __init__(self, order: tuple[int, int, int], with_favourite: bool) -> None:
        super().__init__(order, FAVOUR_CALLS if with_favourite else CONTRACT_CALLS)
        self.owed_pass: int | None = None

    @property
    def all_passed(self) -> bool:
        return self.turn is None and self.bidder is None

    def owe_pass(self, seat: int) -> None:
        self.owed_pass = seat

    def forgive_pass(self) -> None:
        self.owed_pass = None

    def take(self, seat: int, call: str) -> bool:
        self.owed_pass = None
        return super().take(seat, call)
