"""Handles in place of the names of players, for ledgers that have them (`log.people`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

from msgspec import structs

from ledger.errors import MalformedError, in_stream
from ledger.events import Corrected, Event, PlayerSeated, TableOpened
from ledger.log.base import Batch, LogStore, NewEntry
from ledger.log.people import is_handle
from ledger.recording.catalogue import phrase
from ledger.recording.new_names import seated_twice
from ledger.streams import TABLE
from ledger.table.corrections import with_names

EntryOf = TypeVar("EntryOf", bound=NewEntry)

_TOKEN: Final = re.compile("[a-z0-9-]+")
"""The id of a token, which may be a recorder without a name."""

_WITH_PLAYERS: Final = frozenset((TableOpened, PlayerSeated, Corrected))


def with_handles(store: LogStore, batch: Batch) -> Batch | None:
    """Return the batch with the handles of its players, None if it names none; a new name gets a handle here.

    Raise `MalformedError` for a new name that is not readable, and for two seats with one handle.
    """
    entries = entries_with_handles(store, batch.entries)
    if all(new is old for new, old in zip(entries, batch.entries, strict=True)):
        return None
    if TABLE.has(batch.stream):
        rows = store.read_stream(batch.stream)
        recorded = [(row.version, row.event()) for row in rows]
        events = [entry.event for entry in entries]
        is_begun = bool(recorded) or isinstance(events[0], TableOpened)
        if is_begun and (handle := seated_twice(recorded, events)) is not None:
            name = store.display_names().get(handle, handle)
            what, expected = phrase("name.same_name"), phrase("name.told_apart_together")
            raise MalformedError(what, expected, name, in_stream(batch.stream))
    return structs.replace(batch, entries=tuple(entries))


def entries_with_handles(store: LogStore, entries: Iterable[EntryOf], *, creates: bool = True) -> list[EntryOf]:
    """Return the entries with the handles of their players; a new name stays unless `creates` is set."""
    entries = list(entries)
    typed = [name for entry in entries for name in players_in(entry.event)]
    handles = store.handles_of(typed, creates=creates) if typed else {}
    return [_renamed(entry, handles) if type(entry.event) in _WITH_PLAYERS else entry for entry in entries]


def _renamed(entry: EntryOf, handles: dict[str, str]) -> EntryOf:
    ((_, event),) = with_names([(0, entry.event)], handles)
    return entry if event == entry.event else structs.replace(entry, event=event)


def players_in(event: Event) -> Iterator[str]:
    """Return the names of players that an event brings."""
    if isinstance(event, TableOpened):
        yield from event.players
    elif isinstance(event, PlayerSeated):
        yield event.player
    elif isinstance(event, Corrected):
        for instead in event.events or ():
            yield from players_in(instead)


def check_handles(store: LogStore, event: Event, recorded_by: str) -> None:
    """Raise `MalformedError` for a name in an entry whose digest must not change, if the ledger has handles."""
    if not store.has_handles:
        return
    _, slash, person = recorded_by.rpartition("/")
    is_token = not slash and _TOKEN.fullmatch(person) is not None
    names = [*players_in(event), *([] if is_token else [person.split(" ")[0]])]
    if (name := next((name for name in names if not is_handle(name)), None)) is not None:
        raise MalformedError(phrase("name.no_handle"), phrase("name.handles"), name)
