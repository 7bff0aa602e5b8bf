"""Sentences as they are read aloud: the sign of a card becomes its name, `♥2` the 2 of hearts."""

from __future__ import annotations

import re
from typing import Final

from markupsafe import Markup

from ledger.cards import SUITS, SYMBOLS, UNKNOWN
from ledger.text.letters import Letters
from ledger.text.pictures.moment import spoken, suit_spoken
from ledger.text.site.look import Look
from ledger.text.site.marks import suited
from ledger.text.words import label

_SUITS: Final = {SYMBOLS[suit]: suit for suit in SUITS}
_CARD: Final = re.compile(f"([{''.join(_SUITS)}])(10|[AKQJ2-9](?![0-9A-Za-z]))?|{re.escape(UNKNOWN)}")


def aloud(text: str, lang: str, letters: Letters = "en") -> str:
    """The sentence without signs; between cards that stood beside each other the language's comma."""

    def named(found: re.Match[str]) -> str:
        if found[1] is None:
            return label(lang, "picture.unknown_card")
        suit, rank = _SUITS[found[1]], found[2]
        if rank is None:
            return suit_spoken(suit, lang, letters)
        return spoken(suit + ("T" if rank == "10" else rank), lang, letters)

    return _CARD.sub(named, _BESIDE.sub(lambda found: found[0].rstrip() + label(lang, "list"), text))


def seen_and_heard(text: str, look: Look) -> Markup:
    """A sentence as it is seen, and where it has a sign, in words instead for who hears it."""
    seen, heard = suited(text, look), aloud(text, look.lang, look.letters)
    if heard == text:
        return seen
    return Markup('<span aria-hidden="true">{}</span><span class="hide">{}</span>').format(seen, heard)


_BESIDE: Final = re.compile(rf"[{''.join(_SUITS)}](?:10|[AKQJ2-9])\s+(?=[{''.join(_SUITS)}](?:10|[AKQJ2-9]))")
"""A card with another one behind it."""
