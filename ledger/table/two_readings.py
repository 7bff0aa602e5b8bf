"""Two readings of a table.

As first written and as corrected: a deal side by side, entry by entry, with what each breaks. Before and after a
change: what each deal came to and comes to now, which findings go and come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from ledger.errors import NotFoundError
from ledger.events import DEAL_TYPES, STEP_TYPES, DirectorEvent, Event, RulingGiven
from ledger.table.answers import DealScore, Finding
from ledger.table.audit import audit_answer
from ledger.table.corrections import Correction, Entry, as_recorded, corrections_in_force, read_instead
from ledger.table.fold import DealRecord, TableFold
from ledger.table.score import score_answer


class EventRead(Struct, frozen=True, kw_only=True):
    """One event as read: its step in `replay`, null where it is none, and the codes of the rules that it breaks."""

    step: int | None
    event: Event
    broke: tuple[str, ...]


class EntryRead(Struct, frozen=True, kw_only=True):
    """One entry in both readings; `correction`: the version of the correction that makes them differ; its reason."""

    version: int
    recorded: tuple[EventRead, ...]
    corrected: tuple[EventRead, ...]
    correction: int | None
    reason: str | None


class CorrectionSeen(Struct, frozen=True, kw_only=True):
    """A correction within the deal: the entry, what was written there and what is read; null: nobody told who, when."""

    version: int
    corrects: int
    reason: str
    recorded_by: str | None = None
    recorded_at: str | None = None
    written: Event
    read: tuple[Event, ...]


class TwoReadings(Struct, frozen=True, kw_only=True):
    """Answer of `replay --diff`; a score is null where its reading has no such deal."""

    table: str
    deal: int
    entries: list[EntryRead]
    score_recorded: DealScore | None
    score_corrected: DealScore | None
    totals_recorded: list[int]
    totals_corrected: list[int]


def two_readings(table: str, fold: TableFold, number: int, lang: str = "en") -> TwoReadings:
    """Both readings of a deal; raises `NotFoundError` where neither has it. `fold`: the table as corrected."""
    written = TableFold(_first_written(fold))
    entries = compared_entries(written, fold, number)
    scores = [score_answer(table, of, lang) for of in (written, fold)]
    of_deal = [next((deal for deal in answer.deals if deal.deal == number), None) for answer in scores]
    return TwoReadings(
        table=table,
        deal=number,
        entries=entries,
        score_recorded=of_deal[0],
        score_corrected=of_deal[1],
        totals_recorded=scores[0].totals,
        totals_corrected=scores[1].totals,
    )


def compared_entries(before: TableFold, after: TableFold, number: int) -> list[EntryRead]:
    """Return the entries of a deal in two readings of one table; raises `NotFoundError` where neither has the deal."""
    records = [_deal_or_none(of, number) for of in (before, after)]
    if records == [None, None]:
        after.deal(number)
    recorded, corrected = (
        {} if record is None else _read(of, record) for of, record in zip((before, after), records, strict=True)
    )
    corrections = corrections_in_force(after.recorded)
    return [
        EntryRead(
            version=version,
            recorded=recorded.get(version, ()),
            corrected=corrected.get(version, ()),
            correction=None if correction is None else correction.version,
            reason=None if correction is None else correction.event.reason,
        )
        for version in sorted(recorded.keys() | corrected.keys())
        for correction in [corrections.get(version)]
    ]


def _first_written(fold: TableFold) -> list[Entry]:
    """The record as first written, without rulings on a reading that a correction had made another."""
    corrected_at: dict[int, int] = {}
    for record in fold.deals:
        corrections = [
            seen.version for seen in corrected_entries(fold, record) if not isinstance(seen.written, DirectorEvent)
        ]
        if corrections:
            corrected_at[record.number] = min(corrections)
    return [
        (version, event)
        for version, event in as_recorded(fold.recorded)
        if not isinstance(event, RulingGiven) or version < corrected_at.get(event.deal, version + 1)
    ]


def corrected_entries(fold: TableFold, record: DealRecord) -> list[CorrectionSeen]:
    """The corrections in force within a deal's entries, as far as they change what is read."""
    starts = [other.version for other in fold.deals if other.version > record.version]
    end = starts[0] if starts else len(fold.recorded) + 1
    corrections = []
    for version, correction in sorted(corrections_in_force(fold.recorded).items()):
        seen = correction_seen(fold, correction)
        if record.version <= version < end and seen.read != (seen.written,):
            corrections.append(seen)
    return corrections


def correction_seen(fold: TableFold, correction: Correction) -> CorrectionSeen:
    """A correction with what was written in the entry that it corrects."""
    written = fold.recorded[correction.event.version - 1][1]
    signature = fold.signed.get(correction.version)
    return CorrectionSeen(
        version=correction.version,
        corrects=correction.event.version,
        reason=correction.event.reason,
        recorded_by=None if signature is None else signature.recorded_by,
        recorded_at=None if signature is None else signature.recorded_at,
        written=written,
        read=read_instead(written, correction),
    )


def corrected_steps(fold: TableFold, record: DealRecord) -> Mapping[int, Event]:
    """The steps of a deal, as `replay` counts them, that are read so only because of a correction."""
    in_force = corrections_in_force(fold.recorded)
    steps = [entry for entry in fold.entries[record.start : record.end] if type(entry[1]) in STEP_TYPES]
    return {
        step: event
        for step, (version, event) in enumerate(steps, start=1)
        if version in in_force and fold.recorded[version - 1][1] != event
    }


def _deal_or_none(fold: TableFold, number: int) -> DealRecord | None:
    try:
        return fold.deal(number)
    except NotFoundError:
        return None


def _read(fold: TableFold, record: DealRecord) -> Mapping[int, tuple[EventRead, ...]]:
    """The events of a deal by version."""
    broke: dict[int, list[str]] = {}
    for violation in record.violations:
        if violation.severity != "info":
            broke.setdefault(violation.version, []).append(violation.code)
    read: dict[int, tuple[EventRead, ...]] = {}
    step = 0
    for version, event in fold.entries[record.start : record.end]:
        if type(event) in DEAL_TYPES:
            is_step = type(event) in STEP_TYPES
            step += is_step
            codes = tuple(broke.get(version, ()))
            event_read = EventRead(step=step if is_step else None, event=event, broke=codes)
            read[version] = (*read.get(version, ()), event_read)
    return read


# --- before and after a change ----------------------------------------------------------------------------------------


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
    by_reading = [audit_answer(table, fold, lang).findings for fold in (before, after)]
    by_number = [{score.deal: score for score in answer.deals} for answer in scores]
    changes = []
    for number in sorted(by_number[0].keys() | by_number[1].keys()):
        was, now = (of_reading.get(number) for of_reading in by_number)
        findings_before, findings_after = (
            [one for one in of_reading if one.deal == number] for of_reading in by_reading
        )
        gone, new = _without(findings_before, findings_after), _without(findings_after, findings_before)
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
