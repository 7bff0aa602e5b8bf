"""What follows a lead and what beats what, under one trump suit: tables computed once, so that a rule is one `&`.

The tables are no Structs: compiled code reads the fields of its own classes at once, those of a Struct by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mypy_extensions import mypyc_attr

from ledger.cards import PACK_52, mask_of


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, kw_only=True)
class TrumpTable:
    """A pack under one trump suit, as bit masks; indexes are card numbers of `ledger.cards`.

    `follows[led]`: the cards of the suit led. `serves[led]`: the cards that are in order whatever else is held, that is
    `follows`, and the trumps where one may always trump. `binds[led]`: the cards that oblige their holder to serve,
    that is `follows` without those that are exempt. `beaten_by[card]`: the cards that win over it.
    """

    trumps: int
    follows: tuple[int, ...]
    serves: tuple[int, ...]
    binds: tuple[int, ...]
    beaten_by: tuple[int, ...]

    def playable(self, hand: int, led: int | None) -> int:
        """The cards of `hand` that may be played when `led` was led; None: nothing was."""
        if led is None or not hand & self.binds[led]:
            return hand
        return hand & self.serves[led]


def ranked(trumps: Sequence[int], plain: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """`follows` and `beaten_by` of these suits, each high to low; the trumps are one suit and beat all others."""
    follows = [0] * len(PACK_52)
    beaten_by = [0] * len(PACK_52)
    for cards, above in ((trumps, 0), *((suit, mask_of(trumps)) for suit in plain)):
        for place, card in enumerate(cards):
            follows[card] = mask_of(cards)
            beaten_by[card] = above | mask_of(cards[:place])
    return tuple(follows), tuple(beaten_by)
