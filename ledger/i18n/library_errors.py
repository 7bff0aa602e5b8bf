"""Translation of error messages from libraries and the operating system; unknown ones keep their own words.

The English catalogue has these messages word for word, so it also recognises them: the first that matches is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from string import Formatter
from typing import Final

from ledger.i18n import Phrase, Text, catalogue

_PACKAGE: Final = "ledger.i18n"


def localised(fault: object) -> Text:
    """Translate the message of a foreign error, or a sentence of one."""
    return _catalogued("library", str(fault)) or str(fault)


def expectation(words: str) -> Text:
    """Translate what msgspec expects, e.g. `int >= 1`: kinds of values, perhaps with a condition."""
    return _catalogued("condition", words) or _listed_kinds(words)


def kind_named(word: str) -> Text:
    """Translate a kind of value by msgspec's name for it, e.g. `int`."""
    key = f"kind.{word}"
    return Phrase(_PACKAGE, key) if key in catalogue(_PACKAGE, "en") else word


def _listed_kinds(words: str) -> Text:
    """Translate alternative kinds of values, e.g. `str | null`."""
    if len(words) > 1 and words[0] == words[-1] == "`":
        return Phrase(_PACKAGE, "kind.quoted", {"kinds": _listed_kinds(words[1:-1])})
    first, *others = words.split(" | ")
    listed = kind_named(first)
    for other in others:
        listed = Phrase(_PACKAGE, "kind.or", {"kinds": listed, "kind": kind_named(other)})
    return listed


_PARTS: Final[Mapping[str, Callable[[str], Text]]] = {
    "why": localised,
    "expectation": expectation,
    "kinds": _listed_kinds,
    "got": _listed_kinds,
}
"""How to translate the values of a message; the others are shown as they are."""


def _catalogued(table: str, words: str) -> Phrase | None:
    """Return the message of that catalogue table whose English text matches."""
    for key, pattern in _patterns(table):
        if (match := pattern.fullmatch(words)) is not None:
            return Phrase(
                _PACKAGE, key, {name: _PARTS.get(name, str)(part) for name, part in match.groupdict().items()}
            )
    return None


@cache
def _patterns(table: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    english = catalogue(_PACKAGE, "en")
    return tuple((key, _pattern(text)) for key, text in english.items() if key.startswith(f"{table}."))


def _pattern(text: str) -> re.Pattern[str]:
    parts = (re.escape(said) + (f"(?P<{name}>.+?)" if name else "") for said, name, _, _ in Formatter().parse(text))
    return re.compile("".join(parts), re.DOTALL)
