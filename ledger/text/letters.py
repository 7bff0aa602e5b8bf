"""The letters of cards: those of a country, or the suits and figures of a Spanish pack."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypeAlias

from ledger.cards import SYMBOLS, Pack
from ledger.i18n import catalogue

CountryLetters: TypeAlias = Literal["en", "fr", "nl", "de", "pl"]
Letters: TypeAlias = CountryLetters | Literal["es"]
"""The letters that a reader may choose, and those of the Spanish pack, which a table chooses (OMB-9.2)."""

LETTERS: Final[Mapping[CountryLetters, Mapping[str, str]]] = {
    "en": {"A": "A", "K": "K", "Q": "Q", "J": "J"},
    "fr": {"A": "A", "K": "R", "Q": "D", "J": "V"},
    "nl": {"A": "A", "K": "H", "Q": "V", "J": "B"},
    "de": {"A": "A", "K": "K", "Q": "D", "J": "B"},
    "pl": {"A": "A", "K": "K", "Q": "D", "J": "W"},
}
"""The letters of a country, by the recorded rank."""

SPANISH: Final = {"A": "A", "K": "R", "Q": "C", "J": "S"}
"""The letters of the Spanish pack: rey, caballo, sota (OMB-2.14)."""

_SUITS: Final = {sign: suit for suit, sign in SYMBOLS.items()}
_SIGN: Final = f"([{''.join(_SUITS)}])\ufe0e?"
_RANK: Final = "(?:10|[AKQJ2-9])(?![0-9A-Za-z])"
_CARD: Final = re.compile(f"{_SIGN}({_RANK})?")
"""A card or a suit in a sentence: its sign and, for a card, its rank."""
_SPANISH_CARDS: Final = re.compile(f"{_SIGN}(?:({_RANK})( +(?={_SIGN}{_RANK}))?|((?: {_RANK})+))?")
"""A card with the blanks before another card, or the sign of a suit with all the ranks held of it."""

Mark: TypeAlias = Callable[[str, str], str]
"""A function that marks a card in a sentence, given its suit and its text."""


def letters_of(pack: Pack, chosen: Letters = "en") -> Letters:
    """Return the letters of a table's pack; for a French pack those that the reader has chosen."""
    return "es" if pack == "spanish" else chosen


def rank_face(rank: str, letters: Letters = "en") -> str:
    """Return the letters on a card of this recorded rank: `T` is 10."""
    faces = SPANISH if letters == "es" else LETTERS[letters]
    return "10" if rank == "T" else faces.get(rank, rank)


def rank_word(rank: str, letters: Letters, lang: str) -> str:
    """Return a rank for a sentence: its letter, for a Spanish pack its name."""
    face = rank_face(rank, letters)
    return spanish_names(lang).get(f"spanish_rank.{rank}", face) if letters == "es" else face


def spanish_names(lang: str) -> Mapping[str, str]:
    """Return the names of Spanish suits and ranks in a language: `spanish_suit.S`, `spanish_rank.K`."""
    return catalogue("ledger.text", lang)


def spanish_pack(lang: str) -> Mapping[str, Any]:
    """Return a script's data for the names of Spanish cards: suits, ranks by letter and face, the form of a card."""
    names = spanish_names(lang)
    ranks = {letter: names[f"spanish_rank.{rank}"] for rank, face in SPANISH.items() for letter in (rank, face)}
    suits = {suit: names[f"spanish_suit.{suit}"] for suit in SYMBOLS}
    return {"suits": suits, "ranks": ranks, "card": names["picture.spanish_card"]}


def lettered(text: str, letters: Letters, lang: str = "en", mark: Mark | None = None) -> str:
    """Return a sentence with the cards of this pack: `♠K` is `♠R` in French letters, `Espadas Rey` in a Spanish pack.

    `mark`: marks each card; by default none is marked.
    """
    shown = mark or (lambda suit, card: card)
    if letters == "es":
        return _SPANISH_CARDS.sub(lambda match: _in_spanish(match, lang, shown), text)
    if letters == "en" and mark is None:
        return text
    return _CARD.sub(lambda match: shown(_SUITS[match[1]], match[1] + rank_face(match[2] or "", letters)), text)


def _in_spanish(match: re.Match[str], lang: str, mark: Mark) -> str:
    sign, rank, blanks, _, ranks = match.groups()
    suit = _SUITS[sign]
    names = spanish_names(lang)
    name = names[f"spanish_suit.{suit}"]
    if ranks is not None:
        return " ".join([mark(suit, name), *(rank_word(one, "es", lang) for one in ranks.split())])
    if rank is None:
        return mark(suit, name)
    card = names["picture.spanish_card"].format(suit=name, rank=rank_word(rank, "es", lang))
    return mark(suit, card) + (names["list"] if blanks else "")
