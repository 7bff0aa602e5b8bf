"""What a director wrote and somebody corrected since: each dispute and ruling with its corrections, and those struck.

An entry that gave a dispute or ruling its present words, or took it away, is never passed over in silence: wherever one
is shown, what it was, by which correction it is read otherwise, who made that, and why, is shown with it (contract 5).
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
    """One correction of what is read in a place; None: nothing."""

    correction: Correction
    was: Event | None
    now: Event | None


class DirectorCorrections:
    """Answers for the disputes and rulings of a table which corrections gave them the words that are read."""

    def __init__(self, fold: TableFold) -> None:
        self._signed = fold.signed
        self._changes = list(_changes(fold.recorded))

    def corrected_by(self, version: int, event: Event) -> tuple[CorrectedBy, ...]:
        """The corrections by which this event came to be read in the place of an entry, in the order of the record."""
        for place, changes in self._changes:
            if place == version and changes[-1].now == event:
                return tuple(map(self._as_answer, changes))
        return ()

    def struck(self, deal: int | None = None) -> tuple[Struck, ...]:
        """The disputes and rulings, of a deal or of all, that are no longer read, in the order of the record."""
        return tuple(
            Struck(version=version, event=first, corrected_by=tuple(map(self._as_answer, changes)))
            for version, changes in self._changes
            if not isinstance(changes[-1].now, DirectorEvent)
            and (first := next((one.was for one in changes if isinstance(one.was, DirectorEvent)), None)) is not None
            and deal in (None, first.deal)
        )

    def corrections(self, deal: int) -> list[Correction]:
        """All corrections of what a director wrote about a deal, in the order of the record."""
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
    """What was corrected of a director's, by the version of the entry: for each place in its reading the changes."""
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
