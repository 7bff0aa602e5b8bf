"""Couillon's cards: packs, card points, and which beats which with and without a Mit' (COU sections 2.3 to 2.5)."""

from __future__ import annotations

from typing import Final

from ledger.cards import BIT, INDEX, PACK_52, SUITS, cards_in, mask_of_known

PLAIN_ORDER: Final = "AKQJT987"  # COU-2.17
PACK_24: Final = mask_of_known(suit + rank for suit in SUITS for rank in PLAIN_ORDER[:6])  # COU-2.11
PACK_32: Final = mask_of_known(suit + rank for suit in SUITS for rank in PLAIN_ORDER)  # COU-2.12
MIT_CARD: Final = BIT["SQ"]
ALL_POINTS: Final = 40  # COU-2.16

_RANK_POINTS: Final = {"A": 4, "K": 3, "Q": 2, "J": 1}  # COU-2.14; never depends on trumps (COU-2.15)
POINTS: Final = tuple(_RANK_POINTS.get(card[1], 0) for card in PACK_52)

_TRUMP: Final = 32
"""What lifts a trump over every plain card (COU-2.23)."""


def points_in(mask: int) -> int:
    """The card points of a set of cards."""
    return sum(POINTS[card] for card in cards_in(mask))


class TrumpTable:
    """Everything that follows from the trump suit, and from whether a Mit' stands; computed once.

    `trumps`: mask. `follows[c]`: the cards of the effective suit of card c (COU-2.22). `power[c]`: of two cards of the
    suit led, or two trumps, the greater wins; the powers of all cards but SQ are the same with and without a Mit'.
    """

    __slots__ = ("follows", "power", "trumps")

    def __init__(self, trump: str | None, has_mit: bool) -> None:
        of_suit = {suit: mask_of_known(suit + rank for rank in PLAIN_ORDER) for suit in SUITS}
        if trump is not None and has_mit:
            of_suit["S"] &= ~MIT_CARD
            of_suit[trump] |= MIT_CARD  # COU-2.20, 2.21
        self.trumps = 0 if trump is None else of_suit[trump]
        follows = [0] * len(PACK_52)
        power = [0] * len(PACK_52)
        for mask in of_suit.values():
            for card in cards_in(mask):
                follows[card] = mask
                power[card] = 2 * (len(PLAIN_ORDER) - PLAIN_ORDER.index(PACK_52[card][1]))
                power[card] += _TRUMP if mask == self.trumps else 0
        if trump is not None and has_mit:
            power[INDEX["SQ"]] = power[INDEX[trump + "A"]] - 1  # COU-2.19
        self.follows = tuple(follows)
        self.power = tuple(power)

    def playable(self, hand: int, led: int) -> int:
        """What a known hand may play to this card led (COU-6.5 to 6.9)."""
        of_suit = hand & self.follows[led]
        if not of_suit:
            return hand  # COU-6.7
        return of_suit | hand & self.trumps  # COU-6.5, 6.6


TRUMP_TABLES: Final = {(suit, has_mit): TrumpTable(suit, has_mit) for suit in SUITS for has_mit in (False, True)}
NO_TRUMPS: Final = TrumpTable(None, False)
"""Stands where no suit was ever made trumps (COU-11.21)."""
