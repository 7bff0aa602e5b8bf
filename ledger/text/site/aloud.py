"""Sentences as they are read aloud: the sign of a card becomes its name, `♥2` the 2 of hearts."""

from __future__ import annotations

import re
from typing import Final

from ledger.cards import SUITS, SYMBOLS, UNKNOWN
from ledger.i18n import catalogue
from ledger.text.pictures.telling import spoken
from ledger.text.words import label

_SUITS: Final = {SYMBOLS[suit]: suit for suit in SUITS}
_CARD: Final = re.compile(f"([{''.join(_SUITS)}])(10|[AKQJ2-9](?![0-9A-Za-z]))?|{re.escape(UNKNOWN)}")


def aloud(text: str, lang: str) -> str:
    """The sentence without signs; between cards that stood beside each other the language's comma."""

    def named(found: re.Match[str]) -> str:
        if found[1] is None:
            return label(lang, "picture.unknown_card")
        suit, rank = _SUITS[found[1]], found[2]
        if rank is None:
            return catalogue("ledger.i18n", lang)[f"suit.{suit}"].partition(",")[0].strip()
        return spoken(suit + ("T" if rank == "10" else rank), lang)

    return _CARD.sub(named, _BESIDE.sub(lambda found: found[0].rstrip() + label(lang, "list"), text))


_BESIDE: Final = re.compile(rf"[{''.join(_SUITS)}](?:10|[AKQJ2-9])\s+(?=[{''.join(_SUITS)}](?:10|[AKQJ2-9]))")
"""A card with another one behind it."""
