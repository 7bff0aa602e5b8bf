"""The score sheet of an Ombre deal against the computed result (OMB-11.44 to 11.48); compared, never believed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from ledger.events import ScoreClaimed
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.settlement import (
    Settlement,
    amounts_beside,
    beside,
    bonuses_told,
    rest_beside,
    told_by_seat,
    totals_after,
)
from ledger.games.ombre.irregularities import violation
from ledger.games.ombre.options import OmbreOptions
from ledger.games.ombre.outcome import OmbreOutcome
from ledger.games.ombre.scoring import bonuses
from ledger.i18n import Words

Bonus: TypeAlias = Literal["VUELTA", "SOLO", "FAVOUR", "ESTUCHES", "PRIMERAS", "VOLE", "VOLE_FAILED"]

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
"""The first of the rules by which such a deal is paid."""

_PAYMENTS_BEGIN: Final = "OMB-7.18"
"""The first of all rules on payments: a ruling that replaces them does not say in whose place it stands."""


class OmbreSheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The game's own fields of a score sheet (contract 6): all optional, only what is written is compared."""

    outcome: str | None = None
    tricks: tuple[int, ...] | None = None
    estuches: int | None = None
    bonuses: tuple[Bonus, ...] | None = None


def compare_sheet(
    claim: ScoreClaimed,
    outcome: OmbreOutcome | None,
    settlement: Settlement | None,
    options: OmbreOptions,
    totals_before: Sequence[int],
    pool_before: int,
    version: int,
) -> list[Violation]:
    """What the sheet says otherwise; for a deal without a computed result only whether it adds up."""
    found: list[Violation] = []
    if outcome is not None and settlement is not None:
        sheet = msgspec.convert(claim.sheet or {}, OmbreSheet)
        found.extend(_facts(sheet, outcome, options, version))
        found.extend(_amounts(claim, settlement, totals_before, _RULE_OF_RESULT[outcome.result], version))
    return [*found, *_sum(claim, pool_before, settlement, version)]


def compare_amounts(
    claim: ScoreClaimed, settlement: Settlement, totals_before: Sequence[int], version: int
) -> list[Violation]:
    """What the sheet says otherwise than amounts that a ruling orders."""
    found = _amounts(claim, settlement, totals_before, _PAYMENTS_BEGIN, version)
    return [*found, *_sum(claim, settlement.pool_before, settlement, version)]


def _sum(claim: ScoreClaimed, pool_before: int, settlement: Settlement | None, version: int) -> list[Violation]:
    """OMB-11.48."""
    rest = rest_beside(claim, pool_before, settlement)
    return [] if rest is None else [violation("not_zero_sum", "OMB-7.36", version, None, None, **rest)]


def _facts(sheet: OmbreSheet, outcome: OmbreOutcome, options: OmbreOptions, version: int) -> list[Violation]:
    found = []
    wrong_outcome = sheet.outcome is not None and sheet.outcome.upper() != outcome.result
    wrong_tricks = sheet.tricks is not None and sheet.tricks != outcome.tricks
    if wrong_outcome or wrong_tricks:
        rule = "OMB-7.15" if outcome.defender is None else "OMB-7.14"
        both = beside(
            (_result_told(sheet.outcome), Words("sheet_result", {"result": outcome.result})),
            (told_by_seat("sheet_tricks", sheet.tricks), told_by_seat("sheet_tricks", outcome.tricks)),
        )
        values = {"result": outcome.result, "tricks": list(outcome.tricks)}
        found.append(violation("wrong_result", rule, version, None, None, **values, **both))
    due = bonuses(outcome, options)
    claimed: frozenset[str] = frozenset(sheet.bonuses) if sheet.bonuses is not None else due
    if outcome.estuches is None and not options.estuche_points:
        claimed -= {"ESTUCHES"}  # of a run that the record does not tell, and that is worth nothing
    wrong_run = outcome.estuches is not None and sheet.estuches not in (None, outcome.estuches)
    wrong, missed = sorted(claimed - due), sorted(due - claimed)
    both = beside(
        (_run_told(sheet.estuches), _run_told(outcome.estuches) or Words("sheet_estuches", {"estuches": None})),
        (None if sheet.bonuses is None else bonuses_told(sheet.bonuses), bonuses_told(sorted(due))),
    )
    if wrong_run or wrong:
        rule = "OMB-7.7" if wrong_run else _RULE_OF_BONUS[wrong[0]]
        false: dict[str, Any] = {"estuches": outcome.estuches, "bonuses": wrong}
        found.append(violation("false_claim", rule, version, None, None, **false, **both))
    if missed:
        rule = _RULE_OF_BONUS[missed[0]]
        found.append(violation("bonus_missed", rule, version, None, None, bonuses=missed, **both))
    return found


def _result_told(outcome: str | None) -> Words | None:
    if outcome is None:
        return None
    is_known = outcome.upper() in _RULE_OF_RESULT
    return Words("sheet_result", {"result": outcome.upper()}) if is_known else Words("sheet_no_result")


def _run_told(estuches: int | None) -> Words | None:
    return None if estuches is None else Words("sheet_estuches", {"estuches": estuches})


def _amounts(
    claim: ScoreClaimed, settlement: Settlement, totals_before: Sequence[int], rule: str, version: int
) -> list[Violation]:
    totals = totals_after(totals_before, settlement.deltas)
    wrong = (
        (claim.deltas is not None and claim.deltas != tuple(settlement.deltas))
        or (claim.pool is not None and claim.pool != settlement.pool_after)
        or (claim.totals is not None and claim.totals != totals)
    )
    if not wrong:
        return []
    values = {"deltas": settlement.deltas, "pool": settlement.pool_after, "totals": list(totals)}
    both = amounts_beside(claim, settlement.deltas, totals, settlement.pool_after)
    return [violation("score_mismatch", rule, version, None, None, **values, **both)]
