"""Seats that follow from a correction: cards after the corrected one may belong to other players. Pure.

A card recorded for the seat in turn may have been entered without a name; after a correction it belongs to the seat
that is in turn now. Cards recorded out of turn keep their seats. Seats are only moved if this leaves fewer violations.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct, structs

from ledger.events import MACHINE_TYPES, CardPlayed, Corrected, DealVoided, Event
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.findings import Violation
from ledger.recording.canonical import canonical_event
from ledger.recording.correcting import (
    CorrectionAction,
    EntryReference,
    check_confirmed,
    correction,
    correction_of_version,
)
from ledger.recording.validator import next_entries
from ledger.streams import TABLE
from ledger.table.corrections import Entry, corrected_reading
from ledger.table.fold import DealRecord, TableFold


class EntryCorrection(Struct, frozen=True):
    """The correction of one entry; `events`: those of `replace`."""

    version: int
    action: CorrectionAction
    events: tuple[Event, ...] | None = None


def corrections_together(
    fold: TableFold, table: str, changes: Sequence[EntryCorrection], reason: str, meant: Collection[int] = ()
) -> list[Corrected]:
    """Return the corrections of entries that are changed together, and those of the seats that follow from them.

    `meant`: the versions of directors' entries that may be corrected. Raise the errors of `corrections_of`.
    """
    made = []
    for change in changes:
        place = EntryReference(version=change.version).place(fold)
        if change.version not in meant:
            check_confirmed(fold, place, table)
        made.append(correction(fold, place, change.action, change.events, reason))
    return with_moved_seats(fold, *_checked(fold, table, made))


def corrections_of(
    fold: TableFold,
    table: str,
    named: EntryReference,
    action: CorrectionAction,
    content: str | Sequence[Event] | None,
    reason: str,
    *,
    is_meant: bool,
    keep_seats: bool,
) -> list[Corrected]:
    """Return the correction of an entry and, unless `keep_seats` is set, those of the seats that follow from it.

    Raise the errors of `correction` and, unless `is_meant` is set, `UsageError` for a director's entry.
    """
    place = named.place(fold)
    if not is_meant:
        check_confirmed(fold, place, table)
    corrected = correction(fold, place, action, content, reason)
    return [corrected] if keep_seats else with_moved_seats(fold, *_checked(fold, table, [corrected]))


def _checked(fold: TableFold, table: str, corrections: Sequence[Corrected]) -> list[Corrected]:
    """Return the corrections in canonical form, which can be played. Raise `MalformedError` for an impossible one."""
    made = [canonical_event(one) for one in corrections]
    entries = next_entries(TABLE.stream(table), fold.recorded, made)
    return [event for _, event in entries if isinstance(event, Corrected)]


def with_moved_seats(fold: TableFold, *corrections: Corrected) -> list[Corrected]:
    """Return the corrections of one deal, and those of the seats that follow from them, if any."""
    first = min(one.version for one in corrections)
    records = [record for record in fold.deals if record.version <= first]
    if not records or records[-1].version == first or records[-1].end <= records[-1].start + 1:
        return [*corrections]
    record = records[-1]
    entries = fold.entries[record.start + 1 : record.end]
    version = len(fold.recorded) + 1
    instead = corrected_reading([*fold.recorded, *enumerate(corrections, version)])
    last = entries[-1][0]
    now = [(at, event) for at, event in instead if record.version < at <= last]
    moved = _moved(fold, record, now, first, _in_turn(fold, record, entries))
    if moved == now or _faults(fold, record, moved) >= _faults(fold, record, now):
        return [*corrections]
    following = list(_corrections(fold, now, moved, corrections[0].reason))
    again = {one.version for one in following}
    return [*(one for one in corrections if one.version not in again), *following]


def _in_turn(fold: TableFold, record: DealRecord, entries: Sequence[Entry]) -> set[tuple[int, int]]:
    """Return version and seat of each card that was played by the seat in turn."""
    machine = _undealt(fold, record)
    played: set[tuple[int, int]] = set()
    for version, event in entries:
        if type(event) is CardPlayed and machine.turn() == event.seat:
            played.add((version, event.seat))
        _act(machine, event, version)
    return played


def _moved(
    fold: TableFold, record: DealRecord, entries: Sequence[Entry], corrected: int, in_turn: set[tuple[int, int]]
) -> list[Entry]:
    """Return the entries with later cards moved to the seat then in turn, if those cards were recorded in turn."""
    machine = _undealt(fold, record)
    moved: list[Entry] = []
    for version, event in entries:
        instead: Event = event
        if version > corrected and type(event) is CardPlayed and (version, event.seat) in in_turn:
            due = machine.turn()
            instead = event if due is None else structs.replace(event, seat=due)
        _act(machine, instead, version)
        moved.append((version, instead))
    return moved


def _faults(fold: TableFold, record: DealRecord, entries: Sequence[Entry]) -> int:
    machine = _undealt(fold, record)
    violations = [violation for version, event in entries for violation in _act(machine, event, version)]
    refuted = machine.refuted_violations()
    violations = [violation for violation in violations if violation not in refuted]
    return sum(violation.severity != "info" for violation in (*violations, *machine.late_violations()))


def _corrections(fold: TableFold, now: Sequence[Entry], moved: Sequence[Entry], reason: str) -> Iterator[Corrected]:
    for version, events in _by_version(moved).items():
        if events != _by_version(now)[version]:
            yield correction_of_version(fold, version, events, reason)


def _by_version(entries: Sequence[Entry]) -> Mapping[int, tuple[Event, ...]]:
    events: dict[int, tuple[Event, ...]] = {}
    for version, event in entries:
        events[version] = (*events.get(version, ()), event)
    return events


def _undealt(fold: TableFold, record: DealRecord) -> Deal:
    return fold.game.make_match(fold.options, len(fold.players)).start_deal(record.dealer)


def _act(machine: Deal, event: Event, version: int) -> Sequence[Violation]:
    if type(event) is DealVoided:
        return machine.void(version)
    return machine.apply(event, version) if type(event) in MACHINE_TYPES else ()
