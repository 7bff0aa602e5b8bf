"""Options of statistics, plots and queries: filters, hidden players, and the file of the read model."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from ledger import api
from ledger.cli.completion import game_names, option_names, place_names, player_names, session_names
from ledger.cli.errors import wrong_use, wrong_value
from ledger.cli.progress import progress_if_slow
from ledger.cli.state import CliState, with_options
from ledger.cli.table_options import option_named, single_option
from ledger.errors import MalformedError
from ledger.log.people import is_handle
from ledger.names import only_fit
from ledger.text.catalogue import label

if TYPE_CHECKING:
    from ledger.history import Filters, History

Command = TypeVar("Command", bound=Callable[..., Any])

SEASON_VARIABLE: Final = "TRICKLEDGER_SEASON_FROM"

_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""The days of `ledger.history`, repeated here so that not every command imports it."""

_DAY: Final = click.DateTime(formats=["%Y-%m-%d"])


def filter_options(command: Command) -> Command:
    """Add the options `--player --game --since --until --session --option --place --weekday --season --season-from`.

    The command receives them as keywords, for `filters_of`.
    """
    for option in (
        single_option(
            "--season-from",
            metavar="MM-DD",
            help=f"Seasons begin on this day, as 09-01; also from {SEASON_VARIABLE}. Default: calendar years.",
        ),
        single_option(
            "--season", metavar="YEAR", help="Only the season that begins in this year, e.g. 2025 or 2025/26."
        ),
        single_option("--weekday", type=click.Choice(_WEEKDAYS), help="Only deals played on this day of the week."),
        single_option("--place", help="Only sessions held at this place.", shell_complete=place_names),
        click.option(
            "--option",
            multiple=True,
            metavar="NAME=VALUE",
            shell_complete=option_names,
            help="Only tables with this option of the game, e.g. ante=10 (defaults included). Repeatable.",
        ),
        single_option("--session", help="Only this session.", shell_complete=session_names),
        single_option("--until", type=_DAY, metavar="DATE", help="Up to this day, the day included."),
        single_option("--since", type=_DAY, metavar="DATE", help="From this day on, e.g. 2026-01-31."),
        single_option("--game", help="Only this game.", shell_complete=game_names),
        single_option("--player", help="Only this player.", shell_complete=player_names),
    ):
        command = option(command)
    return command


def season_start_option(option: str | None = None) -> str | None:
    """Return the day on which seasons begin: from the option, else from the environment.

    Raise `UsageError` naming the option or variable if it is not a day of the year.
    """
    from ledger.history.questions.filters import SeasonFrom

    if option is not None:
        return _checked("--season-from", option, SeasonFrom)
    return _checked(SEASON_VARIABLE, os.environ.get(SEASON_VARIABLE) or None, SeasonFrom)


def _checked(named: str, value: str | None, kind: Any) -> str | None:
    from ledger.validation import converted

    if value is not None:
        try:
            converted(value, kind, "")
        except MalformedError as error:
            raise wrong_value(named, error.said) from None
    return value


def hidden_option(command: Command) -> Command:
    """Add the option `--with-hidden`."""
    return click.option(
        "--with-hidden",
        is_flag=True,
        help="Show the names of hidden players (`players hide`) instead of their initials.",
    )(command)


def names_and_hidden(
    state: CliState, form: str, *players: str | None, with_hidden: bool
) -> tuple[Mapping[str, str], frozenset[str]]:
    """Return the names to display in this format of answer, and the players to show by initials.

    `players`: players named in the command, who are shown by name.
    """
    people = state.people()
    names = people.shown() if form == "text" else {}
    hidden = frozenset() if with_hidden else people.hidden_persons()
    return names, hidden - {people.person(player) for player in players if player is not None}


def filters_of(state: CliState, given: Mapping[str, Any]) -> Filters:
    """Return the filters for the API: the player by their recorded name, days without a time.

    Raise `UsageError` naming the option for an impossible season or season start.
    """
    from ledger.history.questions.filters import Filters, SeasonName, options_by_name

    names = {shown: player for player, shown in state.names(form="text").items()}
    fit = only_fit(given["player"], names) if given["player"] is not None else None
    if fit is not None and is_handle(names[fit]):
        names[given["player"]] = names[fit]
    days = {key: given[key].date() for key in ("since", "until") if given[key] is not None}
    settled = {
        "player": names.get(given["player"], given["player"]),
        "option": options_by_name(map(option_named, given["option"])),
        "season": _checked("--season", given["season"], SeasonName),
        "season_from": season_start_option(given["season_from"]),
    }
    return Filters(**{**given, **days, **settled})


def compared_filters_of(state: CliState, context: click.Context, words: Iterable[str]) -> dict[str, Any]:
    """Return the filters that `--compare` replaces, each FILTER=VALUE parsed like the option of that name.

    Raise `UsageError` naming the option for a word of another form or an invalid value.
    """
    from ledger.history.questions.selections import COMPARABLE, typed_filters

    try:
        typed = typed_filters(words)
    except MalformedError as error:
        raise wrong_value("--compare", error.said) from None
    types = {param.name: param for param in context.command.params}
    given = {
        key: values if key == "option" else types[key].type.convert(values[0], types[key], context)
        for key, values in typed.items()
    }
    filters = filters_of(state, {**dict.fromkeys(COMPARABLE), "option": (), **given})
    return {key: getattr(filters, key) for key in typed}


def read_model_options(command: Command) -> Command:
    """Add the options `--history` and `--rebuild`."""
    rebuild = click.option("--rebuild", is_flag=True, help="Rebuild the read model from the whole ledger first.")
    return history_option(rebuild(command))


def history_option(command: Command) -> Command:
    """Add the option `--history`."""
    return click.option(
        "--history",
        "read_model",
        type=click.Path(path_type=Path, dir_okay=False, readable=False),
        metavar="PATH",
        help="The file of the read model; default: next to the ledger, or in your cache folder.",
    )(command)


def lake_option(command: Command) -> Command:
    """Add the option `--lake`, which changes the `CliState`."""
    return click.option(
        "--lake",
        metavar="FOLDER",
        help="Read the lake in this folder or at this address (`rebuild --to`) instead of the ledger.",
        expose_value=False,
        callback=lambda context, param, lake: with_options(context, lake=lake),
    )(command)


@contextmanager
def caught_up_history(state: CliState, read_model: Path | None, *, rebuild: bool) -> Iterator[History]:
    """Open the read model of the ledger, brought up to date, at its path or the default one; or the lake of `--lake`.

    Raise `UsageError` for a lake with options of a read model.
    """
    from ledger.history import usable_cores

    if state.lake is not None:
        if read_model is not None or rebuild:
            raise wrong_use("lake_alone")
        with ExitStack() as stack:
            with progress_if_slow(label(state.lang, "progress.reading_lake")) as report:
                lake = stack.enter_context(api.open_lake(state.lake, progress=report))
            yield lake
        return
    with ExitStack() as stack:
        with progress_if_slow(label(state.lang, "progress.reading_ledger")) as report:
            caught_up = api.open_history(
                state.ledger,
                history=read_model,
                rebuild=rebuild,
                progress=report,
                workers=usable_cores(),
                tz=state.tz,
            )
            history = stack.enter_context(caught_up)
        yield history
