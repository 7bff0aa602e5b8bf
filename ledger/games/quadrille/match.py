"""What carries from deal to deal at a Quadrille table: pool, dealer, the end of the match (QUA sections 3, 8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from mypy_extensions import mypyc_attr

from ledger.events import ScoreClaimed
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.payments import PaymentMatch, shared_pool_lines
from ledger.games.kernel.settlement import ScoreLine, Settlement
from ledger.games.quadrille.deal import QuadrilleDeal
from ledger.games.quadrille.irregularities import HALTING, violation
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.games.quadrille.outcome import QuadrilleOutcome
from ledger.games.quadrille.scoring import ante_lines, payment_lines
from ledger.games.quadrille.sheet import compare_amounts, compare_sheet


@mypyc_attr(allow_interpreted_subclasses=True)  # a match is copied: what would come of an act is tried on a twin
class QuadrilleMatch(PaymentMatch):
    """Balances and pool always add up to what they started with (QUA-7.36)."""

    halting: ClassVar[frozenset[str]] = HALTING

    def __init__(self, options: QuadrilleOptions, seats: int) -> None:
        super().__init__(seats, options.match_deals, options.starting_counters, options.initial_pool)
        self.options = options

    def start_deal(self, dealer: int) -> QuadrilleDeal:
        self.begin(dealer)
        return QuadrilleDeal(self.options, dealer)

    def wrong_dealer(self, dealer: int, version: int) -> Violation:
        return violation("wrong_dealer", "QUA-3.13", version, dealer, due=self.expected_dealer())

    def after_match(self, seat: int | None, version: int) -> Violation:
        return violation("action_after_match_end", "QUA-8.4", version, seat)

    def ante_lines(self, dealer: int) -> list[ScoreLine]:
        return ante_lines(dealer, self.options)

    def payment_lines(self, outcome: QuadrilleOutcome, dealer: int, pool: int) -> list[ScoreLine]:
        return payment_lines(outcome, self.options, pool)

    def closing_lines(self) -> list[ScoreLine]:
        """QUA-8.5."""
        if self.options.final_pool == "leave":
            return []
        last_dealer = self.last_dealer if self.last_counted_dealer is None else self.last_counted_dealer
        if last_dealer is None:
            last_dealer = self.options.first_dealer  # nobody has dealt yet
        return shared_pool_lines(self.pool, self.seats, last_dealer, "QUA-8.5", "QUA-8.5")

    def refused_adjustment(self, deltas: Sequence[int], pool: int, version: int) -> Violation | None:
        """QUA-11.53: it moves nothing, or takes more from the pool than it holds (QUA-8.6)."""
        moves_nothing = not pool and not any(deltas)
        if moves_nothing or (pool < 0 and self.pool + pool < 0):
            return violation("illegal_adjust", "QUA-8.6", version)
        return None

    def compare(self, claim: ScoreClaimed, outcome: Any | None, version: int) -> Sequence[Violation]:
        settlement = None if outcome is None else self.computed(outcome)
        return compare_sheet(claim, settlement, self.totals, self.pool, version)

    def compare_amounts(self, claim: ScoreClaimed, settlement: Settlement, version: int) -> Sequence[Violation]:
        return compare_amounts(claim, settlement, self.totals, version)
