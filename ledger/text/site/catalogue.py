"""Look up the messages of the pages, and make the titles of games and tables."""

from __future__ import annotations

from typing import Final

from ledger.games import game_named, registered_games
from ledger.i18n import labels, phrases
from ledger.text.catalogue import title_of

say: Final = labels("ledger.text.site")
phrase: Final = phrases("ledger.text.site")


def capitalised(text: str) -> str:
    """Return the text with its first letter in upper case, where the script has one."""
    return text[:1].upper() + text[1:]


def as_sentence(lang: str, text: str) -> str:
    """Return a one-line message as a sentence of a page: capitalised, with a full stop."""
    return capitalised(text) if text.endswith((".", "?", "。")) else say(lang, "replay.stop", text=capitalised(text))


def table_title(table: str, session: str | None, evening: str | None, lang: str) -> str:
    """Return the title of a table, e.g. `Thursday club · table 2` for the table `thursday-club-2` of that evening.

    A table named otherwise keeps its name after the evening's title. A table without an evening shows only its name.
    `evening`: the title of the session, None if the session was never opened.
    """
    if session is None or evening is None:
        return table
    number = _number_of(table, session)
    if number is not None:
        return say(lang, "frame.numbered_table", evening=evening, number=number)
    return say(lang, "frame.named_table", evening=evening, table=table)


def short_table_title(table: str, session: str, lang: str) -> str:
    """Return the title of a table where its evening is named already: `Table 2`, or its name."""
    number = _number_of(table, session)
    return table if number is None else say(lang, "evening.table", number=number)


def _number_of(table: str, session: str) -> str | None:
    number = table.removeprefix(f"{session}-")
    return number if number != table and number.isascii() and number.isdecimal() else None


def game_title(game: str, lang: str) -> str:
    """Return the title of a game by its name in the record."""
    return title_of(game_named(game), lang)


def games_by_title(lang: str) -> list[tuple[str, str]]:
    """Return the name and the title of every game."""
    return [(name, game_title(name, lang)) for name in registered_games()]
