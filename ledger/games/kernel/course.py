"""How play goes round in a game, and how its rulebook numbers what every trick-taking game forbids."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from mypy_extensions import mypyc_attr

from ledger.games.kernel.irregularities import FindsViolations


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


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, kw_only=True)
class Rules:
    """How a rulebook numbers what every trick-taking game forbids, and what makes a finding of an irregularity's name.

    `first_lead`, `lead`: who leads to the first trick, to the next ones. `turn`: who plays when. `hold`: only cards
    that one holds. `follow`: following suit. `end`: how many tricks there are. `gather`: who takes a trick in.
    """

    violation: FindsViolations
    first_lead: str
    lead: str
    turn: str
    hold: str
    follow: str
    end: str
    gather: str
