"""The score sheet of a Quadrille deal against the computed amounts (QUA-11.47 to 11.52); compared, never believed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from ledger.events import ScoreClaimed
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.settlement import Settlement, amounts_beside, beside, bonuses_told, rest_beside, totals_after
from ledger.games.quadrille.irregularities import violation
from ledger.games.quadrille.scoring import BONUSES, bonuses

Reason: TypeAlias = Literal[
    "ante",
    "vole_stake",
    "pool_win",
    "remise",
    "codille_share",
    "codille_payment",
    "matadors",
    "premiers",
    "vole_made",
    "vole_failed",
    "consolation",
    "solo_bonus",
    "vole_pool",
    "vole_pool_rest",
]
"""The ledger reasons of QUA-7.32."""

_RULES = {
    "matadors": "QUA-7.20",
    "premiers": "QUA-7.21",
    "vole_made": "QUA-7.22",
    "vole_failed": "QUA-7.23",
    "consolation": "QUA-7.24",
    "solo_bonus": "QUA-7.25",
}


class QuadrilleSheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The game's own field of a score sheet (contract 6), optional: which bonuses the table paid."""

    bonuses: tuple[Reason, ...] | None = None


def compare_sheet(
    claim: ScoreClaimed, settlement: Settlement | None, totals_before: Sequence[int], pool_before: int, version: int
) -> list[Violation]:
    """What the sheet says otherwise; for a deal without a computed result only whether it adds up."""
    found: list[Violation] = []
    if settlement is not None:
        found.extend(_amounts(claim, settlement, totals_before, version))
        found.extend(_bonuses(claim, settlement, version))
    return [*found, *_sum(claim, pool_before, settlement, version)]


def compare_amounts(
    claim: ScoreClaimed, settlement: Settlement, totals_before: Sequence[int], version: int
) -> list[Violation]:
    """What the sheet says otherwise than amounts that a ruling orders."""
    found = _amounts(claim, settlement, totals_before, version)
    return [*found, *_sum(claim, settlement.pool_before, settlement, version)]


def _sum(claim: ScoreClaimed, pool_before: int, settlement: Settlement | None, version: int) -> list[Violation]:
    """QUA-11.49."""
    rest = rest_beside(claim, pool_before, settlement)
    return [] if rest is None else [violation("sheet_not_zero_sum", "QUA-7.35", version, None, None, **rest)]


def _amounts(
    claim: ScoreClaimed, settlement: Settlement, totals_before: Sequence[int], version: int
) -> list[Violation]:
    """The amounts right after the settlement, before any adjustment (QUA-8.8)."""
    found = []
    totals = totals_after(totals_before, settlement.deltas)
    both = amounts_beside(claim, settlement.deltas, totals, settlement.pool_after)
    if claim.deltas is not None and claim.deltas != tuple(settlement.deltas):
        found.append(violation("score_mismatch", "QUA-7.33", version, deltas=settlement.deltas, **both))
    if claim.pool is not None and claim.pool != settlement.pool_after:
        found.append(violation("pool_mismatch", "QUA-7.35", version, pool=settlement.pool_after, **both))
    if claim.totals is not None and claim.totals != totals:
        found.append(violation("balance_mismatch", "QUA-8.2", version, totals=list(totals), **both))
    return found


def _bonuses(claim: ScoreClaimed, settlement: Settlement, version: int) -> list[Violation]:
    sheet = msgspec.convert(claim.sheet or {}, QuadrilleSheet)
    if sheet.bonuses is None:
        return []
    claimed, due = frozenset(sheet.bonuses) & BONUSES, bonuses(settlement.lines)
    both = beside((bonuses_told(sheet.bonuses), bonuses_told(sorted(due))))
    found = []
    for name, wrong in (("false_bonus", sorted(claimed - due)), ("missed_bonus", sorted(due - claimed))):
        if wrong:
            found.append(violation(name, _RULES[wrong[0]], version, bonuses=wrong, **both))
    return found
