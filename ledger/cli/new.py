"""The command `new`: an empty hand record to type into."""

from __future__ import annotations

import click

from ledger import api
from ledger.cli.completion import game_names, session_names
from ledger.cli.output import HAND_RECORD_FORMS, check_output, format_from, output_file, output_option
from ledger.cli.state import CliState, command
from ledger.cli.table_options import check_game, check_slug, option_named
from ledger.errors import MalformedError, UsageError


@command(has_format=False)
@click.argument("table")
@click.option("--game", required=True, shell_complete=game_names, help="The game that is played.")
@click.option("--players", required=True, metavar="NAME,NAME…", help="The players in the order of play.")
@click.option("--deals", type=click.IntRange(1, 1000), default=1, show_default=True, help="Deals to leave room for.")
@click.option("--dealer", metavar="NAME", help="Who deals first; default: the last of the players.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option; repeat for more.")
@click.option("--session", shell_complete=session_names, help="The session that the table belongs to.")
@output_option
def new(
    state: CliState,
    table: str,
    game: str,
    players: str,
    deals: int,
    dealer: str | None,
    options: tuple[str, ...],
    session: str | None,
    output: str,
    overwrite: bool,
) -> None:
    """Write a form for TABLE to type into: keys, a line for each trick, and the words of its game as comments.

    \b
    trickledger new tuesday-1 --game ombre --players Ann,Ben,Cleo -o tuesday-1.toml

    Filled in, the file is a hand record for `import`. Comments are in the language of --lang.
    """
    check_output(output, overwrite=overwrite)
    format_from(output, None, HAND_RECORD_FORMS)
    check_game(game)
    check_slug("TABLE", table)
    if session is not None:
        check_slug("--session", session)
    try:
        text = api.form(
            table,
            game=game,
            players=[name.strip() for name in players.split(",")],
            deals=deals,
            dealer=dealer,
            options=dict(map(option_named, options)),
            session=session,
            lang=state.lang,
        )
    except MalformedError as error:  # players and options come from the command line
        raise UsageError("usage", error.said, **error.values) from error
    with output_file(output, overwrite=overwrite) as file:
        file.write(text.encode())
