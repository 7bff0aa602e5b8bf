"""Disputes and rulings that were corrected: each with its corrections, and those that were struck.

Wherever a dispute or ruling is shown, its former text, the corrections, their authors and reasons are shown with it
(contract 5).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ledger.events import Corrected, DirectorEvent, Event
from ledger.table.answers import CorrectedBy, Struck
from ledger.table.corrections import Correction, read_instead
from ledger.table.fold import TableFold


class _Change(NamedTuple):
    """One correction at a place in the reading; None for no event."""

    correction: Correction
    was: Event | None
    now: Event | None


class DirectorCorrections:
    """The corrections of the disputes and rulings of a table."""

    def __init__(self, fold: TableFold) -> None:
        self._signed = fold.signed
        self._changes = list(_changes(fold.recorded))

    def corrected_by(self, version: int, event: Event) -> tuple[CorrectedBy, ...]:
        """Return the corrections that led to this event in place of an entry, in the order of the record."""
        for place, changes in self._changes:
            if place == version and changes[-1].now == event:
                return tuple(map(self._as_answer, changes))
        return ()

    def struck(self, deal: int | None = None) -> tuple[Struck, ...]:
        """Return the struck disputes and rulings, of a deal or of all, in the order of the record."""
        return tuple(
            Struck(version=version, event=first, corrected_by=tuple(map(self._as_answer, changes)))
            for version, changes in self._changes
            if not isinstance(changes[-1].now, DirectorEvent)
            and (first := next((one.was for one in changes if isinstance(one.was, DirectorEvent)), None)) is not None
            and deal in (None, first.deal)
        )

    def corrections(self, deal: int) -> list[Correction]:
        """Return all corrections of disputes and rulings about a deal, in the order of the record."""
        by_version = {
            change.correction.version: change.correction
            for _, changes in self._changes
            for change in changes
            if any(isinstance(event, DirectorEvent) and event.deal == deal for event in (change.was, change.now))
        }
        return [by_version[version] for version in sorted(by_version)]

    def _as_answer(self, change: _Change) -> CorrectedBy:
        version, event = change.correction
        signature = self._signed.get(version)
        return CorrectedBy(
            version=version,
            action=event.action,
            reason=event.reason,
            recorded_by=None if signature is None else signature.recorded_by,
            was=change.was,
        )


def _changes(recorded: Sequence[tuple[int, Event]]) -> Iterator[tuple[int, list[_Change]]]:
    """Yield the version of each corrected dispute or ruling, with the changes at each place of its reading."""
    corrections: dict[int, list[Correction]] = defaultdict(list)
    for version, event in recorded:
        if isinstance(event, Corrected):
            corrections[event.version].append(Correction(version, event))
    for version, of_entry in sorted(corrections.items()):
        original = recorded[version - 1][1]
        readings = [(original,), *(read_instead(original, correction) for correction in of_entry)]
        for place in range(max(map(len, readings))):
            read = [reading[place] if place < len(reading) else None for reading in readings]
            steps = zip(of_entry, read, read[1:], strict=False)
            changes = [_Change(correction, was, now) for correction, was, now in steps if was != now]
            if changes and any(isinstance(event, DirectorEvent) for event in read):
                yield version, changes
