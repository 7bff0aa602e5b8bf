"""Restrictions of names in new entries. Recorded entries are read whatever their names are.

Names alone distinguish the players of a table, and web addresses contain the slugs of tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from ledger.errors import MalformedError, in_stream
from ledger.events import Corrected, Event, PlayerSeated, SessionOpened, TableOpened
from ledger.names import folded, readable_name
from ledger.recording.catalogue import phrase
from ledger.streams import TABLE
from ledger.table.corrections import Entry, corrected_reading
from ledger.table.people import seatings

RESERVED_SLUGS: Final = frozenset(("new",))
"""Slugs that no table or session may have: the page that opens a new one uses them."""

_NO_SEGMENTS: Final = (".", "..")
"""Path segments that browsers remove from an address, however they are written."""

NAMING: Final = frozenset((TableOpened, PlayerSeated, SessionOpened, Corrected))
"""The types of events that may bring names, or other players to a table."""


def check_new_names(stream: str, recorded: Sequence[Entry], events: Sequence[Event]) -> None:
    """Raise `MalformedError` for names that these events may not bring to their stream.

    A name must be readable, no two players of a table may share one, and no stream has a reserved slug. `recorded`: the
    entries before the events. The error has the index of the event.
    """
    naming = [number for number, event in enumerate(events) if type(event) in NAMING]
    if not naming:
        return
    if not recorded:
        check_new_slug(stream)
    for number in naming:
        try:
            check_readable(events[number])
        except MalformedError as error:
            error.entry = number
            raise error.at(in_stream(stream)) from None
    if TABLE.has(stream) and (name := seated_twice(recorded, events)) is not None:
        what, expected = phrase("name.same_name"), phrase("name.told_apart_together")
        raise MalformedError(what, expected, name, in_stream(stream), entry=naming[-1])


def check_new_slug(stream: str) -> None:
    """Raise `MalformedError` if the slug of the stream is reserved."""
    slug = stream.rpartition("/")[2]
    if slug in RESERVED_SLUGS:
        raise MalformedError(phrase("name.reserved"), phrase("name.another"), slug)


def readable_player(field: str, name: str) -> str:
    """Return a player's name in NFC. Raise `MalformedError` if it is not readable or not possible in an address."""
    if name in _NO_SEGMENTS:
        raise MalformedError(field, phrase("name.another"), name)
    return readable_name(field, name)


def check_readable(event: Event) -> None:
    """Raise `MalformedError` for a name in an event that a reader could not see all of."""
    if isinstance(event, Corrected):
        for instead in event.events or ():
            check_readable(instead)
    elif isinstance(event, TableOpened):
        for seat, name in enumerate(event.players):
            readable_player(f"players[{seat}]", name)
    elif isinstance(event, PlayerSeated):
        readable_player("player", event.player)
    elif isinstance(event, SessionOpened):
        for field in ("title", "club", "place"):
            if (name := getattr(event, field)) is not None:
                readable_name(field, name)


def seated_twice(recorded: Sequence[Entry], events: Sequence[Event]) -> str | None:
    """Return a name that two seats share only since these events; None if there is none."""
    new = enumerate(events, start=len(recorded) + 1)
    return next(iter(_twice([*recorded, *new]) - (_twice(recorded) if recorded else set())), None)


def _twice(recorded: Sequence[Entry]) -> set[str]:
    """Return the folded names that two seats share; consecutive changes of players count as one change."""
    return {
        name
        for players in seatings(corrected_reading(recorded))
        for name, seats in Counter(map(folded, players)).items()
        if seats > 1
    }
