"""Names of persons, clubs and places: whether they can be read, the one form in which they are kept, who is meant."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from ledger.errors import MalformedError
from ledger.i18n import Text, phrases

_phrase: Final = phrases("ledger.i18n")

_BREAKING: Final = frozenset(("Cc", "Cs", "Zl", "Zp"))
"""Control characters, halves of characters and line breaks, by their Unicode category."""

_INVISIBLE: Final = _BREAKING | {"Cf", "Zs", "Mn", "Mc", "Me"}
"""Categories of what shows nothing alone: blanks, marks of direction and joining, accents without a letter."""

_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols of which nothing is shown: Hangul fillers and the empty Braille cell."""


def readable_name(field: Text, text: str) -> str:
    """The name in NFC; raises `MalformedError` where it shows nothing, or holds a control character or a line break."""
    kinds = [unicodedata.category(sign) for sign in text if sign not in _BLANK_LETTERS]
    if _INVISIBLE.issuperset(kinds) or not _BREAKING.isdisjoint(kinds):
        raise MalformedError(field, _phrase("value.name"), text)
    return unicodedata.normalize("NFC", text)


def folded(text: str) -> str:
    """A text as it is compared: small letters, one blank between words."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def fitting(names: Sequence[str], name: str) -> list[int]:
    """The places of the names that are meant: a whole name, else the beginning of a name, else that of any of its
    words. All of them are `folded`.
    """
    if not name:
        return []
    exact = [place for place, known in enumerate(names) if known == name]
    begins = [place for place, known in enumerate(names) if known.startswith(name)]
    holds = [place for place, known in enumerate(names) if f" {name}" in known]
    return exact or begins or holds
