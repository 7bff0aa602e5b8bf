"""The command `simulate`: random tables and evenings as lines of events, for demonstrations and load tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final, cast

import click
import msgspec
from click.core import ParameterSource

from ledger import api, limits
from ledger.cli.completion import game_names
from ledger.cli.errors import wrong_use, wrong_value
from ledger.cli.language import phrase
from ledger.cli.numbers import WholeNumber
from ledger.cli.output import LINE_FORMS, check_output, format_from, output_file, output_option, say
from ledger.cli.state import CliState, command
from ledger.cli.table_options import check_game, check_slug, option_named
from ledger.errors import MalformedError, UsageError
from ledger.events import MAX_SEATS, BareLine, DealStarted, SessionClosed, SessionOpened, TableClosed

_OF_TABLES: Final = ("tables", "session")
_OF_EVENINGS: Final = ("since",)
_NAMED: Final = 5
"""The most tables named in a message."""


@command(has_format=False)
@click.argument("game", required=False, shell_complete=game_names)
@click.option("--tables", type=WholeNumber(1), default=1, show_default=True, help="The number of tables.")
@click.option("--deals", type=WholeNumber(0), default=9, show_default=True, help="The number of deals at each table.")
@click.option(
    "--players",
    metavar="N|FILE",
    help="Players at each table; default: the fewest of the game. With --evenings: a file of names, one per line, e.g. "
    '"Ben; counting; 0.8": skill (random, careful, counting) and share of evenings attended; default: a club of 24.',
)
@click.option(
    "--evenings", type=WholeNumber(1), help="Simulate this many evenings of a club, one a week, with all games."
)
@click.option(
    "--from",
    "since",
    type=click.DateTime(["%Y-%m-%d"]),
    default="2024-01-04",
    metavar="DATE",
    show_default=True,
    help="The day of the first evening.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed makes the same tables.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game; repeatable.")
@click.option("--slug", default="simulated", show_default=True, help="The tables are named SLUG-1, SLUG-2 …")
@click.option("--session", help="The session that the tables belong to.")
@output_option
@click.pass_context
def simulate(
    context: click.Context,
    state: CliState,
    /,
    game: str | None,
    players: str | None,
    since: datetime,
    seed: int,
    options: tuple[str, ...],
    slug: str,
    output: str,
    overwrite: bool,
    **counts: Any,
) -> None:
    """Simulate random tables of GAME by legal play, as lines for `import`, or years of a club with --evenings.

    Without GAME: Ombre, or all games with --evenings. The members of a simulated club differ in skill and sometimes
    stay away; its record has slips, quarrels, deals without hands, and deals with only a result.

    \b
    trickledger simulate ombre --deals 40 --players 4 | trickledger import -
    trickledger simulate --evenings 52 --from 2025-01-02 --players members.txt -o year.ndjson
    """
    if game is not None:
        check_game(game)
    evenings, chosen = counts["evenings"], dict(map(option_named, options))
    of_other = _OF_EVENINGS if evenings is None else _OF_TABLES
    if any(context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in of_other):
        raise wrong_use("evenings_or_tables")
    if evenings is None:
        check_slug("--slug", f"{slug}-{counts['tables']}")
        if counts["session"] is not None:
            check_slug("--session", counts["session"])
        lines = api.simulate(
            game or "ombre",
            tables=counts["tables"],
            deals=counts["deals"],
            players=_number(players),
            seed=seed,
            options=chosen,
            slug=slug,
            session=counts["session"],
            lang=state.lang,
        )
        lines = _reporting_ends(lines, counts["deals"], state.lang)
    else:
        check_slug("--slug", f"{slug}-2024-01-04-999")
        made = api.simulate_evenings(
            evenings,
            since.date(),
            players=_file(players),
            games=None if game is None else [game],
            deals=counts["deals"],
            seed=seed,
            options=chosen,
            slug=slug,
            lang=state.lang,
        )
        lines = _for_one_import(made, evenings, state.lang)
    _write(lines, output, overwrite=overwrite)


def _for_one_import(lines: Iterable[BareLine], evenings: int, lang: str) -> Iterator[BareLine]:
    """Yield whole evenings, as many as one import takes, then explain how to simulate the rest."""
    count = done = 0
    evening: list[BareLine] = []
    for line in lines:
        evening.append(line)
        if not isinstance(line.event, SessionClosed):
            continue
        count += len(evening)
        if count > limits.EVENTS_PER_APPEND:
            day = cast(SessionOpened, evening[0].event).date
            left = {"limit": limits.EVENTS_PER_APPEND, "day": day, "evenings": evenings - done}
            say(phrase("simulate.more_than_one_import", **left).in_words(lang), err=True)
            return
        yield from evening
        evening.clear()
        done += 1


def _reporting_ends(lines: Iterable[BareLine], deals: int, lang: str) -> Iterator[BareLine]:
    """Yield the lines, then name the tables whose match ended before this many deals."""
    ended, made = [], 0
    for line in lines:
        yield line
        made += isinstance(line.event, DealStarted)
        if isinstance(line.event, TableClosed):
            if made < deals:
                ended.append(phrase("simulate.over", table=line.stream.partition("/")[2], made=made))
            made = 0
    if ended:
        left_out = max(0, len(ended) - _NAMED)
        key = "simulate.ended_and_more" if left_out else "simulate.ended"
        say(phrase(key, tables=tuple(ended[:_NAMED]), deals=deals, count=left_out).in_words(lang), err=True)


def _number(players: str | None) -> int | None:
    if players is None:
        return None
    if not players.isascii() or not players.isdecimal() or not 0 < int(players) <= MAX_SEATS:
        raise wrong_value("--players", phrase("usage.no_players", text=players, most=MAX_SEATS))
    return int(players)


def _file(players: str | None) -> Path | None:
    if players is not None and not Path(players).exists():
        raise wrong_value("--players", phrase("usage.no_list_of_players", file=players))
    return None if players is None else Path(players)


def _write(lines: Iterable[BareLine], output: str, *, overwrite: bool) -> None:
    check_output(output, overwrite=overwrite)
    format_from(output, None, LINE_FORMS)
    encode = msgspec.json.Encoder().encode
    try:
        with output_file(output, overwrite=overwrite) as file:
            for line in lines:
                file.write(encode(line) + b"\n")
    except MalformedError as error:  # the players and options of the command line are wrong
        raise UsageError("usage", error.said, **error.values) from error
