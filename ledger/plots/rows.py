"""The figures of a plot: what is drawn, as of a log entry, and the words that stand in it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final, TypeAlias

from msgspec import Struct

from ledger.games import registered_games
from ledger.i18n import as_written, labels, phrases, word

label: Final = labels("ledger.plots")
phrase: Final = phrases("ledger.plots")

Row: TypeAlias = dict[str, Any]
"""A row of the answer: name of the column to value, in what JSON has."""

_OF_PLAYERS: Final = ("player", "opponent_player", "partner_player")


class Figures(Struct, frozen=True, kw_only=True):
    """What a plot shows, as of a log entry. `series`: players or tables in the order of the legend.

    `left_out`: what is not shown, a line for each reason; empty: all is. `heading`: what its title speaks of. `parts`:
    the rows of each picture of a page that is made of several.
    """

    name: str
    position: int
    digest: str | None
    filters: Mapping[str, Any]
    rows: list[Row]
    series: list[str]
    left_out: str
    heading: Mapping[str, str] = {}
    parts: Mapping[str, list[Row]] = {}


def shown_row(row: Row, names: Mapping[str, str]) -> Row:
    """The row as JSON has it, with the names that are shown for players."""
    shown = {key: value.isoformat() if isinstance(value, date) else value for key, value in row.items()}
    for key in _OF_PLAYERS:
        if key in shown:
            shown[key] = names.get(shown[key], shown[key])
    return shown


def game_title(game: str, lang: str) -> str:
    """What people call a game; one that is no longer installed is called as it was recorded."""
    known = registered_games().get(game)
    return game if known is None else known.called.in_words(lang)


def game_word(game: str, recorded: str, lang: str) -> str:
    """A word of a game; that of a game which is no longer installed stays as it was recorded."""
    known = registered_games().get(game)
    return as_written(recorded if known is None else word(known.package, recorded, lang))
