"""Tables in a list of the pages: what is shown of each, and what a reader finds them by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final
from unicodedata import combining, normalize

from msgspec import Struct

from ledger.games import game_named, registered_games
from ledger.text.catalogue import title_of

_LETTERS: Final = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})
"""What no decomposition takes the stroke from."""


class Standing(Struct, frozen=True):
    """A player by the name that is shown, and the points of the deals that they played."""

    name: str
    total: int


class TableLine(Struct, frozen=True, kw_only=True):
    """One table: `table`, `session` by their slugs, `title`, `evening` as they are called, `game` in words.

    Of a damaged table only the slug is known.
    """

    table: str
    title: str
    game: str
    standings: Sequence[Standing]
    deals: int
    session: str | None
    evening: str
    is_open: bool
    is_damaged: bool = False


@lru_cache(maxsize=100_000)
def plain(text: str) -> str:
    """A text as it is searched: without case, accents and double blanks, wide letters as narrow ones."""
    taken_apart = normalize("NFKD", text.casefold()).translate(_LETTERS)
    return " ".join("".join(sign for sign in taken_apart if not combining(sign)).split())


def fits(query: str, texts: Iterable[str]) -> bool:
    """Whether every word of the query stands in one of the texts."""
    searched = [plain(text) for text in texts]
    return all(any(one in text for text in searched) for one in plain(query).split())


def game_title(game: str, lang: str) -> str:
    """A game in words, by its name in the record."""
    return title_of(game_named(game), lang)


def games_by_title(lang: str) -> list[tuple[str, str]]:
    """All games: the names in the record with those in words."""
    return [(name, game_title(name, lang)) for name in registered_games()]
