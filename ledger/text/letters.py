"""The letters on cards: ace, king, queen and jack as the packs of a country have them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from ledger.cards import SYMBOLS

Letters: TypeAlias = Literal["en", "fr", "nl", "de", "pl"]

LETTERS: Final[Mapping[Letters, Mapping[str, str]]] = {
    "en": {"A": "A", "K": "K", "Q": "Q", "J": "J"},
    "fr": {"A": "A", "K": "R", "Q": "D", "J": "V"},
    "nl": {"A": "A", "K": "H", "Q": "V", "J": "B"},
    "de": {"A": "A", "K": "K", "Q": "D", "J": "B"},
    "pl": {"A": "A", "K": "K", "Q": "D", "J": "W"},
}
"""What stands on them, by the rank of the record."""

CARD: Final = re.compile(f"([{''.join(SYMBOLS.values())}])\ufe0e?(10|[AKQJ2-9](?![0-9A-Za-z]))?")
"""A card or a suit in a sentence: its sign and, where there is one, its rank."""


def rank_face(rank: str, letters: Letters = "en") -> str:
    """What stands on a card of this rank of the record: `T` is 10."""
    return "10" if rank == "T" else LETTERS[letters].get(rank, rank)


def lettered(text: str, letters: Letters) -> str:
    """A sentence with these letters on its cards: `♠K` is `♠R` where they are French."""
    return text if letters == "en" else CARD.sub(lambda found: found[1] + rank_face(found[2] or "", letters), text)
