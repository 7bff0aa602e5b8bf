"""The signs that are typed: where a word ends, what a card looks like, and cards one behind the other."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from ledger.cards import UNKNOWN
from ledger.games.kernel.protocol import Game
from ledger.i18n.keyboard import spelt
from ledger.recording.hand.deal import read_card

BETWEEN: Final = " \t,;·|、，　"
CARD: Final = re.compile(r"(?:[shdc]|[♠♥♦♣♤♡♢♧]\ufe0f?)(?:10|[akqjt2-9])")
RANK_FIRST: Final = re.compile(r"(?:10|[akqjt2-9])[shdc♠♥♦♣♤♡♢♧]")
UNKNOWN_SIGNS: Final = ("??", "?")


def first_word(text: str) -> tuple[str, str]:
    """The first word as it is compared, and the rest as it stands."""
    found = re.match(rf"[^{BETWEEN}>]*", text)
    assert found is not None
    return spelt(found[0]).replace("\ufe0f", ""), text[found.end() :]


def cards_in_text(text: str, game: Game) -> tuple[str, ...]:
    """Cards with or without blanks between; raises `MalformedError` naming the first word that is none."""
    cards: list[str] = []
    for word in re.split(f"[{BETWEEN}]+", unicodedata.normalize("NFKC", text).casefold()):
        left = word
        while left:
            sign = next((sign for sign in UNKNOWN_SIGNS if left.startswith(sign)), None)
            found = CARD.match(left)
            part = sign or (found[0] if found is not None else left)
            cards.append(UNKNOWN if sign else read_card(part, game))
            left = left[len(part) :]
    return tuple(cards)
