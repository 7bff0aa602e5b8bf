"""The audit of a table: its findings, each with the broken rule. Nothing is repaired here."""

from __future__ import annotations

from typing import Final

from ledger.games.kernel.findings import Violation
from ledger.i18n import sentence
from ledger.table.answers import AuditAnswer, Finding
from ledger.table.catalogue import phrase
from ledger.table.fold import DealRecord, TableFold

SESSION_CLOSED: Final = "SESSION-CLOSED"
"""The code of a table opened in a closed session: a warning of no rulebook (contract 5), and so its own rule."""


def audit_answer(table: str, fold: TableFold, lang: str = "en") -> AuditAnswer:
    """Return all findings of a table, ordered by deal, then version, then code."""
    findings = [finding for record in fold.deals for finding in deal_findings(fold, record, lang)]
    return AuditAnswer(table=table, findings=[*opening_findings(fold, lang), *findings])


def opening_findings(fold: TableFold, lang: str = "en") -> list[Finding]:
    """Return the findings before any deal (contract 5)."""
    if not fold.opened_too_late:
        return []
    return [
        Finding(
            deal=None,
            version=fold.entries[0][0],
            code=SESSION_CLOSED,
            rule=SESSION_CLOSED,
            severity="warning",
            seat=None,
            message=phrase("session_closed", session=fold.opened.session).in_words(lang),
            legal=None,
        )
    ]


def deal_findings(fold: TableFold, record: DealRecord, lang: str = "en") -> list[Finding]:
    """Return the findings of one deal in order."""
    return [
        Finding(
            deal=record.number,
            version=violation.version,
            code=violation.code,
            rule=violation.rule,
            severity=violation.severity,
            seat=violation.seat,
            message=sentence(fold.game.package, violation.words, record.players, lang),
            legal=None if violation.legal is None else list(violation.legal),
        )
        for violation in violations_in_order(record)
    ]


def violations_in_order(record: DealRecord) -> list[Violation]:
    """Return the violations of one deal in the order of its findings."""
    return sorted(record.violations, key=lambda violation: (violation.version, code_order(violation.code)))


def code_order(code: str) -> tuple[str, int, int]:
    """Return a sort key with rule ids in the rulebook's order, OMB-11.9 before OMB-11.10; other codes sort as words."""
    prefix, _, number = code.partition("-")
    section, _, rule = number.partition(".")
    return (prefix, int(section), int(rule)) if rule else (code, 0, 0)
