"""What follows a lead, what beats what, and how play goes round: tables computed once, so that a rule is one `&`.

The tables are no Structs: compiled code reads the fields of its own classes at once, those of a Struct by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

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


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True)
class Course:
    """How play goes round: `order`, the seats from the first leader on, `next_of` each seat, and how many tricks.

    `halts[n]`: after n tricks, the number of tricks at which something besides a next trick is due: the end, or what
    the rulebook puts between two tricks.
    """

    order: tuple[int, ...]
    next_of: tuple[int, ...]
    length: int
    halts: tuple[int, ...]


@cache
def course_of(order: tuple[int, ...], length: int, *pauses: int) -> Course:
    """The course of `length` tricks by these seats; `pauses`: after which tricks something is due."""
    next_of = [0] * (max(order) + 1)
    for place, seat in enumerate(order):
        next_of[seat] = order[(place + 1) % len(order)]
    halts = tuple(min(pause for pause in (*pauses, length) if pause > done) for done in range(length))
    return Course(order, tuple(next_of), length, halts)
