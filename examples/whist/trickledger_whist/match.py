"""The state of a Whist match from deal to deal: points, the dealer, the end of the match (WHI sections 3, 8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ledger.events import ScoreClaimed
from ledger.games.kernel.findings import Decision, Violation
from ledger.games.kernel.payments import PaymentMatch
from ledger.games.kernel.settlement import Closing, ScoreLine, Settlement
from ledger.games.kernel.views import DealStatus
from trickledger_whist.deal import WhistDeal
from trickledger_whist.irregularities import violation
from trickledger_whist.options import WhistOptions
from trickledger_whist.outcome import WhistOutcome
from trickledger_whist.scoring import score_lines
from trickledger_whist.sheet import compare_sheet


class WhistMatch(PaymentMatch):
    """A Whist match. Totals are the points of each seat's side; there is no pool, and nobody pays for points."""

    counterpart = "board"

    def __init__(self, options: WhistOptions, seats: int) -> None:
        super().__init__(seats)
        self.options = options

    def start_deal(self, dealer: int) -> WhistDeal:
        """Start a deal."""
        self.begin(dealer)
        return WhistDeal(dealer)

    def wrong_dealer(self, dealer: int, version: int) -> Violation:
        """Return the finding that another seat should have dealt (WHI-3.4, 3.5)."""
        rule = "WHI-3.5" if self.is_redeal else "WHI-3.4"
        return violation("wrong_dealer", rule, version, dealer, due=self.expected_dealer())

    def after_match(self, seat: int | None, version: int) -> Violation:
        """Return the finding that the match had already ended (WHI-8.2)."""
        return violation("after_match", "WHI-8.2", version, seat)

    def ante_lines(self, dealer: int) -> list[ScoreLine]:
        """Return no lines: Whist has no ante."""
        return []

    def payment_lines(self, outcome: WhistOutcome, dealer: int, pool: int) -> list[ScoreLine]:
        """Return the points of a deal."""
        return score_lines(outcome)

    def closing_lines(self) -> list[ScoreLine]:
        """Return no lines: there is no pool to share."""
        return []

    def close(self) -> Closing | None:
        """Close the match, which pays out nothing."""
        super().close()
        return None  # there is nothing to pay out

    def settle(
        self, status: DealStatus, outcome: WhistOutcome | None, decision: Decision | None
    ) -> tuple[DealStatus, Settlement]:
        """Settle a deal and end the match if a side has enough points (WHI-8.2)."""
        settled = super().settle(status, outcome, decision)
        self._see_the_end()
        return settled

    def adjust(self, deltas: Sequence[int], pool: int) -> None:
        """Adjust the points by a ruling and end the match if a side has enough."""
        super().adjust(deltas, pool)
        self._see_the_end()

    def _see_the_end(self) -> None:
        self.is_over = self.is_over or max(self.totals) >= self.options.game_points  # WHI-8.2

    def compare(self, claim: ScoreClaimed, outcome: WhistOutcome | None, version: int) -> Sequence[Violation]:
        """Return how the score sheet differs from the computed result."""
        return () if outcome is None else compare_sheet(claim, outcome, self.computed(outcome), self.totals, version)

    def state(self) -> dict[str, Any]:
        """Return the points of both sides."""
        return {"points": self.totals[:2]}
