"""Corrections: find the entry that is meant and decide how it is read. Recorded entries never change.

Versions name original entries, and only the last correction of an entry applies (contract 3). A second correction must
not undo the first by accident; therefore each correction contains all events that are read in place of its entry.

A deal is replaced by the `[[deal]]` of a hand record. One `corrected` cannot replace several entries, so each entry
that differs gets its own correction, all with one reason and in one append. Equal entries stay as they are. Notes,
disputes, rulings and changes of players are no part of the deal.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from functools import partial
from itertools import zip_longest
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, structs

from ledger.errors import MalformedError, NotFoundError, UsageError, in_file
from ledger.events import (
    DEAL_TYPES,
    STEP_TYPES,
    Corrected,
    DealStarted,
    DirectorEvent,
    Event,
    HandsOpened,
    Noted,
    encode_event,
)
from ledger.recording.catalogue import phrase
from ledger.recording.event_text import events_from_text
from ledger.recording.hand.file import HandRecordFile, is_left_empty
from ledger.recording.hand.page import Page
from ledger.recording.hand.reading import read_file, read_page
from ledger.recording.hand.record import refuse_impossible
from ledger.recording.hand.table import TableReader
from ledger.table.corrections import Correction, Entry, corrections_in_force, read_instead
from ledger.table.fold import DealRecord, TableFold
from ledger.table.redaction import with_hidden
from ledger.table.steps import no_such_step
from ledger.validation import converted

CorrectionAction: TypeAlias = Literal["replace", "strike", "insert_after", "restore"]
"""The actions of the contract, and `restore`, after which the original entry is read again."""


class CorrectionTarget(Struct, frozen=True):
    """The target of a correction: an entry with all events read in its place, or only event `item` (from 0)."""

    version: int
    item: int | None = None


class EntryReference(Struct, frozen=True, kw_only=True):
    """A reference to an entry by its version, or as a step of a deal; by default the last entry that is read.

    The default skips entries that only show hands: they cannot be undone.
    """

    version: int | None = None
    deal: int | None = None
    step: int | None = None

    def place(self, fold: TableFold) -> CorrectionTarget:
        """Return the place of the entry. Raise `NotFoundError` if it does not exist or is itself a correction."""
        if self.version is not None:
            check_is_original(fold.recorded, self.version)
            return CorrectionTarget(self.version)
        if self.deal is not None and self.step is not None:
            return _place_of_step(fold, self.deal, self.step)
        last = len(fold.entries) - 1
        while type(fold.entries[last][1]) is HandsOpened:
            last -= 1
        return _place_of_index(fold, last)


_BUT_FIRST: Final = {"no_entry": "no_entry_but_first", "session.no_entry": "session.no_entry_but_first"}
"""The sentences for an entry that does not exist, and those for a stream with only one entry."""


def check_is_original(entries: Sequence[Entry], version: int, key: str = "no_entry") -> None:
    """Raise `NotFoundError`, with the sentence `key`, if the version is no entry or is itself a correction."""
    last = len(entries)
    if not 1 <= version <= last:
        raise NotFoundError("not_found", phrase(_BUT_FIRST[key] if last == 1 else key, text=version, last=last))
    event = entries[version - 1][1]
    if isinstance(event, Corrected):
        raise NotFoundError("not_found", phrase("entry_is_correction", text=version, corrected=event.version))


def _place_of_step(fold: TableFold, deal: int, step: int) -> CorrectionTarget:
    """Return the place of the action that `replay` shows as this step."""
    record = fold.deal(deal)
    steps = [index for index in range(record.start, record.end) if type(fold.entries[index][1]) in STEP_TYPES]
    if not 1 <= step <= len(steps):
        raise no_such_step(deal, step, 1, len(steps))
    return _place_of_index(fold, steps[step - 1])


def correction(
    fold: TableFold,
    place: CorrectionTarget,
    action: CorrectionAction,
    content: str | Sequence[Event] | None,
    reason: str,
) -> Corrected:
    """Return the correction of a place; `content`: the events for `replace` and `insert_after`, or words for them.

    Raise `MalformedError` if the words cannot be read or the correction changes nothing.
    """
    if not reason.strip():
        raise MalformedError(phrase("correction.no_reason"), phrase("correction.reason"))
    original = fold.recorded[place.version - 1][1]
    read = tuple(event for version, event in fold.entries if version == place.version)
    now = read_after(action, original, read, place.item, partial(_events_of_content, fold, place, content))
    check_changes(place.version, read, now)
    return as_correction(place.version, original, now, reason)


def read_after(
    action: CorrectionAction,
    original: Event,
    read: tuple[Event, ...],
    item: int | None,
    events_for: Callable[[int, Event | None], tuple[Event, ...]],
) -> tuple[Event, ...]:
    """Return the events read in place of an entry after a correction of all `read` events, or of one `item` of them.

    `events_for` returns the new events at an index, given the event that they replace.
    """
    first, end = (0, len(read)) if item is None else (item, item + 1)
    match action:
        case "restore":
            return (original,)
        case "strike":
            return read[:first] + read[end:]
        case "replace":
            return read[:first] + events_for(first, read[first] if read else original) + read[end:]
        case "insert_after":
            return read[:end] + events_for(end, None) + read[end:]


def check_changes(version: int, read: tuple[Event, ...], now: tuple[Event, ...]) -> None:
    """Raise `MalformedError` if a correction would change nothing."""
    if now == read:
        what = phrase("correction.is_read_so" if read else "correction.is_struck", version=version)
        raise MalformedError(what, phrase("correction.changes"))


def correction_of_version(fold: TableFold, version: int, now: tuple[Event, ...], reason: str) -> Corrected:
    """Return the correction after which `now` is read in place of an entry."""
    return as_correction(version, fold.recorded[version - 1][1], now, reason)


def with_hidden_cards(made: Corrected, seen: TableFold, fold: TableFold) -> Corrected:
    """Return a correction made from the redacted table, with the hidden cards of the events that it keeps.

    `seen` and `fold` are the same table, redacted and in full. The action must not reveal whether the new events equal
    the original.
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


