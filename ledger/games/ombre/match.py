"""The state of an Ombre match from deal to deal, and the check of score sheets (OMB sections 3, 7, 8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from mypy_extensions import mypyc_attr

from ledger.events import ScoreClaimed
from ledger.games.kernel.findings import Decision, Violation
from ledger.games.kernel.payments import PaymentMatch, shared_pool_lines
from ledger.games.kernel.settlement import (
    ScoreLine,
    Settlement,
    amounts_comparison,
    amounts_words,
    bonuses_words,
    comparison,
    rest_comparison,
    totals_after,
)
from ledger.games.kernel.views import DealStatus
from ledger.games.ombre.deal import OmbreDeal
from ledger.games.ombre.irregularities import violation
from ledger.games.ombre.options import OmbreOptions
from ledger.games.ombre.outcome import OmbreOutcome, OmbreSheet
from ledger.games.ombre.scoring import bonuses, payment_lines
from ledger.i18n import Words

_RULE_OF_BONUS: Final[dict[str, str]] = {
    "VUELTA": "OMB-7.5",
    "SOLO": "OMB-7.5",
    "FAVOUR": "OMB-7.6",
    "ESTUCHES": "OMB-7.8",
    "PRIMERAS": "OMB-7.9",
    "VOLE": "OMB-7.19",
    "VOLE_FAILED": "OMB-7.22",
}

_RULE_OF_RESULT: Final[dict[str | None, str]] = {
    "SACADA": "OMB-7.18",
    "SACADA_VOLE": "OMB-7.19",
    "SACADA_VOLE_FAILED": "OMB-7.20",
    "CODILLE": "OMB-7.23",
    "PUESTA": "OMB-7.26",
    "SURRENDER": "OMB-7.26",
    "DEFENDED_WON": "OMB-7.28",
    "DEFENDED_CODILLE": "OMB-7.29",
    "DEFENDED_SAVED": "OMB-7.30",
    "DEFENDED_DOUBLE_PUESTA": "OMB-7.31",
    "ALL_PASS": "OMB-7.32",
}
"""The first rule by which each result is paid."""

_PAYMENTS_BEGIN: Final = "OMB-7.18"
"""The first of all payment rules, for a ruling that replaces the payments without naming a rule."""


@mypyc_attr(allow_interpreted_subclasses=True)  # a match is copied for dry runs
class OmbreMatch(PaymentMatch):
    """An Ombre match. Totals and pool start at 0 (OMB-8.1, 8.2) and always add up to 0 (OMB-8.5)."""

    def __init__(self, options: OmbreOptions, seats: int) -> None:
        super().__init__(seats, options.match_deals)
        self.options = options
        self.last_completed_dealer: int | None = None

    def start_deal(self, dealer: int) -> OmbreDeal:
        """Start a deal."""
        self.begin(dealer)
        return OmbreDeal(self.options, self.seats, dealer)

    def settle(
        self, status: DealStatus, outcome: Any | None, decision: Decision | None
    ) -> tuple[DealStatus, Settlement]:
        """Settle a deal and remember the last dealer of a complete one (OMB-8.9)."""
        status, settlement = super().settle(status, outcome, decision)
        if status == "complete":
            self.last_completed_dealer = self.dealer  # OMB-8.9
        return status, settlement

    def wrong_dealer(self, dealer: int, version: int) -> Violation:
        """Return the finding that another seat should have dealt (OMB-3.11)."""
        return violation("wrong_dealer", "OMB-3.11", version, dealer, due=self.expected_dealer())

    def after_match(self, seat: int | None, version: int) -> Violation:
        """Return the finding that the match had already ended (OMB-8.6, 8.7)."""
        rule = "OMB-8.6" if self.options.match_deals else "OMB-8.7"
        return violation("after_match", rule, version, seat)

    def ante_lines(self, dealer: int) -> list[ScoreLine]:
        """Return the dealer's ante (OMB-3.4)."""
        ante = self.options.ante
        return [ScoreLine("OMB-3.4", dealer, "pool", ante, Words("ante"))] if ante else []

    def payment_lines(self, outcome: OmbreOutcome, dealer: int, pool: int) -> list[ScoreLine]:
        """Return the payments of a deal (OMB-7.18 to 7.32)."""
        return payment_lines(outcome, self.options, self.seats, dealer, pool)

    def closing_lines(self) -> list[ScoreLine]:
        """Return the shares of the pool at the end (OMB-8.8 to 8.10); before the first deal the pool is empty."""
        if self.options.final_pool == "leave" or self.last_dealer is None:
            return []
        last_dealer = self.last_dealer if self.last_completed_dealer is None else self.last_completed_dealer
        return shared_pool_lines(self.pool, self.seats, last_dealer, "OMB-8.8", "OMB-8.9")

    def compare(self, claim: ScoreClaimed, outcome: OmbreOutcome | None, version: int) -> Sequence[Violation]:
        """Return how the score sheet differs from the computed result (OMB-11.44 to 11.48).

        Without a computed result, check only whether the sheet adds up.
        """
        if outcome is None:
            return self._compare_sum(claim, None, version)
        sheet, settlement = msgspec.convert(claim.sheet or {}, OmbreSheet), self.computed(outcome)
        facts = self._compare_facts(sheet, outcome, version)
        return [*facts, *self._compare_amounts(claim, settlement, _RULE_OF_RESULT[outcome.result], version)]

    def compare_amounts(self, claim: ScoreClaimed, settlement: Settlement, version: int) -> Sequence[Violation]:
        """Compare only the amounts of a sheet, for a deal whose payments a ruling replaces."""
        return self._compare_amounts(claim, settlement, _PAYMENTS_BEGIN, version)

    def _compare_amounts(self, claim: ScoreClaimed, settlement: Settlement, rule: str, version: int) -> list[Violation]:
        sum_faults = self._compare_sum(claim, settlement, version)
        totals = totals_after(self.totals, settlement.deltas)
        wrong = (
            (claim.deltas is not None and claim.deltas != tuple(settlement.deltas))
            or (claim.pool is not None and claim.pool != settlement.pool_after)
            or (claim.totals is not None and claim.totals != totals)
        )
        if not wrong:
            return sum_faults
        values = {"deltas": settlement.deltas, "pool": settlement.pool_after, "totals": list(totals)}
        both = amounts_comparison(claim, settlement.deltas, totals, settlement.pool_after)
        return [violation("score_mismatch", rule, version, None, None, **values, **both), *sum_faults]

    def _compare_sum(self, claim: ScoreClaimed, settlement: Settlement | None, version: int) -> list[Violation]:
        """Check that the sheet's amounts and the pool add up (OMB-11.48)."""
        rest = rest_comparison(claim, self.pool, settlement)
        return [] if rest is None else [violation("not_zero_sum", "OMB-7.36", version, None, None, **rest)]

    def _compare_facts(self, sheet: OmbreSheet, outcome: OmbreOutcome, version: int) -> list[Violation]:
        violations = []
        wrong_outcome = sheet.outcome is not None and sheet.outcome.upper() != outcome.result
        wrong_tricks = sheet.tricks is not None and sheet.tricks != outcome.tricks
        if wrong_outcome or wrong_tricks:
            rule = "OMB-7.15" if outcome.defender is None else "OMB-7.14"
            both = comparison(
                (_result_words(sheet.outcome), Words("sheet_result", {"result": outcome.result})),
                (amounts_words("sheet_tricks", sheet.tricks), amounts_words("sheet_tricks", outcome.tricks)),
            )
            values = {"result": outcome.result, "tricks": list(outcome.tricks)}
            violations.append(violation("wrong_result", rule, version, None, None, **values, **both))
        due = bonuses(outcome, self.options)
        claimed: frozenset[str] = frozenset(sheet.bonuses) if sheet.bonuses is not None else due
        if outcome.estuches is None and not self.options.estuche_points:
            claimed -= {"ESTUCHES"}  # the run is unknown and worth nothing
        wrong_run = outcome.estuches is not None and sheet.estuches not in (None, outcome.estuches)
        wrong, missed = sorted(claimed - due), sorted(due - claimed)
        both = comparison(
            (_run_words(sheet.estuches), _run_words(outcome.estuches) or Words("sheet_estuches", {"estuches": None})),
            (None if sheet.bonuses is None else bonuses_words(sheet.bonuses), bonuses_words(sorted(due))),
        )
        if wrong_run or wrong:
            rule = "OMB-7.7" if wrong_run else _RULE_OF_BONUS[wrong[0]]
            false: dict[str, Any] = {"estuches": outcome.estuches, "bonuses": wrong}
            violations.append(violation("false_claim", rule, version, None, None, **false, **both))
        if missed:
            rule = _RULE_OF_BONUS[missed[0]]
            violations.append(violation("bonus_missed", rule, version, None, None, bonuses=missed, **both))
        return violations


def _result_words(outcome: str | None) -> Words | None:
    if outcome is None:
        return None
    is_known = outcome.upper() in _RULE_OF_RESULT
    return Words("sheet_result", {"result": outcome.upper()}) if is_known else Words("sheet_no_result")


def _run_words(estuches: int | None) -> Words | None:
    return None if estuches is None else Words("sheet_estuches", {"estuches": estuches})
