"""The registry of games: one line for each of ours, an entry point in the group `ledger.games` for those of others."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from ledger.errors import LedgerError, MalformedError, NotFoundError
from ledger.games.couillon import GAME as COUILLON
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.rulebook import Rule, load
from ledger.games.kop import BASKA
from ledger.games.kop import GAME as KOP
from ledger.games.ombre import GAME as OMBRE
from ledger.games.quadrille import GAME as QUADRILLE
from ledger.games.words import phrase
from ledger.i18n import Text, one_of
from ledger.i18n.foreign import retold

OURS: tuple[Game, ...] = (OMBRE, QUADRILLE, COUILLON, KOP, BASKA)


def registered_games() -> dict[str, Game]:
    """All games by name: ours, and those of others that can stand beside them."""
    return _registry()[0]


def refused_games() -> dict[str, Text]:
    """Why an installed package brings no game, by the name of its entry point."""
    return _registry()[1]


@cache
def _registry() -> tuple[dict[str, Game], dict[str, Text]]:
    """A package that brings no proper game is left out: the tables of all other games can still be read."""
    games = {game.name: game for game in OURS}
    refused: dict[str, Text] = {}
    for point in sorted(entry_points(group="ledger.games"), key=lambda point: (point.name, point.value)):
        try:
            game = _loaded(point, games)
        except LedgerError as error:
            refused[point.name] = error.said
        except Exception as error:  # whatever somebody else's module raises
            refused[point.name] = retold(error) or type(error).__name__
        else:
            games[game.name] = game
    return games, refused


def _loaded(point: EntryPoint, games: Mapping[str, Game]) -> Game:
    """The game of an entry point; it may not stand in the place of another, nor cite its rules under another's ids."""
    game = point.load()
    if not isinstance(game, Game):
        what = phrase("no_game", entry_point=point.value)
        raise MalformedError(what, phrase("a_game", type=f"{Game.__module__}.{Game.__name__}"), type(game).__name__)
    if game.name != point.name:
        raise MalformedError(phrase("other_name", entry_point=point.value), point.name, game.name)
    if game.name in games:
        raise MalformedError(phrase("name_taken", package=games[game.name].package), None, game.name)
    for other in games.values():
        if other.rule_prefix == game.rule_prefix and other.package != game.package:
            raise MalformedError(phrase("prefix_taken", game=other.called), phrase("another_prefix"), game.rule_prefix)
    return game


def game_named(name: str) -> Game:
    """The game of that name; raises `MalformedError` naming the known ones."""
    game = registered_games().get(name)
    if game is not None:
        return game
    refused = refused_games().get(name)
    what = phrase("unknown") if refused is None else phrase("unusable", why=refused)
    raise MalformedError(what, one_of(sorted(registered_games())), name)


def rule_named(rule_id: str) -> Rule:
    """The rule of any game by its id, for example OMB-6.8; raises `NotFoundError` naming close matches."""
    prefix = rule_id.partition("-")[0].upper()
    for game in registered_games().values():
        if game.rule_prefix == prefix:
            return load(game.package).rule(rule_id)
    prefixes = tuple(sorted({game.rule_prefix for game in registered_games().values()}))
    raise NotFoundError("not_found", phrase("no_rule_of_any_game", text=rule_id, prefixes=prefixes))
