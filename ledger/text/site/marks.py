"""Marks in running text: cards and suits in their colours, with the letters that the reader knows."""

from __future__ import annotations

import re
from typing import Final

from markupsafe import Markup, escape

from ledger.cards import SYMBOLS
from ledger.text.cards import card_text
from ledger.text.letters import lettered
from ledger.text.site.look import Look

_CODE: Final = re.compile("`([^`]+)`")
_AS_TEXT: Final = "\ufe0e"
"""Keeps a suit from being drawn as an emoji."""


def suited(text: str, look: Look) -> Markup:
    """A sentence, escaped, each card and suit in it marked by its colour: `♠K` as a span of class `t-S`."""
    return Markup(lettered(str(escape(text)), look.letters, look.lang, _coloured))


def _coloured(suit: str, shown: str) -> str:
    sign = SYMBOLS[suit]
    return f'<span class="t-{suit}">{shown.replace(sign, sign + _AS_TEXT)}</span>'


def coded(text: str) -> Markup:
    """A sentence, escaped, with the words of programs that it has in backticks marked as such."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


def card_mark(card: str, look: Look) -> Markup:
    """One card of the record, `ST`, as it stands in a sentence; one that is not known stays `??`."""
    return suited(card_text(card), look)
