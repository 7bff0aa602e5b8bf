"""The findings of a table as a director reads them: each with its rule's text, revokes with what a ruling needs."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.errors import NotFoundError
from ledger.games.kernel.rulebook import load
from ledger.table.answers import AuditAnswer, Finding
from ledger.table.fold import TableFold, without_rulings
from ledger.table.revokes import revokes_of
from ledger.table.score import score_answer
from ledger.text.cards import amounts_text, value_text
from ledger.text.revokes import revoke_sentences
from ledger.text.score import stale_text
from ledger.text.words import label

_INDENT = " " * 10


def audit_text(answer: AuditAnswer, fold: TableFold, lang: str) -> Iterator[str]:
    """All findings, then what was decided on entries that were corrected since."""
    yield f"{answer.table} · {fold.game.title} · {', '.join(fold.players)}"
    stale = list(_stale(fold))
    if not answer.findings and not stale:
        yield "  nothing to report"
    about = _about_revokes(fold, lang)
    for finding in answer.findings:
        yield from _finding(finding, fold)
        for line in about.get((finding.version, finding.code), ()):
            yield _INDENT + line
    yield from stale
    yield ""


def finding_text(finding: Finding) -> str:
    """How severe it is, what it is called, where it stands, and the sentence."""
    deal = f"deal {finding.deal}, " if finding.deal is not None else ""
    return f"{finding.severity:<7} {finding.code}  {deal}entry {finding.version}: {finding.message}"


def _finding(finding: Finding, fold: TableFold) -> Iterator[str]:
    yield f"  {finding_text(finding)}"
    if finding.legal:
        yield f"{_INDENT}legal: {'  '.join(map(value_text, finding.legal))}"
    try:
        rule = load(fold.game.package).rule(finding.rule)
    except NotFoundError:
        yield f"{_INDENT}against {finding.rule}"
    else:
        yield f"{_INDENT}{rule.id}: {rule.text}"


def _about_revokes(fold: TableFold, lang: str) -> dict[tuple[int, str], list[str]]:
    """What is to be said of each revoke, by its version and code."""
    found = [(record, revoke) for record in fold.deals for revoke in revokes_of(fold, record)]
    if not found:
        return {}
    played = {record.number: record for record in without_rulings(fold).deals}
    about = {}
    for record, revoke in found:
        lines = list(revoke_sentences(revoke, record.players, lang))
        settlement = played[record.number].settlement
        if played[record.number].status == "complete" and settlement is not None:
            lines.append(label(lang, "revoke.score", score=amounts_text(settlement.deltas, record.players)))
        about[revoke.version, revoke.code] = lines
    return about


def _stale(fold: TableFold) -> Iterator[str]:
    """The rulings and score sheets that rest on entries corrected since."""
    for deal in score_answer("", fold).deals:
        for ruling in deal.rulings:
            if ruling.stale:
                yield f"  ruling  of entry {ruling.version}, deal {deal.deal}{stale_text(ruling.stale)}: {ruling.text}"
        if deal.claimed is not None and deal.claimed.stale:
            yield f"  sheet   of entry {deal.claimed.version}, deal {deal.deal}{stale_text(deal.claimed.stale)}"
