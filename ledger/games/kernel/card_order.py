"""The order of cards and seats in play, as tables computed once, so that a rule is one `&`.

The tables are no Structs: compiled code reads fields of its own classes directly, those of a Struct by name.
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
    """A pack under one trump suit as bit masks; indexes are the card numbers of `ledger.cards`.

    `follows[led]`: the cards of the suit led. `serves[led]`: the cards that may be played whatever else is held, i.e.
    `follows`, and the trumps where a player may always trump. `binds[led]`: the cards that oblige their holder to
    serve, i.e. `follows` without exempt cards. `beaten_by[card]`: the cards that beat it.
    """

    trumps: int
    follows: tuple[int, ...]
    serves: tuple[int, ...]
    binds: tuple[int, ...]
    beaten_by: tuple[int, ...]

    def playable(self, hand: int, led: int | None) -> int:
        """Return the cards of `hand` that may be played when `led` was led, or when leading (None)."""
        if led is None or not hand & self.binds[led]:
            return hand
        return hand & self.serves[led]


def ranked(trumps: Sequence[int], plain: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the tables `follows` and `beaten_by` for these suits, each listed from its highest card down.

    The trumps are one suit and beat all others.
    """
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
    """The order of play: `order`, the seats from the first leader on; `next_of` each seat; `length`, in tricks.

    `halts[n]`: after n tricks, the number of tricks at which something other than the next trick is due: the end, or
    what the rulebook puts between two tricks.
    """

    order: tuple[int, ...]
    next_of: tuple[int, ...]
    length: int
    halts: tuple[int, ...]


@cache
def course_of(order: tuple[int, ...], length: int, *pauses: int) -> Course:
    """Return the course of `length` tricks by these seats. After `pauses` tricks, something else is due."""
    next_of = [0] * (max(order) + 1)
    for place, seat in enumerate(order):
        next_of[seat] = order[(place + 1) % len(order)]
    halts = tuple(min(pause for pause in (*pauses, length) if pause > done) for done in range(length))
    return Course(order, tuple(next_of), length, halts)
