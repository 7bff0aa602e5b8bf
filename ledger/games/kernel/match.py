"""What the match of a game is: what carries from deal to deal, and what it says of score sheets and adjustments."""

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
    """What carries from deal to deal: totals, pool or board, who deals, when it is over.

    `scores_after_end`: deals after the end of the match are found, but scored and counted all the same.
    `excused_by_ruling`: what is no irregularity where a ruling decides the deal, by the codes of section 11.
    `halting`: after which of them the rest of a deal is skipped, a score sheet too.
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
        """The next seat, or the same one after a voided deal; None before the first deal: the record decides."""
        if self.last_dealer is None:
            return None
        return self.last_dealer if self.is_redeal else (self.last_dealer + 1) % self.seats

    @abstractmethod
    def wrong_dealer(self, dealer: int, version: int) -> Violation:
        """The finding for a deal by another seat than `expected_dealer`."""

    @abstractmethod
    def after_match(self, seat: int | None, version: int) -> Violation:
        """The finding for an action after the end of the match."""

    @abstractmethod
    def start_deal(self, dealer: int) -> Deal:
        """Begins a deal: takes the antes and answers its state machine."""

    @abstractmethod
    def progress(self) -> Settlement:
        """What the deal in progress has moved so far: nothing but its antes."""

    @abstractmethod
    def stake(self) -> Settlement:
        """Carries what the deal in progress has moved so far, because the record ends in it."""

    @abstractmethod
    def computed(self, outcome: Any) -> Settlement:
        """What the deal in progress moves by the rules alone; changes nothing."""

    @abstractmethod
    def settle(
        self, status: DealStatus, outcome: Any | None, decision: Decision | None
    ) -> tuple[DealStatus, Settlement]:
        """Ends the deal in progress, carries its result on, and answers its final status."""

    def forget_redeal(self) -> None:
        """The next deal had begun before a ruling annulled the last one: it does not replace it and pays antes."""
        self.is_redeal = False

    @abstractmethod
    def compare(self, claim: ScoreClaimed, outcome: Any | None, version: int) -> Sequence[Violation]:
        """What a score sheet says otherwise than the rules, for the deal in progress; None outcome: not scorable."""

    def compare_accepted(self, claim: ScoreClaimed, accepted: ScoreClaimed, version: int) -> Sequence[Violation]:
        """As `compare`, for a deal that its cards do not settle and for which the director has accepted a sheet.

        A game that scores the accepted sheet by its rules compares with what it makes.
        """
        return self.compare(claim, None, version)

    def compare_ruled(self, claim: ScoreClaimed, ruling: RulingGiven, version: int) -> Sequence[Violation]:
        """What a score sheet says otherwise than a ruling that says the score itself: one of `replace` or `award`."""
        return ()

    @abstractmethod
    def adjust(self, deltas: Sequence[int], pool: int) -> None:
        """A director's adjustment, at its place in the record."""

    def refused_adjustment(self, deltas: Sequence[int], pool: int, version: int) -> Violation | None:
        """The finding for an adjustment that the rulebook does not allow and that has no effect; None: carried out."""
        return None

    @abstractmethod
    def close(self) -> Closing | None:
        """Ends the match and pays out what is left; None where nothing is paid or it was paid before."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """What carries on, for `score`: the pool, the board or the game points."""

    @abstractmethod
    def winners(self) -> list[int]:
        """All seats that have won the match as the totals stand."""
