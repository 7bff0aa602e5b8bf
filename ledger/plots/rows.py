"""The figures of a plot: its rows as of a log entry, and the words in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from ledger.games import registered_games
from ledger.i18n import as_written, labels, phrases, word

label: Final = labels("ledger.plots")
phrase: Final = phrases("ledger.plots")

Row: TypeAlias = dict[str, Any]
"""A row of the answer: values by column name, as in JSON."""

_OF_PLAYERS: Final = ("player", "opponent_player", "partner_player")


class Figures(Struct, frozen=True, kw_only=True):
    """The content of a plot as of a log entry.

    `series`: players or tables in the order of the legend. `left_out`: a line for each kind of rows left out; empty if
    none. `heading`: values for the title. `parts`: the rows of each picture of a page with several.
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


def shown_rows(rows: Sequence[Row], names: Mapping[str, str]) -> list[Row]:
    """Convert rows of the same columns to JSON values, with the names to show for players."""
    shown: list[Row] = msgspec.to_builtins(rows)
    for key in _OF_PLAYERS:
        if names and shown and key in shown[0]:
            for row in shown:
                row[key] = names.get(row[key], row[key])
    return shown


def game_title(game: str, lang: str) -> str:
    """Return the title of a game; the recorded name if the game is not installed."""
    known = registered_games().get(game)
    return game if known is None else known.called.in_words(lang)


def game_word(game: str, recorded: str, lang: str) -> str:
    """Return a game's word in the language; the recorded word if the game is not installed."""
    known = registered_games().get(game)
    return as_written(recorded if known is None else word(known.package, recorded, lang))
