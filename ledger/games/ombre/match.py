"""What carries from deal to deal at an Ombre table: the pool, the dealer, the end of the match (OMB sections 3, 8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mypy_extensions import mypyc_attr

from ledger.events import ScoreClaimed
from ledger.games.kernel.findings import Decision, Violation
from ledger.games.kernel.payments import PaymentMatch, shared_pool_lines
from ledger.games.kernel.settlement import ScoreLine, Settlement
from ledger.games.kernel.views import DealStatus
from ledger.games.ombre.deal import OmbreDeal
from ledger.games.ombre.irregularities import violation
from ledger.games.ombre.options import OmbreOptions
from ledger.games.ombre.outcome import OmbreOutcome
from ledger.games.ombre.scoring import payment_lines
from ledger.games.ombre.sheet import compare_amounts, compare_sheet
from ledger.i18n import Words


@mypyc_attr(allow_interpreted_subclasses=True)  # a match is copied: what would come of an act is tried on a twin
class OmbreMatch(PaymentMatch):
    """Totals and pool start at 0 (OMB-8.1, 8.2) and add up to 0 at every moment (OMB-8.5)."""

    def __init__(self, options: OmbreOptions, seats: int) -> None:
        super().__init__(seats, options.match_deals)
        self.options = options
        self.last_completed_dealer: int | None = None

    def start_deal(self, dealer: int) -> OmbreDeal:
        self.begin(dealer)
        return OmbreDeal(self.options, self.seats, dealer)

    def settle(
        self, status: DealStatus, outcome: Any | None, decision: Decision | None
    ) -> tuple[DealStatus, Settlement]:
        status, settlement = super().settle(status, outcome, decision)
        if status == "complete":
            self.last_completed_dealer = self.dealer  # OMB-8.9
        return status, settlement

    def wrong_dealer(self, dealer: int, version: int) -> Violation:
        return violation("wrong_dealer", "OMB-3.11", version, dealer, due=self.expected_dealer())

    def after_match(self, seat: int | None, version: int) -> Violation:
        rule = "OMB-8.6" if self.options.match_deals else "OMB-8.7"
        return violation("after_match", rule, version, seat)

    def ante_lines(self, dealer: int) -> list[ScoreLine]:
        ante = self.options.ante
        return [ScoreLine("OMB-3.4", dealer, "pool", ante, Words("ante"))] if ante else []

    def payment_lines(self, outcome: OmbreOutcome, dealer: int, pool: int) -> list[ScoreLine]:
        return payment_lines(outcome, self.options, self.seats, dealer, pool)

    def closing_lines(self) -> list[ScoreLine]:
        """OMB-8.8 to 8.10; before the first deal there is nothing in the pool."""
        if self.options.final_pool == "leave" or self.last_dealer is None:
            return []
        last_dealer = self.last_dealer if self.last_completed_dealer is None else self.last_completed_dealer
        return shared_pool_lines(self.pool, self.seats, last_dealer, "OMB-8.8", "OMB-8.9")

    def compare(self, claim: ScoreClaimed, outcome: Any | None, version: int) -> Sequence[Violation]:
        settlement = None if outcome is None else self.computed(outcome)
        return compare_sheet(claim, outcome, settlement, self.options, self.totals, self.pool, version)

    def compare_amounts(self, claim: ScoreClaimed, settlement: Settlement, version: int) -> Sequence[Violation]:
        return compare_amounts(claim, settlement, self.totals, version)
