"""A table's entries as they are to be read: corrections laid over a record that never changes (contract 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from ledger.events import Corrected, Event

Entry: TypeAlias = tuple[int, Event]
"""Version in the table's stream, and event. What a correction put in carries the version of the corrected entry."""


class Correction(NamedTuple):
    """A correction with its own version in the table's stream; `event.version` is that of the entry it corrects."""

    version: int
    event: Corrected


def as_recorded(entries: Iterable[Entry]) -> list[Entry]:
    """The record as first written: without the corrections."""
    return [entry for entry in entries if type(entry[1]) is not Corrected]


def corrections_in_force(entries: Iterable[Entry], until: int | None = None) -> Mapping[int, Correction]:
    """The corrections that are read, by the version that they correct; with `until`, as of that version.

    A later correction of the same entry wins over an earlier one.
    """
    return {
        event.version: Correction(version, event)
        for version, event in entries
        if type(event) is Corrected and (until is None or version <= until)
    }


def read_instead(original: Event, correction: Correction | None) -> tuple[Event, ...]:
    """The events that are read in the place of an entry: itself, others, nothing, or itself followed by some."""
    if correction is None:
        return (original,)
    action, events = correction.event.action, correction.event.events or ()
    if action == "strike":
        return ()
    return (original, *events) if action == "insert_after" else events


def corrected_reading(entries: Iterable[Entry]) -> Sequence[Entry]:
    """The record as corrected. Versions name original entries, whatever was corrected before."""
    recorded = list(entries)
    corrections = corrections_in_force(recorded)
    if not corrections:
        return recorded
    return [
        (version, read)
        for version, event in recorded
        if type(event) is not Corrected
        for read in read_instead(event, corrections.get(version))
    ]
