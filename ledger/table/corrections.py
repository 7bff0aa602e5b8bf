"""The corrected reading of a table's entries: corrections applied to a record that never changes (contract 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from msgspec import structs

from ledger.events import Corrected, Event, PlayerSeated, TableOpened

Entry: TypeAlias = tuple[int, Event]
"""Version in the table's stream, and event. An event that a correction inserted has the version of the corrected entry.
"""


class Signature(NamedTuple):
    """The recorder and time of an entry; None before it is recorded."""

    recorded_by: str
    recorded_at: str | None = None


class Correction(NamedTuple):
    """A correction with its own version in the table's stream; `event.version` is that of the entry it corrects."""

    version: int
    event: Corrected


def as_recorded(entries: Iterable[Entry]) -> list[Entry]:
    """Return the record as first written: without the corrections."""
    return [entry for entry in entries if type(entry[1]) is not Corrected]


def corrections_in_force(entries: Iterable[Entry], until: int | None = None) -> Mapping[int, Correction]:
    """Return the effective corrections, by the version that they correct; with `until`, as of that version.

    A later correction of the same entry replaces an earlier one.
    """
    return {
        event.version: Correction(version, event)
        for version, event in entries
        if type(event) is Corrected and (until is None or version <= until)
    }


def read_instead(original: Event, correction: Correction | None) -> tuple[Event, ...]:
    """Return the events to read in place of an entry: itself, others, nothing, or itself and inserted ones."""
    if correction is None:
        return (original,)
    action, events = correction.event.action, correction.event.events or ()
    if action == "strike":
        return ()
    return (original, *events) if action == "insert_after" else events


def corrected_reading(entries: Iterable[Entry]) -> Sequence[Entry]:
    """Return the record as corrected. Versions name original entries, whatever was corrected before."""
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


def with_names(entries: Iterable[Entry], names: Mapping[str, str]) -> list[Entry]:
    """Return the entries with display names in place of those in the record, where a player has one."""
    return [(version, _with_names(event, names)) for version, event in entries]


def _with_names(event: Event, names: Mapping[str, str]) -> Event:
    if type(event) is TableOpened:
        return structs.replace(event, players=tuple(names.get(player, player) for player in event.players))
    if type(event) is PlayerSeated:
        return structs.replace(event, player=names.get(event.player, event.player))
    if type(event) is Corrected and event.events is not None:
        return structs.replace(event, events=tuple(_with_names(instead, names) for instead in event.events))
    return event
