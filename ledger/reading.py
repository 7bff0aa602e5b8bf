"""A table's entries as they are to be read: corrections laid over a record that never changes (contract 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import structs

from ledger.events import Corrected, Event, PlayerSeated, TableOpened

Entry: TypeAlias = tuple[int, Event]
"""Version in the table's stream, and event. What a correction put in carries the version of the corrected entry."""


def as_recorded(entries: Iterable[Entry]) -> list[Entry]:
    """The record as first written: without the corrections."""
    return [entry for entry in entries if type(entry[1]) is not Corrected]


def corrected_reading(entries: Iterable[Entry]) -> Sequence[Entry]:
    """The record as corrected: an entry is read as other events, as nothing, or is followed by some.

    Versions name original entries; a later correction of the same entry wins over an earlier one.
    """
    recorded = list(entries)
    corrections = {event.version: event for _, event in recorded if type(event) is Corrected}
    if not corrections:
        return recorded
    reading: list[Entry] = []
    for version, event in recorded:
        if type(event) is Corrected:
            continue
        correction = corrections.get(version)
        if correction is None or correction.action == "insert_after":
            reading.append((version, event))
        if correction is not None and correction.action != "strike":
            reading.extend((version, instead) for instead in correction.events or ())
    return reading


def with_names(entries: Iterable[Entry], names: Mapping[str, str]) -> list[Entry]:
    """The entries with names to show in the place of those in the record; who has none keeps that of the record."""
    return [(version, _with_names(event, names)) for version, event in entries]


def _with_names(event: Event, names: Mapping[str, str]) -> Event:
    if type(event) is TableOpened:
        return structs.replace(event, players=tuple(names.get(player, player) for player in event.players))
    if type(event) is PlayerSeated:
        return structs.replace(event, player=names.get(event.player, event.player))
    if type(event) is Corrected and event.events is not None:
        return structs.replace(event, events=tuple(_with_names(instead, names) for instead in event.events))
    return event
