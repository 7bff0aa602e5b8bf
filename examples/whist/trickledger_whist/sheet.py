"""The score sheet of a Whist deal, compared with the computed result (WHI-11.23, 11.24)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, convert

from ledger.events import ScoreClaimed
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.settlement import Settlement
from trickledger_whist.irregularities import violation
from trickledger_whist.outcome import WhistOutcome


class WhistSheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Whist's own field of a score sheet, optional."""

    tricks: tuple[int, int] | None = None


def compare_sheet(
    claim: ScoreClaimed, outcome: WhistOutcome, settlement: Settlement, totals_before: Sequence[int], version: int
) -> list[Violation]:
    """Return how the sheet differs from the computed result."""
    violations = []
    sheet = convert(claim.sheet or {}, WhistSheet)
    if sheet.tricks not in (None, outcome.tricks):
        violations.append(violation("wrong_result", "WHI-7.1", version, tricks=list(outcome.tricks)))
    deltas = tuple(settlement.deltas)
    totals = tuple(before + delta for before, delta in zip(totals_before, deltas, strict=True))
    if claim.deltas not in (None, deltas) or claim.totals not in (None, totals):
        violations.append(violation("score_mismatch", "WHI-7.2", version, deltas=list(deltas), totals=list(totals)))
    return violations
