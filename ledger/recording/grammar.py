"""The words of a line as somebody writes them: names with a colon, cards, calls, and what follows an arrow.

Words of a game and of hand records are read in each language, with capitals, accents or dashes or without, or by a
beginning.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from contextlib import suppress
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from ledger.cards import SUITS, parse_suit
from ledger.errors import MalformedError
from ledger.games import game_named, registered_games
from ledger.games.kernel.protocol import Game
from ledger.i18n import LANGUAGES, Phrase, catalogue, word
from ledger.i18n.keyboard import MARKS, spelt
from ledger.names import fitting, folded
from ledger.recording.words import either, phrase

_MAX_PHRASE: Final = 4
"""Words that a call or an announcement may be written in: `throw in`."""

_BETWEEN_PARTS: Final = re.compile(r"[\s_\-・]+")

Parts: TypeAlias = tuple[str, ...]
"""The parts of a word as they are compared: `throw` and `in` of `throw_in`."""


class Spoken(Phrase, frozen=True, gc=False):
    """A word that a game records, told as a language says it; the key is the word."""

    def in_words(self, lang: str = "en") -> str:
        return word(self.package, self.key, lang)


def spoken(game: Game, words: Collection[str]) -> list[Phrase]:
    """Words of a game in the order in which messages list them."""
    return [Spoken(game.package, recorded) for recorded in sorted(words)]


def game_typed(text: str) -> Game:
    """The game of that name in any language; raises `MalformedError` naming the known ones."""
    found = [game for game in registered_games().values() if parts_of([text]) in forms(game, game.name)]
    return found[0] if len(found) == 1 else game_named(text)


def choice_typed(game: Game, text: str, choices: Set[object]) -> str:
    """The choice that the text means in any language, a suit also by its symbol; the text itself where it is none."""
    if text in choices or not choices:
        return text
    if choices <= set(SUITS):
        with suppress(MalformedError):
            return parse_suit(text)
    found = [choice for choice in choices if isinstance(choice, str) and parts_of([text]) in forms(game, choice)]
    return found[0] if len(found) == 1 else text


def means(key: str, text: str) -> bool:
    """Whether the text is one of the words that stand in any language under `typed` and this key."""
    return spelt(text.strip()) in _typed(key)


@cache
def _typed(key: str) -> frozenset[str]:
    texts = (catalogue("ledger.recording", lang)[f"typed.{key}"] for lang in LANGUAGES)
    return frozenset(spelt(form.strip()) for text in texts for form in text.split(","))


@cache
def forms(game: Game, recorded: str) -> Sequence[Parts]:
    """All ways to write a word that a game records."""
    return tuple(dict.fromkeys(parts_of([text]) for text in game.ways_to_write(recorded)))


@cache
def _wholes(game: Game, recorded: str) -> Set[Parts]:
    """The same, and each of them written as one."""
    ways = forms(game, recorded)
    return frozenset((*ways, *(("".join(form),) for form in ways)))


def parts_of(words: Sequence[str]) -> Parts:
    return tuple(part for word in words for part in _BETWEEN_PARTS.split(spelt(word).strip(" '")) if part)


def spelt_word(game: Game, words: Sequence[str], *vocabularies: Collection[str]) -> tuple[str, int] | None:
    """The word of a vocabulary that the first words spell, and how many they are: `throw in`, `decline`, `パス`.

    A whole word goes before a beginning, the longest before a shorter, an earlier vocabulary before a later. Raises
    `MalformedError` for a beginning that fits several words.
    """
    typed = [(length, parts_of(words[:length])) for length in range(min(_MAX_PHRASE, len(words)), 0, -1)]
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
                unclear = MalformedError(phrase("line.several_words"), either(spoken(game, begun)), text)
    if unclear is not None:
        raise unclear
    return None


def _begun(game: Game, parts: Parts, vocabulary: Collection[str], may_shorten_all: bool) -> Iterator[tuple[str, Parts]]:
    """The words of the vocabulary that begin so, each with the form in which it does; a number alone begins none."""
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
    """The only word begun, or the one that all the others go on from: `entrada` beside `entrada_favour`."""
    for recorded, form in begun.items():
        if all(other == form or other[: len(form)] == form for other in begun.values()):
            return recorded
    return None


NOBODY: Final = "table"
"""Stands for the recorder where nobody at the table says something: `table: …`."""

_SHOWN_WORDS: Final = 3
"""Words before a colon that are shown where they name nobody."""

_SEPARATORS: Final = str.maketrans(dict.fromkeys(",;·|、。・･", " "))
_PARTS: Final = re.compile(r"(?P<arrow>[-=]>|[>→⇒])|(?P<colon>:)|(?:(?![-=]>)[^\s:>→⇒])+")


class Speaker(NamedTuple):
    """A name with a colon: who does what follows; several for a side that speaks together, none for the recorder."""

    seats: tuple[int, ...]

    @property
    def seat(self) -> int | None:
        return self.seats[0] if self.seats else None


class Word(NamedTuple):
    text: str


class Arrow(NamedTuple):
    """`>`: before who took the trick in, or before the cards drawn."""


Token: TypeAlias = Speaker | Word | Arrow


class Names:
    """The players at the table, found by their names or by a beginning that fits no other."""

    def __init__(self, players: Sequence[str]) -> None:
        self.players = list(players)
        self._folded = [compared(name) for name in players]
        self._speakers: dict[str, Speaker | None] = {}

    def replace(self, seat: int, player: str) -> None:
        """Another player sits down."""
        self.players[seat] = player
        self._folded[seat] = compared(player)
        self._speakers.clear()

    def seat(self, text: str) -> int:
        """The seat of that player; raises `MalformedError` where no name fits, or more than one."""
        seats = fitting(self._folded, compared(text))
        if len(seats) == 1:
            return seats[0]
        if not seats:
            raise MalformedError(phrase("name.unknown"), either(self.players), text)
        raise MalformedError(phrase("name.fits_several"), either([self.players[seat] for seat in seats]), text)

    def speaker(self, words: Sequence[str]) -> tuple[Speaker, int] | None:
        """Who is named by the last of these words, and how many words the name has; None where no name fits,
        or more than one.
        """
        for start in range(len(words)):
            text = " ".join(words[start:])
            if text not in self._speakers:
                self._speakers[text] = self._named(text)
            if (speaker := self._speakers[text]) is not None:
                return speaker, len(words) - start
        return None

    def _named(self, text: str) -> Speaker | None:
        """Whom the whole text names."""
        group = [name.strip() for name in re.split("[+&]", text.translate(MARKS))]
        if len(group) == 1 and means("recorder", group[0]) and not self.is_whole_name(group[0]):
            return Speaker(())
        found = [fitting(self._folded, compared(name)) for name in group]
        return Speaker(tuple(seats[0] for seats in found)) if all(len(seats) == 1 for seats in found) else None

    def is_whole_name(self, text: str) -> bool:
        return compared(text) in self._folded


def compared(name: str) -> str:
    """A name as it is compared: whatever its case, the width of its letters, and the marks between its words."""
    return folded(without_separators(name))


def without_separators(text: str) -> str:
    """The text with marks of ASCII, each sign in its place, and blanks for what only separates words."""
    return (text if text.isascii() else text.translate(MARKS)).translate(_SEPARATORS)


def tokens(line: str, names: Names) -> list[Token]:
    """The tokens of one line, words as they were typed; raises `MalformedError` for a name that nobody has."""
    parts: list[list[str]] = [[]]
    for sign in _PARTS.finditer(without_separators(line)):
        if sign["colon"]:
            parts.append([])
        else:
            parts[-1].append(">" if sign["arrow"] else line[slice(*sign.span())])
    found: list[Token] = []
    for words in parts[:-1]:
        named = names.speaker(words)
        if named is None:
            raise _unknown_name(words, names)
        speaker, length = named
        found.extend(_plain(words[: len(words) - length]))
        found.append(speaker)
    found.extend(_plain(parts[-1]))
    return found


def _unknown_name(words: Sequence[str], names: Names) -> MalformedError:
    if not words:
        return MalformedError(phrase("name.nothing_before_colon"), either(names.players), ":")
    try:
        names.seat(words[-1])
    except MalformedError as error:
        return MalformedError(error.what, error.expected, " ".join(words) if len(words) <= _SHOWN_WORDS else words[-1])
    return MalformedError(phrase("name.unknown"), either(names.players), " ".join(words))


def named_cards(parts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield whose cards each part has, and which: `Baron: SA S2`. Raise `MalformedError` where nobody is named."""
    for part in parts:
        name, colon, held = part.partition(":")
        if not colon:
            raise MalformedError(phrase("words.whose_cards"), phrase("words.name_before"), part.strip())
        yield name, held


def _plain(words: Sequence[str]) -> list[Token]:
    return [Arrow() if word == ">" else Word(word) for word in words]
