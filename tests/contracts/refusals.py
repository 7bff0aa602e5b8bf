"""Errors of a game, provoked from its declaration alone, and whether they are worded in another language."""

import re
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from msgspec import inspect, structs, to_builtins

from ledger.errors import MalformedError
from ledger.events import MAX_SEATS, Announced, Award, BidMade, Event
from ledger.games.kernel.protocol import Game
from ledger.table.fold import TableFold
from tests.contracts import game_source, game_tables

RULE = re.compile(r"[A-Z]{3}-\d+\.\d+")
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]+")
TYPED = {"options", "outcome", "award", "bid_made", "announced", "card", "seat", "seats", "players"}
"""Names of fields that messages show as they are."""


def english_left(error: MalformedError, game: Game) -> set[str]:
    """Return the words in Latin letters of the Japanese message, without those that are typed so in a record."""
    message = error.message("ja").replace(repr(error.text), "")
    return set(WORD.findall(RULE.sub("", message))) - typed(game)


def typed(game: Game) -> set[str]:
    """Return the words that a recorder of this game types."""
    words = {*TYPED, "true", "false", "null", *game.calls, *game.announcements}
    for kind in (game.option_type, game.outcome_type, Award):
        words |= game_source.choices_of(kind) | {field.encode_name for field in structs.fields(kind)}
    return words


def refusals(game: Game, fold: TableFold, chance: Random) -> Iterator[MalformedError]:
    """Yield the errors for options, events and results of deals that are nearly right."""
    for players in range(MAX_SEATS + 2):
        yield from _error(game.make_options, {}, players)
    for event in _events(game, chance):
        yield from _error(game.check_event, event)
    for record in fold.deals:
        if record.outcome is not None:
            for raw in _altered(to_builtins(record.outcome), game.outcome_type, chance):
                yield from _error(game.check_outcome, raw, fold.options, len(fold.players), record.dealer)


def _error(check: Callable[..., object] | None, *arguments: object) -> Iterator[MalformedError]:
    assert check is not None
    try:
        check(*arguments)
    except MalformedError as error:
        yield error


def _events(game: Game, chance: Random) -> Iterator[Event]:
    if game.check_event is None:
        return
    for call in sorted(game.calls):
        yield BidMade(seat=0, call=call, card=chance.choice(sorted(game.pack)))
    for word in sorted(game.announcements):
        yield Announced(seat=None, what=word)
        yield Announced(seat=0, what=word, seats=(0, 1))


def _altered(outcome: Mapping[str, Any], outcome_type: type, chance: Random) -> Iterator[dict[str, Any]]:
    """Yield the outcome with one or two fields changed, each within its type."""
    info = inspect.type_info(outcome_type)
    assert isinstance(info, inspect.StructType)
    for field in info.fields:
        for other in (field, chance.choice(info.fields)):
            kinds = {field.encode_name: field.type, other.encode_name: other.type}
            yield {**outcome, **{name: _other(outcome.get(name), kind, chance) for name, kind in kinds.items()}}


def _other(value: Any, kind: inspect.Type, chance: Random) -> Any:
    if isinstance(value, list | tuple):
        return [max(0, item - chance.randint(0, 1)) for item in value]
    return game_tables.some_value(kind, chance)
