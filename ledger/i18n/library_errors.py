"""What libraries and the system say of a fault, in our languages; what is not known is left in their own words.

The English catalogue has their sentences word for word, so it is also what tells one from another: the first that fits.
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
    """What an error of somebody else's says, or a sentence of one."""
    return _catalogued("library", str(fault)) or str(fault)


def expectation(words: str) -> Text:
    """What msgspec expects, as `int >= 1`: kinds of values, perhaps with a condition."""
    return _catalogued("condition", words) or _listed_kinds(words)


def kind_named(word: str) -> Text:
    """A kind of value by msgspec's name of it, as `int`."""
    key = f"kind.{word}"
    return Phrase(_PACKAGE, key) if key in catalogue(_PACKAGE, "en") else word


def _listed_kinds(words: str) -> Text:
    """Kinds of values, as `str | null`."""
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
"""The values of a sentence that are such words themselves; the others are shown as they are."""


def _catalogued(table: str, words: str) -> Phrase | None:
    """The sentence of that table of the catalogue that the words are."""
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
