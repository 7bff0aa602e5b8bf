"""What Ombre and Quadrille share: the order of the cards and the privilege of the matadors (section 2 of either).

Everything is computed once per trump suit into bit masks, so that a rule is one `&`.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from ledger.cards import INDEX, PACK_52, SUITS, mask_of

PACK: Final = frozenset(card for card in PACK_52 if card[1] not in "T98")  # OMB-2.13, QUA-2.4
PACK_MASK: Final = mask_of(INDEX[card] for card in PACK)

SPADILLE: Final = INDEX["SA"]
BASTO: Final = INDEX["CA"]

_BLACK_RANKS = "KQJ765432"
_RED_RANKS = "KQJA234567"


class TrumpTable(Struct, frozen=True):
    """The pack under one trump suit; indexes are card numbers of `ledger.cards`.

    `order`: the trumps, high to low. `power`: what a card is worth in a trick to which it counts. `follows[led]`: the
    cards of the suit led. `binds[led]`: the cards that oblige their holder to follow, that is `follows` without the
    matadors that are exempt from this lead. `counts[led]`: the cards that can win a trick led so.
    """

    suit: str
    order: tuple[int, ...]
    trumps: int
    matadors: int
    power: tuple[int, ...]
    follows: tuple[int, ...]
    binds: tuple[int, ...]
    counts: tuple[int, ...]

    def playable(self, hand: int, led: int | None) -> int:
        """The cards of `hand` that may be played when `led` was led (OMB-6.3–6.13, QUA-6.3–6.9)."""
        if led is None or not hand & self.binds[led]:
            return hand
        return hand & self.follows[led]


def plain_order(suit: str) -> tuple[int, ...]:
    """A suit that is not trumps, high to low; black suits lack their ace (OMB-2.25, QUA-2.14)."""
    return tuple(INDEX[suit + rank] for rank in (_BLACK_RANKS if suit in "SC" else _RED_RANKS))


def trump_order(suit: str) -> tuple[int, ...]:
    """The trumps, high to low: Spadille, Manille, Basto, Punto of a red suit, then the rest (OMB-2.24, QUA-2.13)."""
    ranks = "2KQJ76543" if suit in "SC" else "7AKQJ23456"
    manille, *rest = (INDEX[suit + rank] for rank in ranks)
    return (SPADILLE, manille, BASTO, *rest)


def _trump_table(suit: str) -> TrumpTable:
    order = trump_order(suit)
    trumps = mask_of(order)
    matadors = mask_of(order[:3])
    power = [0] * len(PACK_52)
    follows = [0] * len(PACK_52)
    binds = [0] * len(PACK_52)
    for plain in SUITS:
        if plain == suit:
            continue
        cards = plain_order(plain)
        for height, card in enumerate(reversed(cards)):
            power[card] = height
            follows[card] = binds[card] = mask_of(cards)
    for place, card in enumerate(order):
        power[card] = 100 - place
        follows[card] = trumps
        # The matadors that need not serve this lead: all of them under a lesser trump (OMB-6.8), those above a led
        # matador (OMB-6.9); a hand without any other trump is free.
        exempt = order[:place] if place < 3 else order[:3]
        binds[card] = trumps & ~mask_of(exempt)
    return TrumpTable(
        suit=suit,
        order=order,
        trumps=trumps,
        matadors=matadors,
        power=tuple(power),
        follows=tuple(follows),
        binds=tuple(binds),
        counts=tuple(follows[card] | trumps for card in range(len(PACK_52))),
    )


TRUMP_TABLES: Final = {suit: _trump_table(suit) for suit in SUITS}
