"""The comparison of two readings of a table.

As first written and as corrected: a deal side by side, entry by entry, with the rules broken in each. Before and after
a change: the scores of each deal, and the findings that disappear or appear.
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
    """One event as read: its step in `replay`, null if it is none, and the codes of the broken rules."""

    step: int | None
    event: Event
    broke: tuple[str, ...]


class EntryRead(Struct, frozen=True, kw_only=True):
    """One entry in both readings; `correction`, `reason`: those of the correction that makes them differ."""

    version: int
    recorded: tuple[EventRead, ...]
    corrected: tuple[EventRead, ...]
    correction: int | None
    reason: str | None


class CorrectionSeen(Struct, frozen=True, kw_only=True):
    """A correction within the deal: the original entry and the events read instead; author and time may be null."""

    version: int
    corrects: int
    reason: str
    recorded_by: str | None = None
    recorded_at: str | None = None
    written: Event
    read: tuple[Event, ...]


class TwoReadings(Struct, frozen=True, kw_only=True):
    """Answer of `replay --diff`; a score is null if its reading has no such deal."""

    table: str
    deal: int
    entries: list[EntryRead]
    score_recorded: DealScore | None
    score_corrected: DealScore | None
    totals_recorded: list[int]
    totals_corrected: list[int]


def two_readings(table: str, fold: TableFold, number: int, lang: str = "en") -> TwoReadings:
    """Return both readings of a deal. Raise `NotFoundError` if neither has it. `fold`: the table as corrected."""
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
    """Return the entries of a deal in two readings of one table. Raise `NotFoundError` if neither has the deal."""
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
    """Return the record as first written, without rulings given on a reading that was already corrected."""
    corrected_at: dict[int, int] = {}
    for deal, corrections in corrections_by_deal(fold).items():
        of_play = [seen.version for seen in corrections if not isinstance(seen.written, DirectorEvent)]
        if of_play:
            corrected_at[deal] = min(of_play)
    return [
        (version, event)
        for version, event in as_recorded(fold.recorded)
        if not isinstance(event, RulingGiven) or version < corrected_at.get(event.deal, version + 1)
    ]


def corrected_entries(fold: TableFold, record: DealRecord) -> list[CorrectionSeen]:
    """Return the effective corrections of a deal's entries that change the reading."""
    return corrections_by_deal(fold).get(record.number, [])


def corrections_by_deal(fold: TableFold) -> Mapping[int, list[CorrectionSeen]]:
    """Return the effective corrections that change the reading of entries, by the deal of those entries."""
    changed = [
        seen
        for _, correction in sorted(corrections_in_force(fold.recorded).items())
        for seen in [correction_seen(fold, correction)]
        if seen.read != (seen.written,)
    ]
    by_deal: dict[int, list[CorrectionSeen]] = {}
    for record in fold.deals if changed else ():
        end = next((one.version for one in fold.deals if one.version > record.version), len(fold.recorded) + 1)
        if seen_here := [seen for seen in changed if record.version <= seen.corrects < end]:
            by_deal[record.number] = seen_here
    return by_deal


def correction_seen(fold: TableFold, correction: Correction) -> CorrectionSeen:
    """Return a correction with the entry that it corrects."""
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
    """Return the steps of a deal, as `replay` counts them, that a correction changed."""
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
    """Return the events of a deal by version."""
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


# Before and after a change


class DealChange(Struct, frozen=True, kw_only=True):
    """One deal in both readings, null in one that does not have it. `gone`, `new`: findings of only one of them."""

    deal: int
    before: DealScore | None
    after: DealScore | None
    gone: list[Finding]
    new: list[Finding]


class Comparison(Struct, frozen=True, kw_only=True):
    """The difference that another reading makes. `deals`: the requested and the changed ones."""

    deals: list[DealChange]
    totals_before: list[int]
    totals_after: list[int]


def compared(
    table: str, before: TableFold, after: TableFold, deals: Collection[int] = (), lang: str = "en"
) -> Comparison:
    """Return the deals that differ in score, ruling or finding, and the requested ones in any case."""
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
    """Return the findings that are not among the others; equal ones are counted."""
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
