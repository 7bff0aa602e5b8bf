"""The words of a game and of hand records as people write them: in each language, with capitals, accents or dashes or
without, or by a beginning.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence, Set
from contextlib import suppress
from functools import cache
from typing import Final, TypeAlias

from ledger.cards import SUITS, parse_suit
from ledger.errors import MalformedError
from ledger.games import game_named, registered_games
from ledger.games.kernel.protocol import Game
from ledger.i18n import LANGUAGES, Phrase, catalogue, word
from ledger.i18n.keyboard import spelt
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
