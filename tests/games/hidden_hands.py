"""Records of one deal with its hands written down and without them, and whether they come to the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ledger.events import Event
from ledger.table.audit import audit_answer
from ledger.table.fold import TableFold
from ledger.table.score import score_answer


def what_it_comes_to(events: Sequence[Event], tells_legal: Callable[[str], bool]) -> tuple[object, ...]:
    """Findings and score of one deal; what could have been done, for the codes of which `tells_legal` says so."""
    fold = TableFold(list(enumerate(events, start=1)))
    findings = [
        (found.version, found.code, found.rule, found.seat, found.legal if tells_legal(found.code) else None)
        for found in audit_answer("t", fold).findings
    ]
    (deal,) = score_answer("t", fold).deals
    return findings, deal.status, deal.outcome, deal.deltas
