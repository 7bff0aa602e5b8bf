"""Comparison of a file with the recorded entries: which events are known, which disagree, and which are new. Pure.

An entry is known if the file has its original event or the events that are read in its place now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from operator import ne
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from ledger.events import Corrected, DealStarted, DirectorEvent, Event, Noted, ScoreClaimed, TrickGathered
from ledger.table.corrections import Entry, corrections_in_force, read_instead

_CHANGE: Final = 4
_LEAVE: Final = 5
_STRIKE: Final = 6
_PUT_IN: Final = 6
"""Costs of the edits. A changed entry is likelier than one entry too many and another one missing."""

_CELLS_MAX: Final = 400_000
"""The largest table of costs; a larger stretch is struck and inserted as a whole."""

_AHEAD: Final = 64
"""How many more events than the rest of the record has are compared; later ones are new."""

_ALIKE: Final = 0.6
"""The least similarity of two notes that count as one note with another wording."""

_COMPARED: Final = 500
"""How many characters of a note are compared."""

_ASIDE: Final = (Noted, ScoreClaimed, TrickGathered)
"""Events that change nothing of the play; if the file lacks one, another recorder added it, and it stays."""

_Kind: TypeAlias = Literal["same", "left", "changed", "struck", "put_in"]


class Item(Struct, frozen=True):
    """An original entry of a record, and the events that are read in its place."""

    version: int
    original: Event
    read: tuple[Event, ...]

    @property
    def is_expressible(self) -> bool:
        """Whether a hand record can contain it; it has no disputes, rulings, or notes on an entry or by a player."""
        event = self.original
        if isinstance(event, Noted):
            return event.seat is None and event.version is None
        return not isinstance(event, DirectorEvent)

    @property
    def accepted_forms(self) -> tuple[tuple[Event, ...], ...]:
        """The events by which a file may repeat the entry: those read now and the original, the longer form first."""
        first = (self.original,)
        if self.read == first:
            return (first,)
        return (self.read, first) if self.read else (first, self.read)


class ChangedEntry(Struct, frozen=True):
    """An entry about which the file disagrees; `place`: the index of the first event of the file that shows it."""

    version: int
    was: tuple[Event, ...]
    now: tuple[Event, ...]
    place: int


class Alignment(Struct, frozen=True):
    """The events of a file, by index, matched to the entries of a record, by version.

    `known`: the entry of each matched event. `new`: the events after the end of the record. `lacking`: the last
    entries, which the file does not have yet.
    """

    known: Mapping[int, int]
    changes: Sequence[ChangedEntry]
    new: Sequence[int]
    lacking: Sequence[int]


class _Step(NamedTuple):
    """One edit: an item is the same, left, changed or struck, or events are put in after it.

    `places`: the events that belong to it; `at`: the index to show.
    """

    kind: _Kind
    item: int
    places: tuple[int, ...]
    at: int


_Steps: TypeAlias = list[_Step]


def items_of(entries: Sequence[Entry]) -> list[Item]:
    """Return the original entries of a record with the events read in their place."""
    corrections = corrections_in_force(entries)
    return [
        Item(version, event, read_instead(event, corrections.get(version)))
        for version, event in entries
        if not isinstance(event, Corrected)
    ]


def aligned(items: Sequence[Item], typed: Sequence[Event]) -> Alignment:
    """Return the most likely alignment of the file with the record."""
    whole = _Stretch(items, typed, range(len(items)), range(len(typed)))
    steps = whole.straight()
    if steps is None:
        steps = [step for section in _sections(items, typed) for step in section.steps()]
    return _gathered(items, typed, steps)


def _sections(items: Sequence[Item], typed: Sequence[Event]) -> Iterator[_Stretch]:
    """Yield the stretches of record and file between the deals that both have."""
    of_record = _starts(item.read or (item.original,) for item in items)
    of_file = _starts((event,) for event in typed)
    ours = theirs = 0
    for deal in sorted(of_record.keys() & of_file.keys()):
        if of_record[deal] >= ours and of_file[deal] >= theirs:
            yield _Stretch(items, typed, range(ours, of_record[deal]), range(theirs, of_file[deal]))
            ours, theirs = of_record[deal], of_file[deal]
    yield _Stretch(items, typed, range(ours, len(items)), range(theirs, len(typed)))


def _starts(read: Iterable[Sequence[Event]]) -> dict[int, int]:
    """Return the index at which each deal starts."""
    starts: dict[int, int] = {}
    for place, events in enumerate(read):
        if events and isinstance(events[0], DealStarted):
            starts.setdefault(events[0].deal, place)
    return starts


class _Stretch:
    """Items of a record and events of a file that cover the same part of it.

    At the end of the record, events without an item are new and items without an event are lacking; neither costs
    anything.
    """

    def __init__(self, items: Sequence[Item], typed: Sequence[Event], ours: range, theirs: range) -> None:
        self.items = items
        self.typed = typed
        self.indexes = [index for index in ours if items[index].is_expressible]
        self.places = list(theirs)
        self.first = ours.start
        self.is_last = ours.stop == len(items) and theirs.stop == len(typed)

    def steps(self) -> _Steps:
        """Return the edits of the stretch in the order of its items."""
        straight = self.straight()
        if straight is not None:
            return straight
        notes = self._notes()
        placed = {place for step in notes for place in step.places}
        if self.is_last:  # a note before lacking entries is new as well
            placed |= {place for place in self.places if isinstance(self.typed[place], Noted)}
        self.places = [place for place in self.places if place not in placed]
        self.indexes = [index for index in self.indexes if not isinstance(self.items[index].original, Noted)]
        if self.is_last:
            rows, columns = len(self.indexes), len(self.places)
            self.places, self.indexes = self.places[: 2 * rows + _AHEAD], self.indexes[: 2 * columns + _AHEAD]
        return sorted([*notes, *self._cheapest()], key=lambda step: (step.item, step.at))

    def straight(self) -> _Steps | None:
        """Return the edits if one side repeats the beginning of the other, else None."""
        steps: _Steps = []
        column, end = 0, len(self.places)
        for index in self.indexes:
            if column == end and self.is_last:
                return steps
            length = self._matching_length(index, column)
            if length is None:
                return None
            steps.append(self._step("same", index, column, length))
            column += length
        return steps if column == end or self.is_last else None

    def _matching_length(self, index: int, column: int) -> int | None:
        """Return how many events from there repeat the item; None if they differ."""
        for form in self.items[index].accepted_forms:
            if self._events(column, len(form)) == form:
                return len(form)
        return None

    def _events(self, column: int, length: int) -> tuple[Event, ...]:
        return tuple(self.typed[place] for place in self.places[column : column + length])

    def _step(self, kind: _Kind, item: int, column: int, length: int) -> _Step:
        places = tuple(self.places[column : column + length])
        at = self.places[min(column, len(self.places) - 1)] if self.places else 0
        return _Step(kind, item, places, at)

    # Notes

    def _notes(self) -> _Steps:
        """Return the edits of notes, wherever they are in the stretch: the same, or with another wording.

        A note that the file lacks belongs to another recorder and stays.
        """
        steps: _Steps = []
        left = [index for index in self.indexes if isinstance(self.items[index].original, Noted)]
        notes = [place for place in self.places if isinstance(self.typed[place], Noted)]
        for place in list(notes):
            match = next((index for index in left if self._is_same_note(index, place)), None)
            if match is not None:
                left.remove(match)
                notes.remove(place)
                steps.append(_Step("same", match, (place,), place))
        for place in notes:
            match = next((index for index in left if self._is_alike(index, place)), None)
            if match is not None:
                left.remove(match)
                steps.append(_Step("changed", match, (place,), place))
        return steps

    def _is_same_note(self, index: int, place: int) -> bool:
        return (self.typed[place],) in self.items[index].accepted_forms

    def _is_alike(self, index: int, place: int) -> bool:
        item, event = self.items[index], self.typed[place]
        read = item.read[0] if item.read else item.original
        if not (isinstance(read, Noted) and isinstance(event, Noted)):
            return False
        return SequenceMatcher(None, read.text[:_COMPARED], event.text[:_COMPARED]).ratio() >= _ALIKE

    # The way that changes least

    def _cheapest(self) -> Iterator[_Step]:
        rows, columns = len(self.indexes), len(self.places)
        if rows * columns > _CELLS_MAX:
            yield from (self._step("struck", index, 0, 0) for index in self.indexes)
            yield from (self._step("put_in", self.indexes[-1], column, 1) for column in range(columns))
            return
        costs = self._costs(rows, columns)
        row = column = 0
        while not self._is_over(row, column):
            ways = [(cost + costs[row + down][column + length], kind, down, length)
                    for kind, cost, down, length in self._ways(row, column)]  # fmt: skip
            _, kind, down, length = min(ways, key=lambda way: way[0])
            item = self._before(row) if kind == "put_in" else self.indexes[row]
            yield self._step(kind, item, column, length)
            row, column = row + down, column + length

    def _before(self, row: int) -> int:
        """Return the item after which events are put in."""
        return self.indexes[row - 1] if row else max(self.first - 1, 0)

    def _costs(self, rows: int, columns: int) -> list[list[int]]:
        costs = [[0] * (columns + 1) for _ in range(rows + 1)]
        for row in range(rows, -1, -1):
            for column in range(columns, -1, -1):
                if not self._is_over(row, column):
                    ways = self._ways(row, column)
                    costs[row][column] = min(cost + costs[row + down][column + right] for _, cost, down, right in ways)
        return costs

    def _is_over(self, row: int, column: int) -> bool:
        """Return whether nothing is left to match: both sides end, or the rest is new or lacking."""
        no_items, no_events = row == len(self.indexes), column == len(self.places)
        return (no_items and no_events) or (self.is_last and (no_items or no_events))

    def _ways(self, row: int, column: int) -> Iterator[tuple[_Kind, int, int, int]]:
        """Yield the possible edits: kind, cost, number of items, number of events."""
        if row < len(self.indexes):
            item = self.items[self.indexes[row]]
            for form in item.accepted_forms:
                if self._events(column, len(form)) == form:
                    yield "same", 0, 1, len(form)
            read = item.read or (item.original,)
            instead = self._events(column, len(read))
            if tuple(map(type, read)) == tuple(map(type, instead)):
                yield "changed", _CHANGE * sum(map(ne, read, instead)), 1, len(read)
            if isinstance(item.original, _ASIDE):
                yield "left", _LEAVE, 1, 0
            else:
                yield "struck", _STRIKE, 1, 0
        if column < len(self.places):
            yield "put_in", _PUT_IN, 0, 1


def _gathered(items: Sequence[Item], typed: Sequence[Event], steps: Sequence[_Step]) -> Alignment:
    """Return the alignment of the edits; all edits of one entry become one change."""
    known: dict[int, int] = {}
    now: dict[int, list[Event]] = {}
    at: dict[int, int] = {}
    for step in steps:
        index = step.item
        while step.kind == "put_in" and not items[index].is_expressible:
            index -= 1
        item, events = items[index], [typed[place] for place in step.places]
        known |= dict.fromkeys(step.places, item.version)
        if step.kind in ("same", "left"):
            continue
        at.setdefault(index, step.at)
        if step.kind == "put_in":
            now.setdefault(index, list(item.read)).extend(events)
        else:
            now[index] = events
    changes = [
        ChangedEntry(item.version, item.read, tuple(now[index]), at[index])
        for index, item in enumerate(items)
        if index in now and tuple(now[index]) != item.read
    ]
    touched = {step.item for step in steps}
    lacking = [
        item.version
        for index, item in enumerate(items)
        if index not in touched and item.is_expressible and item.read and not isinstance(item.original, Noted)
    ]
    return Alignment(known, changes, [place for place in range(len(typed)) if place not in known], lacking)
