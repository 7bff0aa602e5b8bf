"""Redaction of the entries of an open deal before they are folded: cards and free texts.

Nothing is computed from the full record and masked afterwards: a fold of redacted entries cannot reveal more than they
do, in views, findings or errors. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from msgspec import Struct, structs

from ledger.cards import UNKNOWN
from ledger.events import (
    CardsDealt,
    CardsExchanged,
    Corrected,
    DealVoided,
    DisputeRaised,
    Event,
    Noted,
    RulingGiven,
    TableClosed,
)
from ledger.table.corrections import Entry


class Hidden(Struct, frozen=True):
    """The hidden part of a table: entries recorded from `version` on and read at the version `place` or later.

    The two differ if a correction inserted the deal. `deal`: the number of the first hidden deal.
    """

    version: int
    place: int
    deal: int


class Viewer(Struct, frozen=True):
    """The viewer of a table, who sees the hand of `seat` and their own texts among the hidden ones."""

    seat: int | None = None
    is_writer: bool = False


EVERYBODY: Final = Viewer()

REDACTABLE_TYPES: Final[frozenset[type]] = frozenset(
    (CardsDealt, CardsExchanged, DealVoided, TableClosed, Noted, DisputeRaised, RulingGiven, Corrected)
)
"""The events that may contain hidden cards or texts."""


def redacted(entry: Entry, hidden: Hidden | None, viewer: Viewer = EVERYBODY) -> Event:
    """Return the event of an entry with `??` for each card and text that the viewer may not see."""
    version, event = entry
    if hidden is None or type(event) not in REDACTABLE_TYPES or version < hidden.version:
        return event
    place = event.version if isinstance(event, Corrected) else version
    return _shown(event, place, hidden, viewer)


def redacted_entries(entries: Iterable[Entry], hidden: Hidden | None) -> list[Entry]:
    """Return the entries of a table as everybody may see them."""
    return [(entry[0], redacted(entry, hidden)) for entry in entries]


def is_hidden(version: int, event: Event, hidden: Hidden | None) -> bool:
    """Return whether the entry is of a kind and at a place that not everybody may see, whatever its content."""
    if hidden is None or version < hidden.version:
        return False
    if isinstance(event, CardsDealt | CardsExchanged):
        return version >= hidden.place
    if isinstance(event, Corrected):
        return event.version >= hidden.place or any(_is_about(one, event.version, hidden) for one in event.events or ())
    return _is_about(event, version, hidden)


def cards_not_seen(event: Event) -> list[str]:
    """Return the cards in an event that not all players saw (hands, stock, exchanges), corrections included."""
    if isinstance(event, CardsDealt):
        return [card for cards in (*event.hands, event.stock, event.deck) for card in cards or ()]
    if isinstance(event, CardsExchanged):
        return [*(event.discarded or ()), *(event.drawn or ())]
    if isinstance(event, Corrected):
        return [card for one in event.events or () for card in cards_not_seen(one)]
    return []


def _shown(event: Event, place: int, hidden: Hidden, viewer: Viewer) -> Event:
    show = _SHOWN.get(type(event))
    return event if show is None else show(event, place, hidden, viewer)


def _dealt(event: CardsDealt, place: int, hidden: Hidden, viewer: Viewer) -> Event:
    if place < hidden.place:
        return event
    hands = tuple(hand if seat == viewer.seat else _hidden(hand) for seat, hand in enumerate(event.hands))
    return structs.replace(event, hands=hands, stock=_hidden(event.stock), deck=_hidden(event.deck))


def _exchanged(event: CardsExchanged, place: int, hidden: Hidden, viewer: Viewer) -> Event:
    if place < hidden.place or event.seat == viewer.seat:
        return event
    return structs.replace(event, discarded=_hidden(event.discarded), drawn=_hidden(event.drawn))


def _spoken(event: Event, place: int, hidden: Hidden, viewer: Viewer) -> Event:
    if viewer.is_writer or not _is_about(event, place, hidden):
        return event
    return structs.replace(event, text=UNKNOWN)


def _ended(event: DealVoided | TableClosed, place: int, hidden: Hidden, viewer: Viewer) -> Event:
    if viewer.is_writer or event.reason is None or not _is_about(event, place, hidden):
        return event
    return structs.replace(event, reason=UNKNOWN)


def _corrected(event: Corrected, place: int, hidden: Hidden, viewer: Viewer) -> Event:
    events = None if event.events is None else tuple(_shown(one, place, hidden, viewer) for one in event.events)
    reason = event.reason if viewer.is_writer or place < hidden.place else UNKNOWN
    return structs.replace(event, events=events, reason=reason)


def _is_about(event: Event, place: int, hidden: Hidden) -> bool:
    """Return whether a free text may be about an open deal."""
    if isinstance(event, Noted):
        return (event.version or place) >= hidden.place
    if isinstance(event, DealVoided | TableClosed):
        return place >= hidden.place
    if isinstance(event, DisputeRaised):
        return event.deal >= hidden.deal or (event.version or 0) >= hidden.place
    return isinstance(event, RulingGiven) and event.deal >= hidden.deal


def _hidden(cards: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if cards is None else (UNKNOWN,) * len(cards)


_SHOWN: Final[dict[type, Callable[[Any, int, Hidden, Viewer], Event]]] = {
    CardsDealt: _dealt,
    CardsExchanged: _exchanged,
    DealVoided: _ended,
    TableClosed: _ended,
    Noted: _spoken,
    DisputeRaised: _spoken,
    RulingGiven: _spoken,
    Corrected: _corrected,
}


def with_hidden(event: Event, seen: Event, full: Event) -> Event:
    """Return the event, an edited copy of the redacted `seen`, with each unchanged part replaced by that of `full`."""
    if event == seen:
        return full
    fields = {
        name: _restored(getattr(event, name), getattr(seen, name), getattr(full, name))
        for name in event.__struct_fields__
    }
    return structs.replace(event, **fields)


def _restored(value: Any, seen: Any, full: Any) -> Any:
    if value == seen:
        return full
    if isinstance(value, tuple) and isinstance(seen, tuple) and all(type(one) is not str for one in value):
        return tuple(map(_restored, value, seen, full))
    return value
