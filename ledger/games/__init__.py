"""The registry of games: one line for each of ours, an entry point in the group `ledger.games` for those of others."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points

from ledger.errors import MalformedError, NotFoundError
from ledger.games.couillon import GAME as COUILLON
from ledger.games.kop import BASKA
from ledger.games.kop import GAME as KOP
from ledger.games.ombre import GAME as OMBRE
from ledger.games.protocol import Game
from ledger.games.rulebook import Rule, load

OURS: tuple[Game, ...] = (OMBRE, COUILLON, KOP, BASKA)


@cache
def registered_games() -> dict[str, Game]:
    """All games by name; an entry point cannot take the place of one of ours."""
    games = {point.name: point.load() for point in entry_points(group="ledger.games")}
    return games | {game.name: game for game in OURS}


def game_named(name: str) -> Game:
    """The game of that name; raises `MalformedError` naming the known ones."""
    game = registered_games().get(name)
    if game is None:
        raise MalformedError("table_opened.game is not known", " or ".join(sorted(registered_games())), name)
    return game


def rule_named(rule_id: str) -> Rule:
    """The rule of any game by its id, for example OMB-6.8; raises `NotFoundError` naming close matches."""
    prefix = rule_id.partition("-")[0].upper()
    for game in registered_games().values():
        if game.rule_prefix == prefix:
            return load(game.package).rule(rule_id)
    prefixes = ", ".join(sorted(game.rule_prefix for game in registered_games().values()))
    raise NotFoundError(f"there is no rule {rule_id}; rule ids look like OMB-6.8 and begin with {prefixes}")
