"""Makes corrections: finds the entry that somebody means and says how it is to be read. The record never changes.

Versions name original entries, and of several corrections of one entry the last is read (contract 3). So that a second
correction does not take back the first by accident, each says all that is to be read in the place of its entry.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct, structs

from ledger.errors import MalformedError, NotFoundError, UsageError
from ledger.events import STEP_TYPES, Corrected, Event, HandsOpened
from ledger.recording.wording import told_events
from ledger.recording.words import phrase
from ledger.table.amendments import DIRECTORS_TYPES
from ledger.table.corrections import Correction, Entry, corrections_in_force, read_instead
from ledger.table.fold import TableFold
from ledger.table.redaction import with_hidden
from ledger.table.steps import no_such_step
from ledger.validation import converted

CorrectionAction: TypeAlias = Literal["replace", "strike", "insert_after", "restore"]
"""What to do with the place: the actions of the contract, and to read the entry as it was first written."""


class Place(Struct, frozen=True):
    """What is to be corrected: an entry with all that is read in its place, or the `item`-th (from 0) of that."""

    version: int
    item: int | None = None


class Named(Struct, frozen=True, kw_only=True):
    """Which entry somebody means: by its version, or as a step of a deal; without either, the last that is read.

    What only shows hands is passed over: that cannot be taken back.
    """

    version: int | None = None
    deal: int | None = None
    step: int | None = None

    def place(self, fold: TableFold) -> Place:
        """Where that is; raises `NotFoundError` where there is no such entry, or where it is a correction itself."""
        if self.version is not None:
            return _place_of_version(fold, self.version)
        if self.deal is not None and self.step is not None:
            return _place_of_step(fold, self.deal, self.step)
        last = len(fold.entries) - 1
        while type(fold.entries[last][1]) is HandsOpened:
            last -= 1
        return _place_of_index(fold, last)


def _place_of_version(fold: TableFold, version: int) -> Place:
    last = len(fold.recorded)
    if not 1 <= version <= last:
        raise NotFoundError(
            "not_found", phrase("no_entry_but_first" if last == 1 else "no_entry", text=version, last=last)
        )
    event = fold.recorded[version - 1][1]
    if isinstance(event, Corrected):
        correction = phrase("entry_is_correction", text=version, corrected=event.version)
        raise NotFoundError("not_found", correction)
    return Place(version)


def _place_of_step(fold: TableFold, deal: int, step: int) -> Place:
    """The action that `replay` shows as that step."""
    record = fold.deal(deal)
    steps = [index for index in range(record.start, record.end) if type(fold.entries[index][1]) in STEP_TYPES]
    if not 1 <= step <= len(steps):
        raise no_such_step(deal, step, 1, len(steps))
    return _place_of_index(fold, steps[step - 1])


def correction(
    fold: TableFold, place: Place, action: CorrectionAction, told: str | Sequence[Event] | None, reason: str
) -> Corrected:
    """The correction that does this; `told`: the events for `replace` and `insert_after`, or words for them.

    Raises `MalformedError` where the words cannot be read, or nothing would be read otherwise than now.
    """
    if not reason.strip():
        raise MalformedError(phrase("correction.no_reason"), phrase("correction.reason"))
    original = fold.recorded[place.version - 1][1]
    read = tuple(event for version, event in fold.entries if version == place.version)
    first, end = (0, len(read)) if place.item is None else (place.item, place.item + 1)
    if action == "restore":
        now: tuple[Event, ...] = (original,)
    elif action == "strike":
        now = read[:first] + read[end:]
    elif action == "replace":
        now = read[:first] + _events_told(fold, place, first, read[first] if read else original, told) + read[end:]
    else:
        now = read[:end] + _events_told(fold, place, end, None, told) + read[end:]
    if now == read:
        what = phrase("correction.is_read_so" if read else "correction.is_struck", version=place.version)
        raise MalformedError(what, phrase("correction.changes"))
    return as_correction(place.version, original, now, reason)


def correction_of_version(fold: TableFold, version: int, now: tuple[Event, ...], reason: str) -> Corrected:
    """The correction after which this is read in the place of an entry."""
    return as_correction(version, fold.recorded[version - 1][1], now, reason)


def with_hidden_cards(made: Corrected, seen: TableFold, fold: TableFold) -> Corrected:
    """A correction that was made of a table as everybody sees it, with what it left as it stands as it is in full.

    `seen` and `fold`: the same table, without what is hidden and with it. Whether what is put in is what was first
    written must not show in the action.
    """
    version = made.version
    is_corrected = any(type(event) is Corrected and event.version == version for _, event in fold.recorded)
    if made.action == "strike" or (made.action == "insert_after" and not is_corrected):
        return made
    (_, original_seen), (_, original) = seen.recorded[version - 1], fold.recorded[version - 1]
    read = [
        (shown, full) for (at, shown), (_, full) in zip(seen.entries, fold.entries, strict=True) if at == version
    ] + [(original_seen, original)]
    now = []
    for event in read_instead(original_seen, Correction(version, made)):
        same = next((pair for pair in read if pair[0] == event), None)
        same = same or next((pair for pair in read if _is_same_act(pair[0], event)), None)
        if same is not None:
            read.remove(same)
        now.append(event if same is None else with_hidden(event, *same))
    return structs.replace(made, action="replace", events=tuple(now))


def _is_same_act(one: Event, other: Event) -> bool:
    return type(one) is type(other) and getattr(one, "seat", None) == getattr(other, "seat", None)


def check_confirmed(fold: TableFold, place: Place, table: str) -> None:
    """Refuses to correct what a director wrote, as long as nobody says that it is meant: raises `UsageError`."""
    original = fold.recorded[place.version - 1][1]
    read = (event for version, event in fold.entries if version == place.version)
    for event in (original, *read):
        if isinstance(event, DIRECTORS_TYPES):
            words = phrase("correction.directors", version=place.version, table=table, deal=event.deal)
            raise UsageError("confirm_required", words)


def _events_told(
    fold: TableFold, place: Place, item: int, replaced: Event | None, told: str | Sequence[Event] | None
) -> tuple[Event, ...]:
    if isinstance(told, str) or told is None:
        index = bisect_left(fold.entries, place.version, key=lambda entry: entry[0]) + item
        return told_events(fold, index, replaced, told or "")
    return tuple(told)


def as_correction(version: int, original: Event, now: tuple[Event, ...], reason: str) -> Corrected:
    """The correction after which `now` is read in the place of that entry."""
    action, events = "replace", now
    if not now:
        action = "strike"
    elif now[0] == original and len(now) > 1:
        action, events = "insert_after", now[1:]
    raw: dict[str, Any] = {"version": version, "action": action, "reason": reason, "events": events or None}
    return converted(raw | {"type": "corrected"}, Corrected, "corrected")


def _place_of_index(fold: TableFold, index: int) -> Place:
    version = fold.entries[index][0]
    first = bisect_left(fold.entries, version, key=lambda entry: entry[0])
    is_alone = [entry[0] for entry in fold.entries[first : first + 2]].count(version) == 1
    return Place(version, None if is_alone else index - first)


def deals_at(fold: TableFold, place: Place) -> tuple[int, ...]:
    """The deal that the entry stands in; none before the first."""
    numbers = [record.number for record in fold.deals if record.version <= place.version]
    return (numbers[-1],) if numbers else ()


def last_act(fold: TableFold) -> Place:
    """The last act that is read; raises `NotFoundError` where nothing but the opening is left."""
    if len(fold.entries) == 1:
        raise NotFoundError("not_found", phrase("live.nothing_to_undo"))
    return Named().place(fold)


def last_undone(entries: Sequence[Entry]) -> int:
    """The version of the act that was undone last; raises `NotFoundError` where none is, or something came after it."""
    in_force = corrections_in_force(entries)
    for version, event in reversed(entries):
        if not isinstance(event, Corrected):
            break
        if event.action == "strike" and in_force[event.version].version == version:
            return event.version
    raise NotFoundError("not_found", phrase("live.nothing_to_redo"))
