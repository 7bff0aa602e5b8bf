"""The registry of games: one line for each of ours, an entry point in the group `ledger.games` for those of others."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import cast

from ledger.errors import MalformedError
from ledger.games.ombre import GAME as OMBRE
from ledger.games.protocol import Game

OURS: tuple[Game, ...] = (OMBRE,)


@cache
def registered_games() -> dict[str, Game]:
    """All games by name; an entry point cannot take the place of one of ours."""
    games = {point.name: cast(Game, point.load()) for point in entry_points(group="ledger.games")}
    return games | {game.name: game for game in OURS}


def game_named(name: str) -> Game:
    """The game of that name; raises `MalformedError` naming the known ones."""
    game = registered_games().get(name)
    if game is None:
        raise MalformedError("table_opened.game is not known", " or ".join(sorted(registered_games())), name)
    return game
