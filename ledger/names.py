"""Names of persons, clubs and places: whether they can be read, and the one form in which they are kept."""

from __future__ import annotations

import unicodedata
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
