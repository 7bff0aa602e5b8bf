"""Typed words: the words of a game in each language, cards and suits.

Case, accents and dashes do not matter, and words may be shortened. A line of a hand record is read word by word
(`spelt_word`); the terminal also accepts initials and words without blanks between them (`spellings`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence, Set
from contextlib import suppress
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from ledger.cards import RANKS, SUITS, SYMBOLS, UNKNOWN, parse_card, parse_card_or_unknown, parse_suit
from ledger.errors import MalformedError
from ledger.games import game_named, registered_games
from ledger.games.kernel.protocol import Game
from ledger.i18n import Phrase, word
from ledger.i18n.normalisation import MARKS, spelt, ways_to_write
from ledger.recording.catalogue import either, phrase

BETWEEN: Final = " \t,;·|、，　"
CARD: Final = re.compile(r"(?:[shdc]|[♠♥♦♣♤♡♢♧]\ufe0f?)(?:10|[akqjt2-9])")
RANK_FIRST: Final = re.compile(r"(?:10|[akqjt2-9])[shdc♠♥♦♣♤♡♢♧]")
UNKNOWN_SIGNS: Final = ("??", "?")
_CARDS_IN_ROW: Final = re.compile(rf"\?\??|{CARD.pattern}|.+", re.DOTALL)
"""Cards written without blanks; text that is no card reaches to the end."""

_SEPARATORS: Final = str.maketrans(dict.fromkeys(",;·|、。・･", " "))
_MAX_PHRASE: Final = 4
"""The most words of a call or an announcement, e.g. `throw in`."""

_BETWEEN_PARTS: Final = re.compile(r"[\s_\-・]+")

Parts: TypeAlias = tuple[str, ...]
"""The parts in which words are compared, e.g. `throw` and `in` of `throw_in`."""


class GameWord(Phrase, frozen=True, gc=False):
    """A word that a game records, translated in messages; the key is the word."""

    def in_words(self, lang: str = "en") -> str:
        """Return the word in the language."""
        return word(self.package, self.key, lang)


def game_words(game: Game, words: Collection[str]) -> list[Phrase]:
    """Return words of a game, sorted, as messages list them."""
    return [GameWord(game.package, recorded) for recorded in sorted(words)]


def game_typed(text: str) -> Game:
    """Return the game with that name in any language. Raise `MalformedError` naming the known games."""
    matches = [game for game in registered_games().values() if word_parts([text]) in forms(game, game.name)]
    return matches[0] if len(matches) == 1 else game_named(text)


def choice_typed(game: Game, text: str, choices: Set[object]) -> str:
    """Return the choice that the text means in any language, a suit also by its symbol; else the text itself."""
    if text in choices or not choices:
        return text
    if choices <= set(SUITS):
        with suppress(MalformedError):
            return parse_suit(text)
    matches = [choice for choice in choices if isinstance(choice, str) and word_parts([text]) in forms(game, choice)]
    return matches[0] if len(matches) == 1 else text


def means(key: str, text: str) -> bool:
    """Return whether the text is one of the words under `typed` and this key in any language."""
    return spelt(text.strip()) in ways_to_write("ledger.recording", f"typed.{key}")


@cache
def forms(game: Game, recorded: str) -> Sequence[Parts]:
    """Return all ways to write a word that a game records."""
    return tuple(dict.fromkeys(word_parts([text]) for text in game.ways_to_write(recorded)))


@cache
def _wholes(game: Game, recorded: str) -> Set[Parts]:
    """Return all ways to write a word, also without blanks."""
    ways = forms(game, recorded)
    return frozenset((*ways, *(("".join(form),) for form in ways)))


def word_parts(words: Sequence[str]) -> Parts:
    """Return the words in the parts by which they are compared."""
    return tuple(part for word in words for part in _BETWEEN_PARTS.split(spelt(word).strip(" '")) if part)


def spelt_word(game: Game, words: Sequence[str], *vocabularies: Collection[str]) -> tuple[str, int] | None:
    """Return the word of a vocabulary that the first words spell, and their number: `throw in`, `decline`, `パス`.

    Whole words precede beginnings, longer matches shorter ones, and earlier vocabularies later ones. Raise
    `MalformedError` for a beginning of several words.
    """
    typed = [(length, word_parts(words[:length])) for length in range(min(_MAX_PHRASE, len(words)), 0, -1)]
    for length, parts in typed:
        for vocabulary in vocabularies:
            for recorded in vocabulary:
                if parts and parts in _wholes(game, recorded):
                    return recorded, length
    unclear: MalformedError | None = None
    for length, parts in typed:
        for place, vocabulary in enumerate(vocabularies):
            begun = dict(_begun(game, parts, vocabulary, may_shorten_all=place == 0))
            if (meant := _meant(begun)) is not None:
                return meant, length
            if begun and unclear is None:
                text = " ".join(words[:length])
                unclear = MalformedError(phrase("line.several_words"), either(game_words(game, begun)), text)
    if unclear is not None:
        raise unclear
    return None


def _begun(game: Game, parts: Parts, vocabulary: Collection[str], may_shorten_all: bool) -> Iterator[tuple[str, Parts]]:
    """Yield the words of the vocabulary that begin so, with the matching form; a number alone matches none."""
    if not parts or "".join(parts).isdigit():
        return
    for recorded in vocabulary:
        for form in forms(game, recorded):
            if _begins(parts, form, may_shorten_all):
                yield recorded, form
                break


def _begins(parts: Parts, form: Parts, may_shorten_all: bool) -> bool:
    if len(parts) == 1:
        return "".join(form).startswith(parts[0])
    if len(parts) > len(form) or not (may_shorten_all or form[: len(parts) - 1] == parts[:-1]):
        return False
    return all(whole.startswith(part) for part, whole in zip(parts, form, strict=False))


def _meant(begun: dict[str, Parts]) -> str | None:
    """Return the only match, or the one that begins all others, e.g. `entrada` of `entrada` and `entrada_favour`."""
    for recorded, form in begun.items():
        if all(other == form or other[: len(form)] == form for other in begun.values()):
            return recorded
    return None


# At the terminal


class Spellings(NamedTuple):
    """The spellings of a word. `exact`: only complete; `begins`: may be shortened."""

    exact: frozenset[str]
    begins: frozenset[str]


@cache
def spellings(game: Game, said: str) -> Spellings:
    """Return the spellings of a word of a game."""
    names = {said, *map(spelt, game.ways_to_write(said))}
    initials = {"".join(part[0] for part in said.split("_"))} if "_" in said else set()
    initials = {short for short in initials if full_card(short) is None}  # `ca` is a card, not `claim_accept`
    plain = {"".join(parts) for parts in forms(game, said)}
    return Spellings(frozenset(names | plain | initials), frozenset(names | plain))


@cache
def joined_words(game: Game) -> re.Pattern[str]:
    """Return the pattern of text without blanks: words of the game and their initials, cards, ranks and numbers."""
    recorded = sorted(game.calls | game.announcements)
    words = {spelling for one in recorded for spelling in spellings(game, one).exact}
    initials = {spelling[0] for one in recorded for spelling in spellings(game, one).begins}
    suits = {begin[0] for suit in SYMBOLS for begin in suit_spellings(suit).begins}
    parts = "|".join(re.escape(part) for part in sorted(words | initials | suits, key=len, reverse=True))
    return re.compile(rf"(?:{parts}|[shdc♠♥♦♣♤♡♢♧]?(?:10|[akqjt0-9])|\?)+")


@cache
def words_of(game: Game) -> frozenset[str]:
    """Return all complete spellings of the calls and announcements of a game."""
    return frozenset(way for said in game.calls | game.announcements for way in spellings(game, said).begins)


# Cards and suits


def without_separators(text: str) -> str:
    """Return the text with ASCII marks and with blanks for separators; every character keeps its index."""
    return (text if text.isascii() else text.translate(MARKS)).translate(_SEPARATORS)


def read_cards(text: str, game: Game) -> list[str]:
    """Return the cards of a text, separated by blanks. Raise `MalformedError` naming the first that the game does not
    have.
    """
    return [read_card(word, game) for word in cards_apart(text)]


def cards_apart(text: str) -> list[str]:
    """Split a text into cards as they were typed."""
    return [text[slice(*word.span())] for word in re.finditer(r"\S+", without_separators(text))]


def read_card(text: str, game: Game, may_be_unknown: bool = True) -> str:
    """Return a typed card. Raise `MalformedError` if the game's pack does not have it."""
    card = parse_card_or_unknown(text) if may_be_unknown else parse_card(text)
    if card != UNKNOWN and card not in game.pack:
        ranks = " ".join(rank for rank in RANKS if any(known[1] == rank for known in game.pack))
        what = phrase("line.not_in_pack", game=game.called)
        raise MalformedError(what, phrase("line.card_of_pack", ranks=ranks), text)
    return card


