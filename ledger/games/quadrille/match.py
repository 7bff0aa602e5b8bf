"""The state of a Quadrille match from deal to deal, and the check of score sheets (QUA-3, 7, 8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

import msgspec
from mypy_extensions import mypyc_attr

from ledger.events import ScoreClaimed
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.payments import PaymentMatch, shared_pool_lines
from ledger.games.kernel.settlement import (
    ScoreLine,
    Settlement,
    amounts_comparison,
    bonuses_words,
    comparison,
    rest_comparison,
    totals_after,
)
from ledger.games.quadrille.deal import QuadrilleDeal
from ledger.games.quadrille.irregularities import HALTING, violation
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.games.quadrille.outcome import QuadrilleOutcome, QuadrilleSheet
from ledger.games.quadrille.scoring import BONUSES, ante_lines, bonuses, payment_lines

_RULES: Final = {
    "matadors": "QUA-7.20",
    "premiers": "QUA-7.21",
    "vole_made": "QUA-7.22",
    "vole_failed": "QUA-7.23",
    "consolation": "QUA-7.24",
    "solo_bonus": "QUA-7.25",
}
"""The rule by which each bonus is paid."""


@mypyc_attr(allow_interpreted_subclasses=True)  # a match is copied for dry runs
class QuadrilleMatch(PaymentMatch):
    """A Quadrille match. Balances and pool always add up to their initial sum (QUA-7.36)."""

    halting: ClassVar[frozenset[str]] = HALTING

    def __init__(self, options: QuadrilleOptions, seats: int) -> None:
        super().__init__(seats, options.match_deals, options.starting_counters, options.initial_pool)
        self.options = options

    def start_deal(self, dealer: int) -> QuadrilleDeal:
        """Start a deal."""
        self.begin(dealer)
        return QuadrilleDeal(self.options, dealer)

    def wrong_dealer(self, dealer: int, version: int) -> Violation:
        """Return the finding that another seat should have dealt (QUA-3.13)."""
        return violation("wrong_dealer", "QUA-3.13", version, dealer, due=self.expected_dealer())

    def after_match(self, seat: int | None, version: int) -> Violation:
        """Return the finding that the match had already ended (QUA-8.4)."""
        return violation("action_after_match_end", "QUA-8.4", version, seat)

    def ante_lines(self, dealer: int) -> list[ScoreLine]:
        """Return the antes of a deal (QUA-3.4)."""
        return ante_lines(dealer, self.options)

    def payment_lines(self, outcome: QuadrilleOutcome, dealer: int, pool: int) -> list[ScoreLine]:
        """Return the payments of a deal (QUA-7.32)."""
        return payment_lines(outcome, self.options, pool)

    def closing_lines(self) -> list[ScoreLine]:
        """Return the shares of the pool at the end of the match (QUA-8.5)."""
        if self.options.final_pool == "leave":
            return []
        last_dealer = self.last_dealer if self.last_counted_dealer is None else self.last_counted_dealer
        if last_dealer is None:
            last_dealer = self.options.first_dealer  # no deal has been played
        return shared_pool_lines(self.pool, self.seats, last_dealer, "QUA-8.5", "QUA-8.5")

    def refused_adjustment(self, deltas: Sequence[int], pool: int, version: int) -> Violation | None:
        """Return the finding that an adjustment moves nothing or takes more from the pool than it holds (QUA-8.6,
        11.53).
        """
        moves_nothing = not pool and not any(deltas)
        if moves_nothing or (pool < 0 and self.pool + pool < 0):
            return violation("illegal_adjust", "QUA-8.6", version)
        return None

    def compare(self, claim: ScoreClaimed, outcome: QuadrilleOutcome | None, version: int) -> Sequence[Violation]:
        """Return how the score sheet differs from the computed result (QUA-11.47 to 11.52).

        Without a computed result, check only whether the sheet adds up.
        """
        if outcome is None:
            return self._compare_sum(claim, None, version)
        settlement = self.computed(outcome)
        return [
            *self._compare_amounts(claim, settlement, version),
            *self._compare_bonuses(claim, settlement, version),
            *self._compare_sum(claim, settlement, version),
        ]

    def compare_amounts(self, claim: ScoreClaimed, settlement: Settlement, version: int) -> Sequence[Violation]:
        """Compare only the amounts of a sheet, for a deal whose payments a ruling replaces."""
        return [*self._compare_amounts(claim, settlement, version), *self._compare_sum(claim, settlement, version)]

    def _compare_sum(self, claim: ScoreClaimed, settlement: Settlement | None, version: int) -> list[Violation]:
        """Check that the sheet's amounts and the pool add up (QUA-11.49)."""
        rest = rest_comparison(claim, self.pool, settlement)
        return [] if rest is None else [violation("sheet_not_zero_sum", "QUA-7.35", version, None, None, **rest)]

    def _compare_amounts(self, claim: ScoreClaimed, settlement: Settlement, version: int) -> list[Violation]:
        """Compare the amounts right after the settlement, before any adjustment (QUA-8.8)."""
        violations = []
        totals = totals_after(self.totals, settlement.deltas)
        both = amounts_comparison(claim, settlement.deltas, totals, settlement.pool_after)
        if claim.deltas is not None and claim.deltas != tuple(settlement.deltas):
            violations.append(violation("score_mismatch", "QUA-7.33", version, deltas=settlement.deltas, **both))
        if claim.pool is not None and claim.pool != settlement.pool_after:
            violations.append(violation("pool_mismatch", "QUA-7.35", version, pool=settlement.pool_after, **both))
        if claim.totals is not None and claim.totals != totals:
            violations.append(violation("balance_mismatch", "QUA-8.2", version, totals=list(totals), **both))
        return violations

    def _compare_bonuses(self, claim: ScoreClaimed, settlement: Settlement, version: int) -> list[Violation]:
        sheet = msgspec.convert(claim.sheet or {}, QuadrilleSheet)
        if sheet.bonuses is None:
            return []
        claimed, due = frozenset(sheet.bonuses) & BONUSES, bonuses(settlement.lines)
        both = comparison((bonuses_words(sheet.bonuses), bonuses_words(sorted(due))))
        violations = []
        for name, wrong in (("false_bonus", sorted(claimed - due)), ("missed_bonus", sorted(due - claimed))):
            if wrong:
                violations.append(violation(name, _RULES[wrong[0]], version, bonuses=wrong, **both))
        return violations
