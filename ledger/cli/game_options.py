"""What is told of a table on the command line before there is one: its game, its name and its options."""

from __future__ import annotations

import msgspec

from ledger.cli.errors import wrong_use, wrong_value
from ledger.cli.words import phrase
from ledger.events import Slug
from ledger.games import registered_games


def check_game(game: str) -> None:
    """Raises `UsageError` naming the games that there are."""
    if game not in registered_games():
        raise wrong_use("no_game", text=game, known=tuple(sorted(registered_games())))


def check_slug(option: str, slug: str) -> None:
    """Raises `UsageError` for what cannot name a table or session."""
    try:
        msgspec.convert(slug, Slug)
    except msgspec.ValidationError:
        raise wrong_value(option, phrase("usage.no_slug", text=slug)) from None


def option_named(text: str) -> tuple[str, object]:
    """`ante=10`, `all_pass=spadille_forced`: a JSON value where it is one, else a word."""
    name, is_pair, value = text.partition("=")
    if not is_pair or not name:
        raise wrong_value("--option", phrase("usage.no_pair", text=text))
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value
