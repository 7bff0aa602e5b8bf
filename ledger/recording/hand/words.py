"""The words of a line as somebody writes them: names with a colon, cards, calls, and what follows an arrow."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple, TypeAlias

from ledger.errors import MalformedError
from ledger.names import fitting, folded
from ledger.recording.words import either, phrase

NOBODY: Final = "table"
"""Stands for the recorder where nobody at the table says something: `table: …`."""

_MAX_PHRASE: Final = 4
"""Words that a call or an announcement may be written in: `throw in`."""


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
        self._folded = [folded(name) for name in players]

    def replace(self, seat: int, player: str) -> None:
        """Another player sits down."""
        self.players[seat] = player
        self._folded[seat] = folded(player)

    def seat(self, text: str) -> int:
        """The seat of that player; raises `MalformedError` where no name fits, or more than one."""
        seats = fitting(self._folded, folded(text))
        if len(seats) == 1:
            return seats[0]
        if not seats:
            raise MalformedError(phrase("name.unknown"), either(self.players), text)
        raise MalformedError(phrase("name.fits_several"), either([self.players[seat] for seat in seats]), text)

    def speaker(self, words: Sequence[str]) -> tuple[Speaker, int] | None:
        """Who is named by the last of these words, and how many words the name has; None where no name fits.

        Raises `MalformedError` for a name that fits several players.
        """
        for start in range(len(words)):
            group = [name.strip() for name in re.split("[+&]", " ".join(words[start:]))]
            if folded(group[0]) == NOBODY and len(group) == 1 and NOBODY not in self._folded:
                return Speaker(()), len(words) - start
            if all(len(fitting(self._folded, folded(name))) == 1 for name in group):
                return Speaker(tuple(self.seat(name) for name in group)), len(words) - start
        return None


def tokens(line: str, names: Names) -> list[Token]:
    """The tokens of one line; raises `MalformedError` for a name that nobody has."""
    for sign in ("→", "->", "=>"):
        line = line.replace(sign, ">")
    *before, last = re.split("[:：]", re.sub("[,;·|]", " ", line))
    found: list[Token] = []
    for part in before:
        words = part.replace(">", " > ").split()
        named = names.speaker(words)
        if named is None:
            raise _unknown_name(words, names)
        speaker, length = named
        found.extend(_plain(words[: len(words) - length]))
        found.append(speaker)
    found.extend(_plain(last.replace(">", " > ").split()))
    return found


def _unknown_name(words: Sequence[str], names: Names) -> MalformedError:
    if not words:
        return MalformedError(phrase("name.nothing_before_colon"), either(names.players), ":")
    try:
        names.seat(words[-1])
    except MalformedError as error:
        return MalformedError(error.what, error.expected, " ".join(words) if len(words) < _MAX_PHRASE else words[-1])
    return MalformedError(phrase("name.unknown"), either(names.players), " ".join(words))


def _plain(words: Sequence[str]) -> list[Token]:
    return [Arrow() if word == ">" else Word(word) for word in words]


def spelt_word(words: Sequence[str], *vocabularies: Collection[str]) -> tuple[str, int] | None:
    """The word of a vocabulary that the first words spell, and how many they are: `throw in`, `decline`, `Solo`.

    A whole word goes before a beginning, the longest before a shorter, an earlier vocabulary before a later. Raises
    `MalformedError` for a beginning that fits several words.
    """
    spelt = [(length, _spelling(words[:length])) for length in range(min(_MAX_PHRASE, len(words)), 0, -1)]
    for length, text in spelt:
        if any(text in vocabulary for vocabulary in vocabularies):
            return text, length
    for length, text in spelt:
        for vocabulary in vocabularies:
            fitting = sorted(word for word in vocabulary if text and word.startswith(text))
            if len(fitting) == 1:
                return fitting[0], length
            if fitting and length == 1:
                raise MalformedError(phrase("line.several_words"), either(fitting), words[0])
    return None


def _spelling(words: Sequence[str]) -> str:
    return "_".join(words).casefold().replace("-", "_")
