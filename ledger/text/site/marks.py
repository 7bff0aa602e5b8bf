"""Marks in running text: cards and suits in their colours, with the letters that the reader knows."""

from __future__ import annotations

import re
from typing import Final

from markupsafe import Markup, escape

from ledger.cards import SYMBOLS
from ledger.text.letters import CARD
from ledger.text.site.look import Look

_SUITS: Final = {sign: suit for suit, sign in SYMBOLS.items()}
_CODE: Final = re.compile("`([^`]+)`")
_AS_TEXT: Final = "\ufe0e"
"""Keeps a suit from being drawn as an emoji."""


def suited(text: str, look: Look) -> Markup:
    """A sentence, escaped, each card and suit in it marked by its colour: `♠K` as a span of class `t-S`."""

    def marked(found: re.Match[str]) -> str:
        sign, rank = found[1], found[2] or ""
        return f'<span class="t-{_SUITS[sign]}">{sign}{_AS_TEXT}{look.rank(rank)}</span>'

    return Markup(CARD.sub(marked, str(escape(text))))


def coded(text: str) -> Markup:
    """A sentence, escaped, with the words of programs that it has in backticks marked as such."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


def card_mark(card: str, look: Look) -> Markup:
    """One card of the record, `ST`, as it stands in a sentence; one that is not known stays `??`."""
    if card[0] not in SYMBOLS:
        return escape(card)
    return Markup(f'<span class="t-{card[0]}">{SYMBOLS[card[0]]}{_AS_TEXT}{look.rank(card[1])}</span>')
