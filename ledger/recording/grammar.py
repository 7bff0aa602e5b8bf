"""The syntax of a typed line: names with a colon, words, and arrows."""

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
"""The name of the recorder, for words that no player says: `table: …`."""

_SHOWN_WORDS: Final = 3
"""The most words before a colon that a message shows."""

_PARTS: Final = re.compile(r"(?P<arrow>[-=]>|[>→⇒])|(?P<colon>:)|(?:(?![-=]>)[^\s:>→⇒])+")


class Speaker(NamedTuple):
    """A name with a colon. `seats`: several for a side that speaks together, none for the recorder."""

    seats: tuple[int, ...]

    @property
    def seat(self) -> int | None:
        """The first seat; None for the recorder."""
        return self.seats[0] if self.seats else None


class Word(NamedTuple):
    text: str


class Arrow(NamedTuple):
    """The mark `>` before the winner of a trick or before drawn cards."""


Token: TypeAlias = Speaker | Word | Arrow


class Names:
    """The players at the table, found by name or by an unambiguous beginning of it."""

    def __init__(self, players: Sequence[str]) -> None:
        self.players = list(players)
        self._folded = [name_key(name) for name in players]
        self._speakers: dict[str, Speaker | None] = {}

    def replace(self, seat: int, player: str) -> None:
        """Seat another player."""
        self.players[seat] = player
        self._folded[seat] = name_key(player)
        self._speakers.clear()

    def seat(self, text: str) -> int:
        """Return the seat of a player. Raise `MalformedError` if no name or several names fit."""
        seats = fitting(self._folded, name_key(text))
        if len(seats) == 1:
            return seats[0]
        if not seats:
            raise MalformedError(phrase("name.unknown"), either(self.players), text)
        raise MalformedError(phrase("name.fits_several"), either([self.players[seat] for seat in seats]), text)

    def speaker(self, words: Sequence[str]) -> tuple[Speaker, int] | None:
        """Return the speaker whose name ends these words, and how many words the name has; None if no name fits."""
        for start in range(len(words)):
            text = " ".join(words[start:])
            if text not in self._speakers:
                self._speakers[text] = self._named(text)
            if (speaker := self._speakers[text]) is not None:
                return speaker, len(words) - start
        return None

    def _named(self, text: str) -> Speaker | None:
        """Return the speaker whom the whole text names; None if no name fits."""
        group = [name.strip() for name in re.split("[+&]", text.translate(MARKS))]
        if len(group) == 1 and means("recorder", group[0]) and not self.is_whole_name(group[0]):
            return Speaker(())
        matches = [fitting(self._folded, name_key(name)) for name in group]
        return Speaker(tuple(seats[0] for seats in matches)) if all(len(seats) == 1 for seats in matches) else None

    def is_whole_name(self, text: str) -> bool:
        """Return whether the text is a player's name, not only a beginning of it."""
        return name_key(text) in self._folded


def name_key(name: str) -> str:
    """Return a name in the form in which names are compared: without case, width and marks between words."""
    return folded(without_separators(name))


def tokenize(line: str, names: Names) -> list[Token]:
    """Return the tokens of a line, with words as typed. Raise `MalformedError` for an unknown name."""
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
    """Yield name and cards of each part, e.g. `Baron: SA S2`. Raise `MalformedError` for a part without a name."""
    for part in parts:
        name, colon, held = part.partition(":")
        if not colon:
            raise MalformedError(phrase("words.whose_cards"), phrase("words.name_before"), part.strip())
        yield name, held


def _plain(words: Sequence[str]) -> list[Token]:
    return [Arrow() if word == ">" else Word(word) for word in words]
