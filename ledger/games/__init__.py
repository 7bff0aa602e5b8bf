"""The registry of games: the built-in ones, and those that other packages bring by the entry point `ledger.games`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from ledger.errors import LedgerError, MalformedError, NotFoundError
from ledger.games.couillon import GAME as COUILLON
from ledger.games.kernel.protocol import INTERFACE, Game
from ledger.games.kernel.refusals import phrase
from ledger.games.kernel.rulebook import Rule, Rulebook, load
from ledger.games.kop import BASKA
from ledger.games.kop import GAME as KOP
from ledger.games.ombre import GAME as OMBRE
from ledger.games.quadrille import GAME as QUADRILLE
from ledger.i18n import Text, one_of
from ledger.i18n.languages import DEFAULT
from ledger.i18n.library_errors import localised
from ledger.names import meant

BUILT_IN: tuple[Game, ...] = (OMBRE, QUADRILLE, COUILLON, KOP, BASKA)

_NUMBER: Final = re.compile(r"\d+\.\d+")
"""A rule's number without its rulebook's prefix, e.g. 6.8."""


def registered_games() -> dict[str, Game]:
    """Return all games by name: the built-in ones and those of installed packages that fit in with them."""
    return _registry()[0]


def refused_games() -> dict[str, Text]:
    """Return, by entry point, why the game of an installed package was left out."""
    return _registry()[1]


@cache
def _registry() -> tuple[dict[str, Game], dict[str, Text]]:
    """Return the registered games, and the reasons for those left out.

    A faulty package does not stop the others: tables of all other games can still be read.
    """
    games = {game.name: game for game in BUILT_IN}
    refused: dict[str, Text] = {}
    for point in sorted(entry_points(group="ledger.games"), key=lambda point: (point.name, point.value)):
        try:
            game = _loaded(point, games)
        except LedgerError as error:
            refused[point.name] = error.said
        except Exception as error:  # whatever somebody else's module raises
            refused[point.name] = localised(error) or type(error).__name__
        else:
            games[game.name] = game
    return games, refused


def _loaded(point: EntryPoint, games: Mapping[str, Game]) -> Game:
    """Load and check the game of an entry point.

    Raise `MalformedError` if it is no game, is written for another interface, or takes the name or the rule prefix of
    another game.
    """
    game = point.load()
    if not isinstance(game, Game):
        what = phrase("no_game", entry_point=point.value)
        raise MalformedError(what, phrase("a_game", type=f"{Game.__module__}.{Game.__name__}"), type(game).__name__)
    if game.interface != INTERFACE:
        what = phrase("other_interface", entry_point=point.value)
        raise MalformedError(
            what, phrase("interface", version=INTERFACE, guide="docs/reference/game-interface.md"), str(game.interface)
        )
    if game.name != point.name:
        raise MalformedError(phrase("other_name", entry_point=point.value), point.name, game.name)
    if game.name in games:
        raise MalformedError(phrase("name_taken", package=games[game.name].package), None, game.name)
    for other in games.values():
        if other.rule_prefix == game.rule_prefix and other.package != game.package:
            raise MalformedError(phrase("prefix_taken", game=other.called), phrase("another_prefix"), game.rule_prefix)
    return game


def game_named(name: str) -> Game:
    """Return the game of this name. Raise `MalformedError`, naming the known games, if there is none."""
    game = registered_games().get(name)
    if game is not None:
        return game
    refused = refused_games().get(name)
    what = phrase("unknown") if refused is None else phrase("unusable", why=refused)
    raise MalformedError(what, one_of(sorted(registered_games())), name)


def rule_named(rule_id: str, lang: str = DEFAULT) -> Rule:
    """Return the rule of any game by its id, e.g. OMB-6.8, in the language, or in English if its game lacks that.

    Raise `NotFoundError`, naming close matches, if there is none.
    """
    book = _rulebooks(lang).get(rule_id.partition("-")[0].strip().upper())
    if book is not None:
        return book.rule(rule_id)
    prefixes, close = tuple(sorted(_rulebooks())), _close_to(rule_id)
    key = "no_rule_of_any_game_but" if close else "no_rule_of_any_game"
    raise NotFoundError("not_found", phrase(key, text=rule_id, prefixes=prefixes, known=close))


def rules_named(rule_id: str, lang: str = DEFAULT) -> list[Rule]:
    """Return the rule of this id or, for a bare number such as 6.8, the rules of all rulebooks that have it.

    Raise `NotFoundError`, naming close matches, if there is none.
    """
    number = rule_id.strip()
    return (_numbered(number, lang) if _NUMBER.fullmatch(number) else []) or [rule_named(rule_id, lang)]


def _rulebooks(lang: str = DEFAULT) -> dict[str, Rulebook]:
    """Return the rulebooks by their prefixes; games that share rules share one."""
    return {game.rule_prefix: load(game.package, lang) for game in registered_games().values()}


def _numbered(number: str, lang: str = DEFAULT) -> list[Rule]:
    return [rule for book in _rulebooks(lang).values() for rule in book.rules if rule.id.partition("-")[2] == number]


def _close_to(text: str) -> tuple[str, ...]:
    """Suggest rule ids or names of games for a mistyped text: OMB-6.8 for `6.8` or `omb6.8`, ombre for `ombr`."""
    games = meant(text, registered_games())
    ids = [rule.id for book in _rulebooks().values() for rule in book.rules]
    if _NUMBER.fullmatch(text.strip()):
        numbers = dict.fromkeys(rule_id.partition("-")[2] for rule_id in ids)
        return tuple(rule.id for number in meant(text, numbers)[:1] for rule in _numbered(number))
    return tuple(games or meant(text, ids))
