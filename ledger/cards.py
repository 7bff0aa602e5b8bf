"""Suits, ranks and cards, parsed leniently and written strictly; values of cards belong to the games.

A card is written suit then rank (`SA`, `HT`). Inside the games a card is a small integer, its index in `PACK_52`, so
that a set of cards is a bit mask.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, Literal, TypeAlias, TypeVar

from mypy_extensions import i64

from ledger.errors import MalformedError
from ledger.i18n import phrases
from ledger.i18n.normalisation import narrow, spelt, ways_to_write

Value = TypeVar("Value")

Pack: TypeAlias = Literal["french", "spanish"]
"""The appearance of a table's cards; they are always recorded with the letters of the French pack."""

_PACKAGE: Final = "ledger.i18n"
_phrase: Final = phrases("ledger.i18n")

SUITS: Final = "SHDC"
"""The order of suits on keys and buttons, in forms and in lists."""
RANKS: Final = "AKQJT98765432"
PACK_52: Final[tuple[str, ...]] = tuple(suit + rank for suit in SUITS for rank in RANKS)
INDEX: Final[dict[str, int]] = {card: index for index, card in enumerate(PACK_52)}
BIT: Final[dict[str, int]] = {card: 1 << index for card, index in INDEX.items()}
UNKNOWN: Final = "??"
"""The notation of an unknown card."""

SYMBOLS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_BIT_OF: Final = BIT.get
_PLACES: Final[dict[object, int]] = {value: place for place, value in enumerate((*SUITS, *PACK_52))}

_SUIT_SIGNS: Final = {
    **{suit: suit for suit in SUITS},
    **dict(zip("♠♥♦♣", SUITS, strict=True)),
    **dict(zip("♤♡♢♧", SUITS, strict=True)),
}
_RANK_SIGNS: Final = {**{rank: rank for rank in RANKS}, "10": "T"}
_READINGS: Final = {
    reading: suit + rank
    for sign, suit in _SUIT_SIGNS.items()
    for text, rank in _RANK_SIGNS.items()
    for reading in (sign + text, text + sign)
}


def parse_card(text: str) -> str:
    """Parse a card as people type it: `s10`, `10♠`, `♠T`, `AS`, `sa`, `ＳＡ` and `スペードのA` are all accepted.

    Raise `MalformedError` naming the text if it is not a card.
    """
    card = _READINGS.get(text) or _READINGS.get(_sign(text))
    if card is None:
        card = _readings_in_words().get(spelt(_sign(text)))
    if card is None:
        raise MalformedError(_phrase("value.no_card"), _phrase("value.card"), text)
    return card


def parse_card_or_unknown(text: str) -> str:
    """Parse a card as `parse_card`, or `??` for an unknown one."""
    if text in INDEX:
        return text
    return UNKNOWN if text == UNKNOWN or narrow(text).strip() == UNKNOWN else parse_card(text)


def parse_suit(text: str) -> str:
    """Parse a suit, e.g. `S`, `♠`, `spades` or `スペード`; raise `MalformedError` naming the text if it is none."""
    sign = _sign(text)
    suit = _SUIT_SIGNS.get(sign) or _suits_in_words().get(spelt(sign))
    if suit is None:
        raise MalformedError(_phrase("value.no_suit"), _phrase("value.suit"), text)
    return suit


def _sign(text: str) -> str:
    """Return the text in capitals and normal width, without variation selectors."""
    return narrow(text).strip().upper().replace("\ufe0f", "").replace("\ufe0e", "")


@cache
def _suits_in_words() -> dict[str, str]:
    return {word: suit for suit in SUITS for word in ways_to_write(_PACKAGE, f"suit.{suit}")}


@cache
def _readings_in_words() -> dict[str, str]:
    """Return the cards by their spellings with the suit, the rank or both as a word of a language."""
    suits = [*_SUIT_SIGNS.items(), *_suits_in_words().items()]
    ranks = [
        *_RANK_SIGNS.items(),
        *[(word, rank) for rank in "AKQJ" for word in ways_to_write(_PACKAGE, f"rank.{rank}")],
    ]
    return {
        spelt(reading): suit + rank
        for sign, suit in suits
        for text, rank in ranks
        for between in ways_to_write(_PACKAGE, "rank.of")
        for reading in (sign + between + text, text + sign)
    }


def in_order(values: Iterable[Value]) -> list[Value]:
    """Return suits or cards in display order: by suits, high cards first, anything else last."""
    return sorted(values, key=_place)


def _place(value: object) -> int:
    return _PLACES.get(value, len(_PLACES))


def mask_of(cards: Iterable[int]) -> int:
    """Return the bit mask of these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def mask_of_known(texts: Iterable[str]) -> int:
    """Return the bit mask of these written cards without `??`."""
    mask = 0
    for bit in map(_BIT_OF, texts):
        if bit is not None:
            mask |= bit
    return mask


def mask_of_distinct(texts: tuple[str, ...]) -> int:
    """Return the bit mask of these written cards; raise `KeyError` if one is `??` or occurs twice."""
    mask: i64 = 0
    for text in texts:
        bit: i64 = BIT[text]
        if mask & bit:
            raise KeyError(text)
        mask |= bit
    return mask


def cards_in(mask: int) -> Iterator[int]:
    """Yield the cards of a bit mask in the order of `PACK_52`."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def texts_in(mask: int) -> list[str]:
    """Return the written cards of a bit mask in the order of `PACK_52`."""
    return [PACK_52[card] for card in cards_in(mask)]
