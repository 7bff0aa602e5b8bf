"""Legal moves as events, and the form in which contract 5 shows them under `legal`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar, cast

from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsExchanged,
    CardTurned,
    Event,
    PartnerCalled,
    Suit,
    TrumpNamed,
)
from ledger.games.kernel.views import Legal, Moves

_VALUES: Final[Mapping[type, str]] = {
    BidMade: "call",
    CardTurned: "card",
    TrumpNamed: "suit",
    PartnerCalled: "card",
    CardsExchanged: "count",
    Announced: "what",
    CardPlayed: "card",
}
"""The field of an event that contract 5 shows."""

_TAGS: Final = {kind: str(kind.__struct_config__.tag) for kind in _VALUES}  # type: ignore[attr-defined]
_SPOKEN: Final = frozenset({BidMade, Announced})
"""Moves that a seat other than the one in turn may make."""

_Move = TypeVar("_Move", bound=Event)


def includes(moves: Moves, kind: type[Event]) -> bool:
    """Return whether one of the moves has this type."""
    return any(type(move) is kind for move in moves)


def calls_of(seat: int, calls: Iterable[str]) -> Moves:
    """Return these calls by the seat."""
    return tuple([BidMade(seat=seat, call=call) for call in calls])


def namings(seats: Iterable[int], suits: Sequence[str]) -> Moves:
    """Return each of these suits as named by each of the seats."""
    return tuple([TrumpNamed(seat=seat, suit=cast(Suit, suit)) for seat in seats for suit in suits])


def announcements(said: Iterable[tuple[int | None, str]]) -> Moves:
    """Return these announcements by their seats."""
    return tuple([Announced(seat=seat, what=word) for seat, word in said])


def plays(seat: int, cards: Iterable[str]) -> Moves:
    """Return these cards as played by the seat."""
    return tuple([CardPlayed(seat=seat, card=card) for card in cards])


def of_type(moves: Iterable[Event], kind: type[_Move]) -> list[_Move]:
    """Return the moves of one type, in their order."""
    return [move for move in moves if type(move) is kind]


def shown(moves: Moves, turn: int | None) -> dict[type[Event], dict[Any, Event]]:
    """Return the moves by type and value as contract 5 lists them, values sorted, null last.

    A call or an announcement by a seat other than `turn` has that seat before it: `2:mit`. Of several moves with one
    value, e.g. trumps that one of two seats will name, the first is kept.
    """
    listed: dict[type[Event], dict[Any, Event]] = {}
    for move in moves:
        seat, value = other_speaker(move, turn), value_of(move)
        listed.setdefault(type(move), {}).setdefault(value if seat is None else f"{seat}:{value}", move)
    return {kind: _sorted(by_value) for kind, by_value in listed.items()}


def as_json(moves: Moves, turn: int | None) -> Legal:
    """Return the moves as contract 5 writes them; `turn`: the seat that has to act, as far as the viewer knows."""
    # One loop in place of `shown`, in less than half its time: each answer to a recorder needs it.
    listed: dict[type[Event], set[Any]] = {}
    for move in moves:
        kind = type(move)
        value = getattr(move, _VALUES[kind])
        if kind in _SPOKEN and (seat := getattr(move, "seat")) not in (None, turn):  # noqa: B009 - Announced or BidMade
            value = f"{seat}:{value}"
        if kind in listed:
            listed[kind].add(value)
        else:
            listed[kind] = {value}
    return {_TAGS[kind]: _null_last(values) for kind, values in listed.items()}


def _null_last(values: set[Any]) -> list[Any]:
    """Return the values sorted, null last."""
    if None not in values:
        return sorted(values)
    return [*sorted(values - {None}), None]


def tag_of(kind: type[Event]) -> str:
    """Return the `type` of events of this class, e.g. `card_played`."""
    return str(kind.__struct_config__.tag)


def value_of(move: Event) -> Any:
    """Return the value of a move that contract 5 lists: its call, announcement, card, suit or number of cards."""
    return getattr(move, _VALUES[type(move)])


def other_speaker(move: Event, turn: int | None) -> int | None:
    """Return the seat of a call or an announcement by a seat other than `turn`, else None."""
    if isinstance(move, BidMade | Announced) and move.seat != turn:
        return move.seat
    return None


def _sorted(by_value: dict[Any, Event]) -> dict[Any, Event]:
    values = sorted([value for value in by_value if value is not None])
    return {value: by_value[value] for value in (*values, None) if value in by_value}
