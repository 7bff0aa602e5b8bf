"""The interface of a match: the state carried from deal to deal, and the comparison with score sheets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from mypy_extensions import mypyc_attr

from ledger.events import RulingGiven, ScoreClaimed
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.findings import Decision, Violation
from ledger.games.kernel.settlement import Closing, Settlement
from ledger.games.kernel.views import DealStatus


@mypyc_attr(allow_interpreted_subclasses=True)
class Match(ABC):
    """The state carried from deal to deal: totals, pool or board, the next dealer, the end.

    `scores_after_end`: deals after the end of the match are reported, but scored and counted. `excused_by_ruling`:
    codes of irregularities that are none once a ruling decides the deal. `halting`: codes after which the rest of a
    deal, including a score sheet, is skipped.
    """

    seats: int
    totals: list[int]
    is_over: bool
    last_dealer: int | None
    is_redeal: bool
    scores_after_end: ClassVar[bool] = False
    excused_by_ruling: ClassVar[frozenset[str]] = frozenset()
    halting: ClassVar[frozenset[str]] = frozenset()

    def expected_dealer(self) -> int | None:
        """Return the next dealer: the next seat, or the same one after a voided deal; None before the first deal."""
        if self.last_dealer is None:
            return None
        return self.last_dealer if self.is_redeal else (self.last_dealer + 1) % self.seats

    @abstractmethod
    def wrong_dealer(self, dealer: int, version: int) -> Violation:
        """Return the violation for a deal by another seat than `expected_dealer`."""

    @abstractmethod
    def after_match(self, seat: int | None, version: int) -> Violation:
        """Return the violation for an act after the end of the match."""

    @abstractmethod
    def start_deal(self, dealer: int) -> Deal:
        """Begin a deal: take the antes and return its state machine."""

    @abstractmethod
    def progress(self) -> Settlement:
        """Return what the deal in progress has moved so far, i.e. its antes."""

    @abstractmethod
    def stake(self) -> Settlement:
        """Carry over what the deal in progress has moved so far, because the record ends in it."""

    @abstractmethod
    def computed(self, outcome: Any) -> Settlement:
        """Return what the deal in progress moves by the rules alone. The match does not change."""

    @abstractmethod
    def settle(
        self, status: DealStatus, outcome: Any | None, decision: Decision | None
    ) -> tuple[DealStatus, Settlement]:
        """End the deal in progress, carry over its result, and return its final status with what it moved."""

    def forget_redeal(self) -> None:
        """Note that the next deal had begun before a ruling annulled the last one: it is no redeal and pays antes."""
        self.is_redeal = False

    @abstractmethod
    def compare(self, claim: ScoreClaimed, outcome: Any | None, version: int) -> Sequence[Violation]:
        """Return the differences between a score sheet and the rules; no `outcome`: the deal cannot be scored."""

    def compare_accepted(self, claim: ScoreClaimed, accepted: ScoreClaimed, version: int) -> Sequence[Violation]:
        """Compare a sheet with the one that the director has accepted for a deal that its cards do not settle.

        It is that sheet itself, or a later one. A game that scores the accepted sheet by its rules compares with that
        score.
        """
        return self.compare(claim, None, version)

    def compare_ruled(self, claim: ScoreClaimed, ruling: RulingGiven, version: int) -> Sequence[Violation]:
        """Return the differences between a score sheet and a ruling that states the score (`replace`, `award`)."""
        return ()

    @abstractmethod
    def adjust(self, deltas: Sequence[int], pool: int) -> None:
        """Apply a director's adjustment at its place in the record."""

    def refused_adjustment(self, deltas: Sequence[int], pool: int, version: int) -> Violation | None:
        """Return the violation for an adjustment that the rulebook forbids, or None; a forbidden one has no effect."""
        return None

    @abstractmethod
    def close(self) -> Closing | None:
        """End the match and pay out what is left; return None if nothing is paid, or if it was paid before."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Return the carried state for `score`: the pool, the board or the game points."""

    @abstractmethod
    def winners(self) -> list[int]:
        """Return all seats that win the match by the present totals."""
