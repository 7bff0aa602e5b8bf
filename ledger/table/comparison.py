"""Two readings of one table compared: what each deal came to before and comes to now, which findings go and come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from msgspec import Struct

from ledger.table.answers import DealScore, Finding
from ledger.table.audit import audit_answer
from ledger.table.fold import TableFold
from ledger.table.score import score_answer


class DealChange(Struct, frozen=True, kw_only=True):
    """One deal in both readings, null in one that does not have it. `gone`, `new`: findings of one of them alone."""

    deal: int
    before: DealScore | None
    after: DealScore | None
    gone: list[Finding]
    new: list[Finding]


class Comparison(Struct, frozen=True, kw_only=True):
    """What another reading makes of a table. `deals`: those asked for and those that it changes."""

    deals: list[DealChange]
    totals_before: list[int]
    totals_after: list[int]


def compared(
    table: str, before: TableFold, after: TableFold, deals: Collection[int] = (), lang: str = "en"
) -> Comparison:
    """The deals that differ in score, ruling or finding, and those of these numbers whether they differ or not."""
    scores = [score_answer(table, fold, lang) for fold in (before, after)]
    findings = [audit_answer(table, fold, lang).findings for fold in (before, after)]
    by_number = [{score.deal: score for score in answer.deals} for answer in scores]
    changes = []
    for number in sorted(by_number[0].keys() | by_number[1].keys()):
        was, now = (of_reading.get(number) for of_reading in by_number)
        found, found_now = ([one for one in of_reading if one.deal == number] for of_reading in findings)
        gone, new = _without(found, found_now), _without(found_now, found)
        if number in deals or was != now or gone or new:
            changes.append(DealChange(deal=number, before=was, after=now, gone=gone, new=new))
    return Comparison(deals=changes, totals_before=scores[0].totals, totals_after=scores[1].totals)


def _without(findings: Sequence[Finding], others: Sequence[Finding]) -> list[Finding]:
    """The findings that are not among the others; equal ones are counted."""
    known = Counter(map(_key, others))
    rest = []
    for finding in findings:
        if known[_key(finding)]:
            known[_key(finding)] -= 1
        else:
            rest.append(finding)
    return rest


def _key(finding: Finding) -> tuple[int, str, int | None, str]:
    return finding.version, finding.code, finding.seat, finding.message
