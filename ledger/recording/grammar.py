"""A line as somebody writes it: names with a colon, words, and arrows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from ledger.errors import MalformedError
from ledger.i18n.normalisation import MARKS
from ledger.names import fitting, folded
from ledger.recording.catalogue import either, phrase
from ledger.recording.vocabulary import means, without_separators

NOBODY: Final = "table"
"""Stands for the recorder where nobody at the table says something: `table: …`."""

_SHOWN_WORDS: Final = 3
"""Words before a colon that are shown where they name nobody."""

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
        matches = [fitting(self._folded, compared(name)) for name in group]
        return Speaker(tuple(seats[0] for seats in matches)) if all(len(seats) == 1 for seats in matches) else None

    def is_whole_name(self, text: str) -> bool:
        return compared(text) in self._folded


def compared(name: str) -> str:
    """A name as it is compared: whatever its case, the width of its letters, and the marks between its words."""
    return folded(without_separators(name))


def tokenize(line: str, names: Names) -> list[Token]:
    """The tokens of one line, words as they were typed; raises `MalformedError` for a name that nobody has."""
    parts: list[list[str]] = [[]]
    for sign in _PARTS.finditer(without_separators(line)):
        if sign["colon"]:
            parts.append([])
        else:
            parts[-1].append(">" if sign["arrow"] else line[slice(*sign.span())])
    read: list[Token] = []
    for words in parts[:-1]:
        named = names.speaker(words)
        if named is None:
            raise _unknown_name(words, names)
        speaker, length = named
        read.extend(_plain(words[: len(words) - length]))
        read.append(speaker)
    read.extend(_plain(parts[-1]))
    return read


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
