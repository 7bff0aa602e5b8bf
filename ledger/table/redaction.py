"""Takes out of the entries of an open deal what not everybody may see, before they are folded: cards and free texts.

Nothing is computed from the full record and masked afterwards: what is folded from redacted entries cannot tell more
than they do, in views, findings or refusals. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from msgspec import Struct, structs

from ledger.cards import UNKNOWN
from ledger.events import CardsDealt, CardsExchanged, Corrected, DisputeRaised, Event, Noted, RulingGiven
from ledger.table.corrections import Entry


class Hidden(Struct, frozen=True):
    """What of a table is hidden: what was recorded from `version` on and is read at the version `place` or later.

    The two differ where a correction put the deal in. `deal`: the number of the first deal that is hidden.
    """

    version: int
    place: int
    deal: int


class Viewer(Struct, frozen=True):
    """What somebody may see of what is hidden: the hand of `seat`, the texts that he wrote himself; else nothing."""

    seat: int | None = None
    is_writer: bool = False


EVERYBODY: Final = Viewer()

REDACTABLE_TYPES: Final[frozenset[type]] = frozenset(
    (CardsDealt, CardsExchanged, Noted, DisputeRaised, RulingGiven, Corrected)
)
"""The events that can tell what not everybody may see."""


def redacted(entry: Entry, hidden: Hidden | None, viewer: Viewer = EVERYBODY) -> Event:
    """The event of an entry with `??` for each card and each text that these eyes may not see; all else stays."""
    version, event = entry
    if hidden is None or type(event) not in REDACTABLE_TYPES or version < hidden.version:
        return event
    place = event.version if isinstance(event, Corrected) else version
    return _shown(event, place, hidden, viewer)


def redacted_entries(entries: Iterable[Entry], hidden: Hidden | None) -> list[Entry]:
    """The entries of a table as everybody may see them."""
    return [(entry[0], redacted(entry, hidden)) for entry in entries]


def is_hidden(version: int, event: Event, hidden: Hidden | None) -> bool:
    """Whether the entry is of a kind and at a place of which not everybody may see all, whatever it tells."""
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


def _corrected(event: Corrected, place: int, hidden: Hidden, viewer: Viewer) -> Event:
    events = None if event.events is None else tuple(_shown(one, place, hidden, viewer) for one in event.events)
    reason = event.reason if viewer.is_writer or place < hidden.place else UNKNOWN
    return structs.replace(event, events=events, reason=reason)


def _is_about(event: Event, place: int, hidden: Hidden) -> bool:
    """Whether what somebody wrote freely may be about an open deal."""
    if isinstance(event, Noted):
        return (event.version or place) >= hidden.place
    if isinstance(event, DisputeRaised):
        return event.deal >= hidden.deal or (event.version or 0) >= hidden.place
    return isinstance(event, RulingGiven) and event.deal >= hidden.deal


def _hidden(cards: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if cards is None else (UNKNOWN,) * len(cards)


_SHOWN: Final[dict[type, Callable[[Any, int, Hidden, Viewer], Event]]] = {
    CardsDealt: _dealt,
    CardsExchanged: _exchanged,
    Noted: _spoken,
    DisputeRaised: _spoken,
    RulingGiven: _spoken,
    Corrected: _corrected,
}


def with_hidden(event: Event, seen: Event, full: Event) -> Event:
    """An event that was made of one as everybody sees it (`seen`): what it left as that was, it leaves as `full` is."""
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
