"""The board of a match on bars: sides, STRIKE, CIRCLE, NEED and the draw mark (COU-7.7 to 7.26). Pure functions."""

from __future__ import annotations

from typing import Final, TypeAlias

Side: TypeAlias = tuple[int, ...]
"""The circles on each bar of a team, largest first: `(1, 0, 0)` is three bars, one of them circled (COU-7.7)."""

_DOUBLE: Final = 2


def need(side: Side) -> int:
    """How many wins a side still takes (COU-7.9)."""
    wins = len(side)
    for circles in side:
        wins += circles
    return wins


def struck(side: Side, strength: int) -> Side:
    """STRIKE: what a win of that strength leaves of the winner's side (COU-7.18 to 7.22)."""
    doubles, single = divmod(strength, _DOUBLE)
    for _ in range(doubles):
        if not side:
            return side  # COU-7.22: strength left over is lost
        first = side[0]
        if first >= _DOUBLE:
            side = _sorted((first - _DOUBLE, *side[1:]))  # COU-7.19
        elif first:
            side = side[1:]  # COU-7.20
        else:
            side = side[_DOUBLE:]  # COU-7.21
    if single and side:
        side = _less_one(side) if side[0] else side[1:]  # COU-7.18
    return side


def _less_one(side: Side) -> Side:
    """A circle less on a bar with the most: of bars alike, on the last, so that they stay in order."""
    most = side[0]
    last = side.count(most) - 1
    return (*side[:last], most - 1, *side[last + 1 :])


def circled(side: Side) -> Side:
    """CIRCLE: one circle more, on a bar with the fewest (COU-7.23, 7.24). A side without bars stays as it is."""
    if not side:
        return side
    fewest = side[-1]
    first = side.index(fewest)  # of bars alike, so that they stay in order
    return (*side[:first], fewest + 1, *side[first + 1 :])


def with_extra_bar(side: Side) -> Side:
    """CIRCLE where the makers' loss adds a bar instead (COU-7.25)."""
    return (*side, 0)


def _sorted(side: Side) -> Side:
    return tuple(sorted(side, reverse=True))
