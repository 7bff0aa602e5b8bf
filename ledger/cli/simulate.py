"""The command `simulate`: legal random tables as bare events, for demonstration, load and tests."""

from __future__ import annotations

import click
import msgspec

from ledger import api
from ledger.cli.completion import game_names
from ledger.cli.game_options import check_game, check_slug, option_named
from ledger.cli.language import telling_options
from ledger.cli.output import output_file, output_option
from ledger.errors import MalformedError, UsageError


@click.command()
@click.argument("game", default="ombre", shell_complete=game_names)
@click.option("--tables", type=click.IntRange(min=1), default=1, show_default=True, help="How many tables.")
@click.option("--deals", type=click.IntRange(min=0), default=9, show_default=True, help="Deals at each table.")
@click.option("--players", type=click.IntRange(1, 8), help="Players at each table; default: the fewest of the game.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed makes the same tables.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option; repeat for more.")
@click.option("--slug", default="simulated", show_default=True, help="Tables are named SLUG-1, SLUG-2 …")
@click.option("--session", help="The session that the tables belong to.")
@output_option
@telling_options
def simulate(
    game: str,
    tables: int,
    deals: int,
    players: int | None,
    seed: int,
    options: tuple[str, ...],
    slug: str,
    session: str | None,
    output: str,
    overwrite: bool,
) -> None:
    """Make random tables of GAME by legal play, as lines for `import`.

    \b
    trickledger simulate ombre --deals 40 --players 4 | trickledger import -
    """
    check_game(game)
    check_slug("--slug", f"{slug}-{tables}")
    if session is not None:
        check_slug("--session", session)
    chosen = dict(map(option_named, options))
    lines = api.simulate(
        game, tables=tables, deals=deals, players=players, seed=seed, options=chosen, slug=slug, session=session
    )
    encode = msgspec.json.Encoder().encode
    try:
        with output_file(output, overwrite=overwrite) as file:
            for line in lines:
                file.write(encode(line) + b"\n")
    except MalformedError as error:  # players and options come from the command line
        raise UsageError("usage", error.said, **error.values) from error