def is_card(text: str) -> bool:
    """Return whether the text is a card of any pack, or `??`."""
    try:
        parse_card_or_unknown(text)
    except MalformedError:
        return False
    return True


def cards_in_text(text: str, game: Game) -> tuple[str, ...]:
    """Return cards written with or without blanks. Raise `MalformedError` naming the first word that is no card."""
    rows = re.split(f"[{BETWEEN}]+", unicodedata.normalize("NFKC", text).casefold())
    parts = (part for row in rows for part in _CARDS_IN_ROW.findall(row))
    return tuple(UNKNOWN if part in UNKNOWN_SIGNS else read_card(part, game) for part in parts)


@cache
def card_spellings(card: str) -> Spellings:
    """Return the spellings of a card: `sk`, `♠k`, `ks`, and `k` alone; a suit alone may be any of its cards."""
    suit, rank = card[0], card[1]
    ranks = ("t", "10") if rank == "T" else (rank.lower(),)
    suits = (suit.lower(), SYMBOLS[suit])
    suit_first = frozenset(f"{sign}{text}" for sign in suits for text in ranks)
    rank_first = frozenset(f"{text}{sign}" for sign in suits for text in ranks)
    return Spellings(suit_first | rank_first | set(ranks), suit_first)


@cache
def suit_spellings(suit: str) -> Spellings:
    """Return the spellings of a suit: its symbol, its names in each language, and its letter."""
    names = frozenset(ways_to_write("ledger.i18n", f"suit.{suit}"))
    return Spellings(names | {SYMBOLS[suit]}, names | {suit.lower()})


def full_card(text: str) -> str | None:
    """Return the card that a word spells by suit and rank; None if it spells none."""
    try:
        return parse_card(text)
    except MalformedError:
        return None
