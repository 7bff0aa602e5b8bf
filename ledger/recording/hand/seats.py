"""Seats for names in the tables of a hand record: results, score sheets, amounts. The game's types say where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Struct, structs

from ledger.errors import MalformedError
from ledger.events import Seat
from ledger.games.kernel.protocol import Game
from ledger.recording.hand.vocabulary import choice_typed
from ledger.recording.hand.words import Names
from ledger.recording.words import phrase


def by_seat(table: Mapping[str, int], names: Names, default: int | None = None) -> tuple[int, ...]:
    """Amounts by name as amounts by seat; without a default every player must be named."""
    amounts: dict[int, int] = {}
    for name, amount in table.items():
        seat = names.seat(name)
        if seat in amounts:
            raise MalformedError(phrase("name.same_player"), phrase("name.each_once"), name)
        amounts[seat] = amount
    for seat, name in enumerate(names.players):
        if seat not in amounts and default is None:
            raise MalformedError(phrase("name.missing", name=name), phrase("name.amount_for_all"))
    return tuple(amounts.get(seat, default or 0) for seat in range(len(names.players)))


def with_seats(value: Any, hint: Any, names: Names, game: Game) -> Any:
    """The value with seats for names, wherever the type says that a seat or one value per seat stands, and with the
    words of the record for those of a language.
    """
    hints = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    if isinstance(value, str):
        choices = {choice for one in hints if get_origin(one) is Literal for choice in get_args(one)}
        return names.seat(value) if Seat in hints else choice_typed(game, value, choices)
    if isinstance(value, dict):
        struct = next((one for one in hints if isinstance(one, type) and issubclass(one, Struct)), None)
        if struct is not None:
            return fields_with_seats(value, struct, names, game)
        if any(get_origin(one) in (tuple, list) for one in hints) and all(type(item) is int for item in value.values()):
            return list(by_seat(value, names, 0))
    if isinstance(value, list):
        of_items = next((get_args(one)[0] for one in hints if get_origin(one) in (tuple, list)), Any)
        return [with_seats(item, of_items, names, game) for item in value]
    return value


def fields_with_seats(table: Mapping[str, Any], struct: type, names: Names, game: Game) -> dict[str, Any]:
    """The fields of one of the game's Structs, with seats for names."""
    hints = _hints(struct)
    found = {}
    for key, value in table.items():
        try:
            found[key] = with_seats(value, hints.get(key, Any), names, game)
        except MalformedError as error:
            raise error.at(key) from None
    return found


@cache
def _hints(struct: type) -> Mapping[str, Any]:
    """The types of the fields, by the names that the fields have in a file."""
    by_name = get_type_hints(struct, include_extras=True)
    return {field.encode_name: by_name[field.name] for field in structs.fields(struct)}


def with_names(value: Any, hint: Any, players: Sequence[str], teams: int = 0) -> Any:
    """The value with names for seats, from which `with_seats` makes it again. `teams`: as many amounts are by team."""
    hints = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    if type(value) is int and Seat in hints and value < len(players):
        return players[value]
    if isinstance(value, dict):
        struct = next((one for one in hints if isinstance(one, type) and issubclass(one, Struct)), None)
        return {} if struct is None and not value else fields_with_names(value, struct, players, teams)
    if isinstance(value, list | tuple):
        of_items = next((get_args(one)[0] for one in hints if get_origin(one) in (tuple, list)), Any)
        named = [with_names(item, of_items, players, teams) for item in value]
        is_by_seat = len(value) == len(players) != teams and all(type(item) is int for item in named)
        return dict(zip(players, named, strict=True)) if is_by_seat else named
    return value


def fields_with_names(
    table: Mapping[str, Any], struct: type | None, players: Sequence[str], teams: int = 0
) -> dict[str, Any]:
    """The fields of one of the game's Structs that have a value, with names for seats."""
    hints = {} if struct is None else _hints(struct)
    return {
        key: with_names(value, hints.get(key, Any), players, teams) for key, value in table.items() if value is not None
    }
