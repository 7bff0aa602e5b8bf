"""The filters of questions about the history as options: which player, game, days and session."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from ledger.cli.state import CliState
from ledger.cli.words import phrase
from ledger.errors import NotFoundError, listed
from ledger.games import registered_games

if TYPE_CHECKING:
    from ledger.history import History

Command = TypeVar("Command", bound=Callable[..., Any])

_DAY: Final = click.DateTime(formats=["%Y-%m-%d"])
_CLOSE: Final = 3
"""So many names are told that could be meant."""


def filter_options(command: Command) -> Command:
    """`--player --game --since --until --session`; the command gets them as keywords, for `filters_of`."""
    for option in (
        click.option("--session", help="Only this session."),
        click.option("--until", type=_DAY, metavar="DATE", help="To this day, the day included."),
        click.option("--since", type=_DAY, metavar="DATE", help="From this day on, as 2026-01-31."),
        click.option("--game", help="Only this game."),
        click.option("--player", help="Only this player."),
    ):
        command = option(command)
    return command


def filters_of(state: CliState, given: Mapping[str, Any]) -> dict[str, Any]:
    """The filters as the history takes them: names of the record, days, slugs."""
    names = {shown: player for player, shown in state.names_for("text").items()}
    player, session = given["player"], given["session"]
    days: dict[str, datetime | None] = {key: given[key] for key in ("since", "until")}
    return {
        "player": None if player is None else names.get(player, player),
        "game": given["game"],
        **{key: None if day is None else day.date() for key, day in days.items()},
        "session": None if session is None else session.removeprefix("session/"),
    }


def check_filters(history: History, filters: Mapping[str, Any], names: Mapping[str, str]) -> None:
    """Raises `NotFoundError` for a game, player or session that there is not: a slip of the pen is no empty answer.

    `names`: what to show for players, by their names in the record.
    """
    from ledger.history import filter_questions

    if filters["game"] is not None:
        _check_known("game", filters["game"], sorted(registered_games()))
    for key in ("player", "session"):
        if filters[key] is not None:
            found = [str(name) for (name,) in history.answer_to(filter_questions()[key], {}).answer.rows]
            _check_known(key, filters[key], found, names if key == "player" else {})


def _check_known(key: str, asked: str, known: Sequence[str], shown: Mapping[str, str] = MappingProxyType({})) -> None:
    if asked in known:
        return
    by_spelling = {spelling.casefold(): name for name in known for spelling in (name, shown.get(name, name))}
    close = [by_spelling[spelling] for spelling in get_close_matches(asked.casefold(), by_spelling, _CLOSE)]
    told = listed([shown.get(name, name) for name in dict.fromkeys(close or known)])
    hint = phrase("perhaps" if close else "there_is" if known else "there_is_none", names=told)
    raise NotFoundError("not_found", phrase(f"no_{key}", text=asked, hint=hint))
