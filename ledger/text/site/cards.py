"""Show cards and suits on pages: cards on the table, suit colours in sentences, names for screen readers.

A key to tap shows text beside a suit, so that it grows with the reader's font size. A card on the table is drawn like
those in the table's pictures, from shapes that each page holds once (`card_shapes`).
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
    """The reader's display settings, chosen by the reader or taken from the browser."""

    lang: str = "en"
    theme: Theme = "auto"
    letters: Letters = "en"

    def rank(self, rank: str) -> str:
        """Return the text on a card of this rank, e.g. `10` for the record's `T`."""
        return rank_face(rank, self.letters)


_CODE: Final = re.compile("`([^`]+)`")
_AS_TEXT: Final = "\ufe0e"
"""The variation selector that keeps a suit sign from being drawn as an emoji."""


def colour_suits(text: str, preferences: Preferences) -> Markup:
    """Return a sentence as escaped HTML in which each card and suit is a span of its suit's class, e.g. `t-S`."""
    return Markup(lettered(str(escape(text)), preferences.letters, preferences.lang, _coloured))


def _coloured(suit: str, shown: str) -> str:
    sign = SYMBOLS[suit]
    return f'<span class="t-{suit}">{shown.replace(sign, sign + _AS_TEXT)}</span>'


def mark_code(text: str) -> Markup:
    """Return a sentence as escaped HTML in which words in backticks are `<code>` elements."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


def card_mark(card: str, preferences: Preferences) -> Markup:
    """Return a card of the record, e.g. `ST`, as HTML for a sentence; an unknown card stays `??`."""
    return colour_suits(card_text(card), preferences)


_VIEW_BOX: Final = f"0 0 {CARD_WIDTH} {CARD_HEIGHT}"


def card_name(card: str, preferences: Preferences) -> str:
    """Return the name of a card, e.g. `ace of hearts`."""
    return spoken(card, preferences.lang, preferences.letters)


def suit_name(suit: str, preferences: Preferences) -> str:
    """Return the name of a suit in the reader's language."""
    return suit_spoken(suit, preferences.lang, preferences.letters)


def card_shapes(preferences: Preferences) -> Markup:
    """Return the hidden SVG shapes of which a page's cards are drawn; they precede its first card."""
    parts = parts_of((*PACK_52, UNKNOWN), SUITS, preferences.letters)
    return Markup(f'<svg class="hide" aria-hidden="true" focusable="false">{parts}</svg>')


def laid_card(card: str, preferences: Preferences, name: str = "") -> Markup:
    """Return a card that lies face up on the table as SVG.

    `name`: its label for screen readers; by default the name of the card.
    """
    suit = "back" if card == UNKNOWN else f"k{card[0]}"
    escaped = escape(name or card_name(card, preferences))
    return Markup(
        f'<svg class="card one {suit}" viewBox="{_VIEW_BOX}" role="img" aria-label="{escaped}">{card_body(card)}</svg>'
    )


_SUITS: Final = {SYMBOLS[suit]: suit for suit in SUITS}
_CARD: Final = re.compile(f"([{''.join(_SUITS)}])(10|[AKQJ2-9](?![0-9A-Za-z]))?|{re.escape(UNKNOWN)}")


def aria_text(text: str, lang: str, letters: Letters = "en") -> str:
    """Return the sentence for screen readers: cards and suits by name, adjacent cards separated by commas."""

    def card_in_words(match: re.Match[str]) -> str:
        if match[1] is None:
            return label(lang, "picture.unknown_card")
        suit, rank = _SUITS[match[1]], match[2]
        if rank is None:
            return suit_spoken(suit, lang, letters)
        return spoken(suit + ("T" if rank == "10" else rank), lang, letters)

    return _CARD.sub(card_in_words, _ADJACENT_CARDS.sub(lambda match: match[0].rstrip() + label(lang, "list"), text))


def with_aria_text(text: str, preferences: Preferences) -> Markup:
    """Return a sentence as HTML; if it has cards or suits, add a hidden version in words for screen readers."""
    visible, spoken_text = colour_suits(text, preferences), aria_text(text, preferences.lang, preferences.letters)
    if spoken_text == text:
        return visible
    return Markup('<span aria-hidden="true">{}</span><span class="hide">{}</span>').format(visible, spoken_text)


_ADJACENT_CARDS: Final = re.compile(rf"[{''.join(_SUITS)}](?:10|[AKQJ2-9])\s+(?=[{''.join(_SUITS)}](?:10|[AKQJ2-9]))")
"""A card followed by another card."""