def check_confirmed(fold: TableFold, place: CorrectionTarget, table: str) -> None:
    """Raise `UsageError` if the place holds a director's entry, whose correction needs a confirmation."""
    original = fold.recorded[place.version - 1][1]
    read = (event for version, event in fold.entries if version == place.version)
    for event in (original, *read):
        if isinstance(event, DirectorEvent):
            words = phrase("correction.directors", version=place.version, table=table, deal=event.deal)
            raise UsageError("confirm_required", words)


def _events_of_content(
    fold: TableFold, place: CorrectionTarget, content: str | Sequence[Event] | None, item: int, replaced: Event | None
) -> tuple[Event, ...]:
    if isinstance(content, str) or content is None:
        index = bisect_left(fold.entries, place.version, key=lambda entry: entry[0]) + item
        return events_from_text(fold, index, replaced, content or "")
    return tuple(content)


def as_correction(version: int, original: Event, now: tuple[Event, ...], reason: str) -> Corrected:
    """Return the correction after which `now` is read in place of the `original` entry."""
    action, events = "replace", now
    if not now:
        action = "strike"
    elif now[0] == original and len(now) > 1:
        action, events = "insert_after", now[1:]
    raw: dict[str, Any] = {"version": version, "action": action, "reason": reason, "events": events or None}
    return converted(raw | {"type": "corrected"}, Corrected, "corrected")


def _place_of_index(fold: TableFold, index: int) -> CorrectionTarget:
    version = fold.entries[index][0]
    first = bisect_left(fold.entries, version, key=lambda entry: entry[0])
    is_alone = [entry[0] for entry in fold.entries[first : first + 2]].count(version) == 1
    return CorrectionTarget(version, None if is_alone else index - first)


def deals_at(fold: TableFold, place: CorrectionTarget) -> tuple[int, ...]:
    """Return the number of the deal that contains the entry; empty before the first deal."""
    numbers = [record.number for record in fold.deals if record.version <= place.version]
    return (numbers[-1],) if numbers else ()


def last_act(fold: TableFold) -> CorrectionTarget:
    """Return the place of the last act that is read. Raise `NotFoundError` if only the opening is left."""
    if len(fold.entries) == 1:
        raise NotFoundError("not_found", phrase("live.nothing_to_undo"))
    return EntryReference().place(fold)


def last_undone(entries: Sequence[Entry]) -> int:
    """Return the version of the act that was undone last. Raise `NotFoundError` if none was, or acts followed."""
    in_force = corrections_in_force(entries)
    for version, event in reversed(entries):
        if not isinstance(event, Corrected):
            break
        if event.action == "strike" and in_force[event.version].version == version:
            return event.version
    raise NotFoundError("not_found", phrase("live.nothing_to_redo"))


_ORDER: Final = {"strike": 0, "replace": 1, "insert_after": 2}
"""The order of corrections: strikes come first, because a result and play cannot be read at the same time."""


