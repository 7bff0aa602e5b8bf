"""How play goes round in a game: seats in order, and how many tricks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from mypy_extensions import mypyc_attr


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
