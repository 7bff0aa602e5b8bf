"""The command `simulate`: legal random tables as bare events, for demonstration, load and tests."""

from __future__ import annotations

import click
import msgspec

from ledger import api
from ledger.cli.completion import game_names
from ledger.cli.errors import wrong_use, wrong_value
from ledger.cli.language import telling_options
from ledger.cli.output import output_file, output_option
from ledger.cli.words import phrase
from ledger.errors import MalformedError, UsageError
from ledger.events import Slug
from ledger.games import registered_games


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
    if game not in registered_games():
        raise wrong_use("no_game", text=game, known=tuple(sorted(registered_games())))
    _check_slug("--slug", f"{slug}-{tables}")
    if session is not None:
        _check_slug("--session", session)
    chosen = dict(map(_option_named, options))
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


def _check_slug(option: str, slug: str) -> None:
    try:
        msgspec.convert(slug, Slug)
    except msgspec.ValidationError:
        raise wrong_value(option, phrase("usage.no_slug", text=slug)) from None


def _option_named(text: str) -> tuple[str, object]:
    """`ante=10`, `all_pass=spadille_forced`: a JSON value where it is one, else a word."""
    name, is_pair, value = text.partition("=")
    if not is_pair or not name:
        raise wrong_value("--option", phrase("usage.no_pair", text=text))
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value
