"""Whether the filters of a question name what there is: a slip of the pen is no empty answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec import structs

from ledger.errors import MalformedError, NotFoundError, listed
from ledger.games import registered_games
from ledger.games.kernel.protocol import Game
from ledger.history.questions.asking import History
from ledger.history.questions.showing import Showing
from ledger.history.questions.statistics import filter_questions
from ledger.history.words import phrase
from ledger.names import hint, meant, only_fit, perhaps
from ledger.validation import converted


def check_filters(history: History, filters: Mapping[str, Any], showing: Showing) -> None:
    """Raises `NotFoundError` for a game, player, session or place unknown; `showing`: how players are told."""
    if filters["game"] is not None:
        _check_known("game", filters["game"], sorted(registered_games()))
    for key in ("player", "session", "place"):
        if filters[key] is not None:
            found = [str(name) for (name,) in history.answer_to(filter_questions()[key], {}).answer.rows]
            if key == "player":
                _check_known(key, filters[key], showing.may_be_asked(found), showing.names)
            else:
                _check_known(key, filters[key], found, {})


def spelled_player(history: History, player: str, showing: Showing) -> str:
    """Return the name of the record that is meant; a name that fits nobody, or several, is returned as it is."""
    found = [str(name) for (name,) in history.answer_to(filter_questions()["player"], {}).answer.rows]
    return only_fit(player, showing.may_be_asked(found)) or player


def _check_known(key: str, asked: str, known: Sequence[str], shown: Mapping[str, str] = MappingProxyType({})) -> None:
    if asked in known:
        return
    by_spelling = {spelling: shown.get(name, name) for name in known for spelling in (name, shown.get(name, name))}
    shown_names = list(dict.fromkeys(by_spelling.values()))
    close = list(dict.fromkeys(by_spelling[spelling] for spelling in meant(asked, by_spelling)))
    there_is = phrase("there_is", names=listed(shown_names)) if known else phrase("there_is_none")
    told = perhaps(close) if close else there_is
    raise NotFoundError("not_found", phrase(f"no_{key}", text=asked, hint=told))


def options_by_name(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    """Options as somebody named them one by one; raises `MalformedError` for one that is named twice."""
    told: dict[str, object] = {}
    for name, value in pairs:
        if name in told:
            raise MalformedError(phrase("filter.option_twice"), text=name, field="option")
        told[name] = value
    return told


def checked_options(options: Mapping[str, Any] | None, game: str | None) -> dict[str, Any] | None:
    """The options that tables are to have, as the game takes their values; without a game, as any game does that has
    them. None: no options are asked for.

    Raises `NotFoundError` for an option that there is not, and `MalformedError` for a value that it cannot have.
    """
    games = registered_games()
    if not options or (game is not None and game not in games):  # of which `check_filters` tells
        return None
    asked = list(games.values()) if game is None else [games[game]]
    return {name: _settled(name, value, asked, game) for name, value in options.items()}


def _settled(name: str, value: Any, games: Sequence[Game], game: str | None) -> Any:
    """The value as the first of the games takes it."""
    having = [one for one in games if name in _option_fields(one)]
    if not having:
        known = tuple(sorted({field for one in games for field in _option_fields(one)}))
        there_are = phrase("filter.options", known=known)
        told = phrase("filter.no_option", text=name, hint=hint(name, known, there_are))
        if game is not None:
            told = phrase("filter.no_option_of", text=name, game=game, hint=hint(name, known, there_are))
        raise NotFoundError("not_found", told, known=known)
    refusals: list[MalformedError] = []
    for one in having:
        try:
            return getattr(converted({name: value}, one.option_type, "option"), _option_fields(one)[name])
        except MalformedError as error:
            refusals.append(error)
    raise refusals[0]


def _option_fields(game: Game) -> dict[str, str]:
    """The names of a game's options, each with that of its field."""
    return {field.encode_name: field.name for field in structs.fields(game.option_type)}
