"""Inputs that are nearly right: they reach further into a parser than noise does. This is no test itself."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

SIGNS: Final = (
    *("", " ", "\n", "\t", "\x00", "\ufeff", "\ud800", "é", "e\u0301", "ß", "İ", "♠", "♤", "🂡", "\u202e", "\u2028"),
    *('"', "'", '"""', "\\", "\\u0000", "{", "}", "[", "]", "[[deal]]", "=", ":", ",", "#", "/", ">", "+", "-", "--"),
    *("0", "1", "-1", "1.5", "1e999", "nan", "true", "null", "9" * 20, "9" * 5_000, "[" * 2_000, "a" * 300),
    *("SA", "S10", "??", "T♠", "H7", "pass", "solo", "ombre", "kop", "none", "table/t", "session/s"),
    *("♠K", "Baron:", "table:", "A+B:", "dealer", "trump", "bids", "[deal.hands]", "sheet = {}", "result = {}", "。"),
    *("voided = ''", "turned = 'S2'", "called = 'SK'", "seated = {}", "花子 = ", "「", "：", "？？", "ＳＡ", "パス"),
    *("2026-01-05", "2026-13-41", "2026-01-05T18:30:00.000000Z", "0001-01-01T00:00:00+14:00"),
)
"""Texts that are difficult for some parser."""

VALUES: Final = (
    *(None, True, False, 0, 1, -1, 3, 8, 99, 2**63, -(2**63) - 1, 10**30, 0.5, -0.0, 1e300),
    *("", "S", "SA", "??", "S10", "x", "a" * 300, "\x00", "e\u0301", "\ud7ff", "pass", "solo", "ombre", "official"),
    *("2026-01-05", "2026-02-30T25:61:00.000000Z", "OMB-6.8", "table/t"),
    *([], [None], [[]], ["SA"], ["SA", "SA"], [0, 0, 0], {}, {"": None}, {"ombre": 0}, {"type": "noted", "text": "x"}),
)
"""JSON values where something else is expected."""


class Mutator:
    """A source of changed inputs that uses only `chance`: the same seed makes the same inputs."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    def text(self, seeds: Sequence[str]) -> str:
        """Draw a text with up to four pieces cut out, doubled, moved, swapped with another's or replaced."""
        text = self.chance.choice(seeds)
        for _ in range(self.chance.randint(1, 4)):
            start = self.chance.randint(0, len(text))
            end = min(len(text), start + self.chance.choice((0, 1, 1, 2, 5, 20, 80)))
            text = text[:start] + self._piece(text[start:end], seeds) + text[end:]
        return text

    def _piece(self, old: str, seeds: Sequence[str]) -> str:
        match self.chance.randrange(5):
            case 0:
                return ""
            case 1:
                return old * 2
            case 2:
                other = self.chance.choice(seeds)
                start = self.chance.randint(0, len(other))
                return other[start : start + self.chance.choice((1, 5, 20, 80))]
            case 3:
                return chr(self.chance.choice((self.chance.randrange(128), self.chance.randrange(0xD800))))
            case _:
                return self.chance.choice(SIGNS)

    def value(self, value: Any) -> Any:
        """Change one part of a JSON value: omit, double or replace it."""
        if isinstance(value, dict) and value and self.chance.random() < 0.9:
            key = self.chance.choice(list(value))
            return self._member(value, key)
        if isinstance(value, list) and value and self.chance.random() < 0.8:
            return self._item(value, self.chance.randrange(len(value)))
        if isinstance(value, int) and self.chance.random() < 0.5:
            return value + self.chance.choice((-1, 1, 2, 100))
        return self.chance.choice(VALUES)

    def _member(self, value: dict[str, Any], key: str) -> dict[str, Any]:
        match self.chance.randrange(8):
            case 0:
                return {name: part for name, part in value.items() if name != key}
            case 1:
                return {**value, self.chance.choice(("extra", "seat", "card", "type", "")): self.chance.choice(VALUES)}
            case _:
                return {**value, key: self.value(value[key])}

    def _item(self, value: list[Any], place: int) -> list[Any]:
        match self.chance.randrange(6):
            case 0:
                return value[:place] + value[place + 1 :]
            case 1:
                return [*value, value[place]]
            case _:
                return [*value[:place], self.value(value[place]), *value[place + 1 :]]
