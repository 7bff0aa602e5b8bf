"""Chooses the deals of a session that are worth looking at, and says why: quarrels first, then voles and swings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from ledger.events import CardsExchanged
from ledger.games.kernel.views import DealView
from ledger.reports.facts import NotableDeal, Reason, SheetRow, TableReport
from ledger.table.answers import Finding
from ledger.table.fold import TableFold
from ledger.table.steps import events_of, replay_steps, view_when_dealt
from ledger.table.two_readings import corrected_entries

SHOWN_MAX: Final = 8
"""So many diagrams keep a report readable."""

SWINGS_SHOWN: Final = 2


def notable_deals(tables: Sequence[tuple[TableReport, TableFold]], lang: str) -> tuple[list[NotableDeal], int]:
    """The notable deals in the order of the tables, and how many more there were than are shown."""
    swings = _biggest_swings([report for report, _ in tables])
    found: list[tuple[TableReport, TableFold, SheetRow, list[Reason]]] = []
    for report, fold in tables:
        for row in report.sheet:
            reasons = list(_reasons(report, fold, row, (report.table, row.score.deal) in swings))
            if reasons:
                found.append((report, fold, row, reasons))
    by_weight = sorted(range(len(found)), key=lambda place: _WEIGHTS.index(found[place][3][0].key))
    kept = sorted(by_weight[:SHOWN_MAX])
    return [_deal(*found[place]) for place in kept], len(found) - len(kept)


_WEIGHTS: Final = ("reason_ruled", "reason_disputed", "reason_found", "reason_corrected", "reason_vole", "reason_swing")
"""Of too many deals those with the first reasons are shown."""


def _biggest_swings(reports: Sequence[TableReport]) -> set[tuple[str, int]]:
    """The deals that moved most between two seats, over all tables; Couillon's progress is counted as it stands."""
    swings = [(_swing(row), report.table, row.score.deal) for report in reports for row in report.sheet if _swing(row)]
    swings.sort(key=lambda swing: -swing[0])
    return {(table, deal) for _, table, deal in swings[:SWINGS_SHOWN]}


def _swing(row: SheetRow) -> int:
    return max(row.score.deltas) - min(row.score.deltas) if row.score.status == "complete" else 0


def _reasons(report: TableReport, fold: TableFold, row: SheetRow, is_swing: bool) -> Iterator[Reason]:
    """The reasons in the order of their weights."""
    deal = row.score.deal
    if row.score.rulings:
        yield Reason(key="reason_ruled", values={"count": len(row.score.rulings)})
    if any(dispute.deal == deal for dispute in report.disputes):
        yield Reason(key="reason_disputed", values={})
    errors = [finding.code for finding in _findings(report, deal) if finding.severity == "error"]
    if errors:
        yield Reason(key="reason_found", values={"codes": list(dict.fromkeys(errors))})
    if corrected_entries(fold, fold.deal(deal)):
        yield Reason(key="reason_corrected", values={})
    if is_vole(row.score.outcome, row.last):
        yield Reason(key="reason_vole", values={})
    if is_swing:
        deltas = row.score.deltas
        best, worst = row.players[deltas.index(max(deltas))], row.players[deltas.index(min(deltas))]
        yield Reason(key="reason_swing", values={"points": _swing(row), "best": best, "worst": worst})


def is_vole(outcome: dict[str, Any], last: DealView) -> bool:
    """Whether a vole was at stake, as the outcome says, or one of two sides took all tricks of a deal played out."""
    words = str(outcome.get("result") or "").lower()
    if "vole" in words or "all_tricks" in words or outcome.get("vole") is not None:
        return True
    tricks = outcome.get("tricks") or []
    is_played_out = bool(last.tricks) and not any(last.hands)
    return len(tricks) == 2 and 0 in tricks and is_played_out and sum(tricks) == len(last.tricks)


def _findings(report: TableReport, deal: int) -> list[Finding]:
    return [finding for finding in report.findings if finding.deal == deal]


def _deal(report: TableReport, fold: TableFold, row: SheetRow, reasons: list[Reason]) -> NotableDeal:
    steps = list(replay_steps(fold, row.score.deal))
    return NotableDeal(
        table=report.table,
        game=report.game,
        pack=report.pack,
        goes_to_the_right=fold.game.goes_to_the_right,
        row=row,
        reasons=reasons,
        dealt=view_when_dealt(steps),
        exchanges=events_of(steps, CardsExchanged),
        findings=_findings(report, row.score.deal),
    )
