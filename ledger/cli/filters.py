"""The filters of questions about the history as options: which player, game, days and session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, TypeVar

import click

from ledger.cli.completion import game_names, player_names, session_names
from ledger.cli.state import CliState

Command = TypeVar("Command", bound=Callable[..., Any])

_DAY: Final = click.DateTime(formats=["%Y-%m-%d"])


def filter_options(command: Command) -> Command:
    """`--player --game --since --until --session`; the command gets them as keywords, for `filters_of`."""
    for option in (
        click.option("--session", help="Only this session.", shell_complete=session_names),
        click.option("--until", type=_DAY, metavar="DATE", help="To this day, the day included."),
        click.option("--since", type=_DAY, metavar="DATE", help="From this day on, as 2026-01-31."),
        click.option("--game", help="Only this game.", shell_complete=game_names),
        click.option("--player", help="Only this player.", shell_complete=player_names),
    ):
        command = option(command)
    return command


def hidden_option(command: Command) -> Command:
    """`--with-hidden`."""
    return click.option(
        "--with-hidden",
        is_flag=True,
        help="Name who is hidden (`players hide`); without it initials stand, but for who is asked for by name.",
    )(command)


def names_and_hidden(
    state: CliState, form: str, *, with_hidden: bool, player: str | None = None
) -> tuple[Mapping[str, str], frozenset[str]]:
    """The names to show for persons in this form of answer, and in whose place initials are to stand.

    `player`: who was asked for by name, which is told then.
    """
    people = state.people()
    names = people.shown() if form == "text" else {}
    hidden = frozenset() if with_hidden else people.hidden_persons()
    return names, hidden if player is None else hidden - {people.person(player)}


def filters_of(state: CliState, given: Mapping[str, Any]) -> dict[str, Any]:
    """The filters as the API takes them: the player by the name of the record, days without a time."""
    names = {shown: player for player, shown in state.names_for("text").items()}
    player = given["player"]
    days: dict[str, datetime | None] = {key: given[key] for key in ("since", "until")}
    return {
        "player": None if player is None else names.get(player, player),
        "game": given["game"],
        **{key: None if day is None else day.date() for key, day in days.items()},
        "session": given["session"],
    }
