"""Who sits with whom on one evening, and at what game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from ledger.errors import MalformedError
from ledger.events import MAX_SEATS
from ledger.games.kernel.protocol import Game
from ledger.recording.seasons.members import Member


class Way(NamedTuple):
    """A game as so many play it under these options."""

    game: Game
    options: Mapping[str, Any]
    seats: int


class Round(NamedTuple):
    """The tables of one round, and who waits because there is no place."""

    tables: Sequence[tuple[Way, tuple[Member, ...]]]
    waiting: tuple[Member, ...]


def ways_of(game: Game, options: Mapping[str, Any]) -> tuple[Way, ...]:
    """All ways in which a club plays the game; those `options` hold in each of them."""
    variants = () if game.simulation is None else game.simulation.variants
    return tuple(_ways(game, [{**variant, **options} for variant in variants]))


def _ways(game: Game, variants: Sequence[Mapping[str, Any]]) -> Iterator[Way]:
    for options in variants:
        for seats in range(2, MAX_SEATS + 1):
            with suppress(MalformedError):
                game.make_options(options, seats)
                yield Way(game, options, seats)


def seated(present: Sequence[Member], ways: Mapping[str, Sequence[Way]], chance: Random) -> Round:
    """Seats by lot: first a game, then a way of it that leaves nobody over who could still make up a table."""
    left = chance.sample(present, len(present))
    fewest = min(way.seats for of_game in ways.values() for way in of_game)
    tables = []
    while len(left) >= fewest:
        fitting = {game: _fitting(of_game, len(left), fewest) for game, of_game in ways.items()}
        game = chance.choice([game for game, found in fitting.items() if found] or [""])
        if not game:
            break
        way = chance.choice(fitting[game])
        tables.append((way, tuple(left[: way.seats])))
        del left[: way.seats]
    return Round(tables, tuple(left))


def _fitting(ways: Sequence[Way], people: int, fewest: int) -> list[Way]:
    """The ways for which there are enough people; rather those after which nobody is left over."""
    able = [way for way in ways if way.seats <= people]
    return [way for way in able if people - way.seats == 0 or people - way.seats >= fewest] or able