def deal_correction(fold: TableFold, table: str, number: int, text: str, source: str, reason: str) -> list[Corrected]:
    """Return the corrections after which a deal of the `table` (its slug) is read as in the file.

    Raise `NotFoundError` for an unknown deal. Raise `MalformedError` if the file cannot be read, has several deals,
    belongs to another table, or changes nothing.
    """
    if not reason.strip():
        raise MalformedError(phrase("correction.no_reason"), phrase("correction.reason"))
    record = fold.deal(number)
    typed_events = _typed_events(fold, table, record, text, source)
    now = _laid_over(fold, record, typed_events)
    corrections = [
        correction_of_version(fold, version, tuple(events), reason)
        for version, events in now.items()
        if tuple(events) != _read_at(fold, version)
    ]
    if not corrections:
        raise MalformedError(phrase("correction.deal_is_read_so", deal=number), phrase("correction.changes"))
    return sorted(corrections, key=lambda event: (_ORDER[event.action], event.version))


def _typed_events(fold: TableFold, table: str, record: DealRecord, text: str, source: str) -> list[Event]:
    """Return the events of the deal in the file, whose other keys must agree with the table."""
    page = read_page(text, source)
    try:
        reader = TableReader(page, _alone(fold, table, record, page))
        reader.read()
    except MalformedError as error:
        raise page.with_others(error) from None
    page.raise_errors()
    refuse_impossible(reader.slips)
    events = [item.event for item in reader.entries]
    start = next(place for place, event in enumerate(events) if type(event) is DealStarted)
    return [structs.replace(events[start], deal=record.number), *events[start + 1 :]]


def _alone(fold: TableFold, table: str, record: DealRecord, page: Page) -> HandRecordFile:
    """Return the file reduced to its one deal. Raise `MalformedError` if its other keys disagree with the table."""
    opened = fold.opened
    known: dict[str, Any] = {
        "game": opened.game,
        "table": table,
        "players": list(record.players),
        "options": opened.options,
    }
    file = read_file(page, known)
    for key in ("game", "table", "players"):
        value = getattr(file, key)
        if value != known[key]:
            what = phrase("correction.of_table") if key == "table" else phrase("correction.another_table", field=key)
            shown, due = (", ".join(names) if key == "players" else names for names in (value, known[key]))
            page.errors.append(page.refuse(page.line_of(key), what, due, shown))
    page.raise_errors()
    played = [part for part in file.deal if not is_left_empty(part)]
    if len(played) != 1 or played[0].seated:
        expected = phrase("correction.one_deal")
        what = phrase("correction.deals_told", count=len(played))
        raise MalformedError(what, expected, where=in_file(str(page.source)))
    (part,) = played
    if part.dealer is None:
        part = structs.replace(part, dealer=record.players[record.dealer])
    return structs.replace(file, deal=[part], closed=False, session=None, source=None, comment=None, expect=None)


def _laid_over(fold: TableFold, record: DealRecord, typed_events: Sequence[Event]) -> dict[int, list[Event]]:
    """Return the events to read at each entry of the deal, by version, with as few changed entries as possible."""
    entries = fold.entries[record.start : record.end]
    now: dict[int, list[Event]] = {}
    for version, event in entries:
        now.setdefault(version, []).append(event)
    notes = [event for _, event in entries if type(event) is Noted]
    old = [entry for entry in entries[1:] if type(entry[1]) in DEAL_TYPES]
    new = [event for event in typed_events[1:] if event not in notes]
    now[record.version][0] = typed_events[0]
    put: dict[int, list[Event]] = {}
    left_out: list[tuple[int, Event]] = []
    alike = SequenceMatcher(None, [encode_event(event) for _, event in old], list(map(encode_event, new)), False)
    for kind, first, end, new_first, new_end in alike.get_opcodes():
        if kind == "equal":
            continue
        last = old[first - 1][0] if first else record.version
        for was, event in zip_longest(old[first:end], new[new_first:new_end]):
            if was is None:
                put.setdefault(last, []).append(event)
                continue
            last, place = was[0], now[was[0]].index(was[1])
            if event is None:
                left_out.append(was)
            else:
                now[last][place] = event
    for version, event in left_out:
        now[version].remove(event)
    for version, events in put.items():
        now[version] += events
    return now


def _read_at(fold: TableFold, version: int) -> tuple[Any, ...]:
    return tuple(event for at, event in fold.entries if at == version)
