"""What carries from deal to deal: totals, the dealer, the end of the match (KOP section 8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from mypy_extensions import mypyc_attr

from ledger.events import ScoreClaimed
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.payments import PaymentMatch
from ledger.games.kernel.settlement import Closing, ScoreLine, Settlement
from ledger.games.kop.deal import KopDeal
from ledger.games.kop.facts import bidder_of, effective_doublings
from ledger.games.kop.irregularities import violation
from ledger.games.kop.options import KopOptions
from ledger.games.kop.outcome import KopOutcome
from ledger.games.kop.scoring import payment_lines
from ledger.games.kop.sheet import compare_amounts, compare_sheet, stated_deltas


@mypyc_attr(allow_interpreted_subclasses=True)  # a match is copied: what would come of an act is tried on a twin
class KopMatch(PaymentMatch):
    """Totals start at 0 (KOP-8.1) and add up to 0 at every moment (KOP-8.2); there is no pool (KOP-8.8)."""

    scores_after_end: ClassVar[bool] = True  # KOP-11.71

    def __init__(self, options: KopOptions, seats: int) -> None:
        super().__init__(seats, options.match_length)  # KOP-8.6
        self.options = options
        self.deal = KopDeal(options, 0)

    def start_deal(self, dealer: int) -> KopDeal:
        self.begin(dealer)
        self.deal = KopDeal(self.options, dealer)
        return self.deal

    def wrong_dealer(self, dealer: int, version: int) -> Violation:
        rule = "KOP-8.4" if self.is_redeal else "KOP-3.2"
        return violation("wrong_dealer", rule, version, dealer, due=self.expected_dealer())

    def after_match(self, seat: int | None, version: int) -> Violation:
        return violation("after_match", "KOP-8.6", version, seat)

    def ante_lines(self, dealer: int) -> list[ScoreLine]:
        return []  # KOP-3.7

    def payment_lines(self, outcome: KopOutcome, dealer: int, pool: int) -> list[ScoreLine]:
        return payment_lines(outcome, self.options, effective_doublings(self.deal) if outcome.doublings else ())

    def closing_lines(self) -> list[ScoreLine]:
        return []  # KOP-8.8

    def accepted_deltas(self, claim: ScoreClaimed) -> Sequence[int] | None:
        """Any part of the sheet will do that tells them (KOP section 10), if it adds up: there is no pool (KOP-8.2)."""
        deltas = stated_deltas(claim, self.totals)
        return None if deltas is None or sum(deltas) != 0 else deltas

    def close(self) -> Closing | None:
        """The match ends when the session is closed (KOP-8.5), and nothing is paid out."""
        self.is_over = True
        return None

    def state(self) -> dict[str, Any]:
        return {}

    def compare(self, claim: ScoreClaimed, outcome: KopOutcome | None, version: int) -> Sequence[Violation]:
        settlement = None if outcome is None else self.computed(outcome)
        return compare_sheet(claim, outcome, settlement, self.options, bidder_of(self.deal), self.totals, version)

    def compare_amounts(self, claim: ScoreClaimed, settlement: Settlement, version: int) -> Sequence[Violation]:
        return compare_amounts(claim, settlement, self.totals, version)
