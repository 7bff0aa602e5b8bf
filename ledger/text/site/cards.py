"""Show cards and suits on pages: cards that lie on the table, colours in sentences, names read aloud.

A key to tap is text beside a suit, so that it grows with a reader's letters; a card that lies is drawn as in the
pictures of the table, from the shapes that the page has once (`card_shapes`).
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias, get_args

from markupsafe import Markup, escape
from msgspec import Struct

from ledger.cards import PACK_52, SUITS, SYMBOLS, UNKNOWN
from ledger.text.cards import card_text
from ledger.text.catalogue import label
from ledger.text.letters import Letters, lettered, rank_face
from ledger.text.pictures.cards import CARD_HEIGHT, CARD_WIDTH, card_body, parts_of
from ledger.text.pictures.moment import spoken, suit_spoken

Theme: TypeAlias = Literal["auto", "light", "dark", "contrast"]

THEMES: Final = get_args(Theme)


class Preferences(Struct, frozen=True, kw_only=True):
    """What a reader has chosen, or his browser says."""

    lang: str = "en"
    theme: Theme = "auto"
    letters: Letters = "en"

    def rank(self, rank: str) -> str:
        """What stands on a card of this rank of the record: `T` is 10."""
        return rank_face(rank, self.letters)


_CODE: Final = re.compile("`([^`]+)`")
_AS_TEXT: Final = "\ufe0e"
"""Keeps a suit from being drawn as an emoji."""


def colour_suits(text: str, preferences: Preferences) -> Markup:
    """A sentence, escaped, each card and suit in it marked by its colour: `♠K` as a span of class `t-S`."""
    return Markup(lettered(str(escape(text)), preferences.letters, preferences.lang, _coloured))


def _coloured(suit: str, shown: str) -> str:
    sign = SYMBOLS[suit]
    return f'<span class="t-{suit}">{shown.replace(sign, sign + _AS_TEXT)}</span>'


def mark_code(text: str) -> Markup:
    """A sentence, escaped, with the words of programs that it has in backticks marked as such."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


def card_mark(card: str, preferences: Preferences) -> Markup:
    """One card of the record, `ST`, as it stands in a sentence; one that is not known stays `??`."""
    return colour_suits(card_text(card), preferences)


_VIEW_BOX: Final = f"0 0 {CARD_WIDTH} {CARD_HEIGHT}"


def card_name(card: str, preferences: Preferences) -> str:
    """What it is called: `ace of hearts`."""
    return spoken(card, preferences.lang, preferences.letters)


def suit_name(suit: str, preferences: Preferences) -> str:
    return suit_spoken(suit, preferences.lang, preferences.letters)


def card_shapes(preferences: Preferences) -> Markup:
    """What all cards of a page are drawn of; it stands there once, before them, and is not seen."""
    parts = parts_of((*PACK_52, UNKNOWN), SUITS, preferences.letters)
    return Markup(f'<svg class="hide" aria-hidden="true" focusable="false">{parts}</svg>')


def laid_card(card: str, preferences: Preferences, name: str = "") -> Markup:
    """A card that lies on the table, face up. `name`: what it is called where it is not seen, by default its own."""
    suit = "back" if card == UNKNOWN else f"k{card[0]}"
    escaped = escape(name or card_name(card, preferences))
    return Markup(
        f'<svg class="card one {suit}" viewBox="{_VIEW_BOX}" role="img" aria-label="{escaped}">{card_body(card)}</svg>'
    )


_SUITS: Final = {SYMBOLS[suit]: suit for suit in SUITS}
_CARD: Final = re.compile(f"([{''.join(_SUITS)}])(10|[AKQJ2-9](?![0-9A-Za-z]))?|{re.escape(UNKNOWN)}")


def aria_text(text: str, lang: str, letters: Letters = "en") -> str:
    """The sentence without signs; between cards that stood beside each other the language's comma."""

    def card_in_words(match: re.Match[str]) -> str:
        if match[1] is None:
            return label(lang, "picture.unknown_card")
        suit, rank = _SUITS[match[1]], match[2]
        if rank is None:
            return suit_spoken(suit, lang, letters)
        return spoken(suit + ("T" if rank == "10" else rank), lang, letters)

    return _CARD.sub(card_in_words, _ADJACENT_CARDS.sub(lambda match: match[0].rstrip() + label(lang, "list"), text))


def with_aria_text(text: str, preferences: Preferences) -> Markup:
    """A sentence as it is seen, and where it has a sign, in words instead for who hears it."""
    visible, spoken_text = colour_suits(text, preferences), aria_text(text, preferences.lang, preferences.letters)
    if spoken_text == text:
        return visible
    return Markup('<span aria-hidden="true">{}</span><span class="hide">{}</span>').format(visible, spoken_text)


_ADJACENT_CARDS: Final = re.compile(rf"[{''.join(_SUITS)}](?:10|[AKQJ2-9])\s+(?=[{''.join(_SUITS)}](?:10|[AKQJ2-9]))")
"""A card with another one behind it."""
