"""Message catalogues: sentences by key, in English and Japanese. Each game brings its own under `messages/`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from msgspec import Struct

LANGUAGES: Final = ("en", "ja")
_SEATS: Final = frozenset(("seat", "due", "winner"))
"""The values of a sentence that are seats and are shown as names."""


class Words(Struct, frozen=True, gc=False):
    """A sentence for people, still without a language: a key of the game's catalogue and what is put into it."""

    key: str
    values: Mapping[str, Any] = {}


@cache
def catalogue(package: str, lang: str) -> Mapping[str, str]:
    """The sentences of one package in one language, by key."""
    source = files(package).joinpath("messages", f"{lang}.toml").read_text(encoding="utf-8")
    return tomllib.loads(source)


def sentence(package: str, words: Words, players: Sequence[str], lang: str = "en") -> str:
    """The sentence in a language; seats become the players' names, lists are written with blanks between."""
    sentences = catalogue(package, lang)
    nobody = sentences["nobody"]
    values = {key: _shown(key, value, players, nobody) for key, value in words.values.items()}
    variant = words.values.get("found")
    key = words.key if variant is None else f"{words.key}_{variant}"
    return sentences[key].format(**values)


def _shown(key: str, value: Any, players: Sequence[str], nobody: str) -> str:
    if key in _SEATS:
        return nobody if value is None else players[value]
    if value is None:
        return "–"
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
