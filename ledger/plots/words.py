"""Titles and axes of plots, in a language, and the words of the games that stand in their figures."""

from __future__ import annotations

from typing import Final

from ledger.games import registered_games
from ledger.i18n import as_written, labels, phrases, word

label: Final = labels("ledger.plots")
phrase: Final = phrases("ledger.plots")


def game_title(game: str, lang: str) -> str:
    """What people call a game; one that is no longer installed is called as it was recorded."""
    known = registered_games().get(game)
    return game if known is None else known.called.in_words(lang)


def game_word(game: str, recorded: str, lang: str) -> str:
    """A word of a game; that of a game which is no longer installed stays as it was recorded."""
    known = registered_games().get(game)
    return as_written(recorded if known is None else word(known.package, recorded, lang))
