"""Names of persons, clubs and places: whether they can be read, the one form in which they are kept, who is meant."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

from ledger.errors import MalformedError, listed
from ledger.i18n import Text, phrases

_phrase: Final = phrases("ledger.i18n")

_BREAKING: Final = frozenset(("Cc", "Cs", "Zl", "Zp"))
"""Control characters, halves of characters and line breaks, by their Unicode category."""

_INVISIBLE: Final = _BREAKING | {"Cf", "Zs", "Mn", "Mc", "Me"}
"""Categories of what shows nothing alone: blanks, marks of direction and joining, accents without a letter."""

_LIKE: Final = 0.7
"""From which likeness on (`difflib`) a name is taken for what was meant: 1 letter in 3 may be another one."""

_MEANT: Final = 3
"""So many names that may be meant are told."""

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


def meant(asked: str, known: Iterable[str]) -> list[str]:
    """The names that may be meant after a slip of the pen, the likeliest first: those spelled alike, else those that
    hold all that was asked; none where there is none.
    """
    by_spelling: dict[str, str] = {}
    for name in known:
        by_spelling.setdefault(folded(name), name)
    spelled = folded(asked)
    close = get_close_matches(spelled, by_spelling, _MEANT, _LIKE)
    if not close and len(spelled) >= _MEANT:
        close = [spelling for spelling in by_spelling if spelled in spelling][:_MEANT]
    return [by_spelling[spelling] for spelling in close]


def hint(asked: str, known: Iterable[str], otherwise: Text) -> Text:
    """What a message says of a name that there is not: which may be meant, or, where none is near, something else."""
    close = meant(asked, known)
    return perhaps(close) if close else otherwise


def perhaps(names: Sequence[str]) -> Text:
    """That these may be meant."""
    return _phrase("list.perhaps", names=listed(names))
