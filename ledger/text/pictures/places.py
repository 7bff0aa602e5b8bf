"""Where cards lie in the room that is kept for them: as large as fits, in as few rows as that allows."""

from __future__ import annotations

from functools import cache
from math import ceil
from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.text.pictures.shapes import CARD_HEIGHT, CARD_WIDTH

Side: TypeAlias = Literal["left", "mid", "right"]

GAP: Final = 2.4
ROW_GAP: Final = 4.0


class Room(NamedTuple):
    """A part of the picture that is kept for cards: its upper left corner, its size, the largest scale of a card.

    `side`: to which side rows are moved that do not fill it.
    """

    x: float
    y: float
    width: float
    height: float
    scale_max: float
    side: Side = "left"


class Place(NamedTuple):
    """The upper left corner of a card and how much larger it is than 28 × 40."""

    x: float
    y: float
    scale: float

    @property
    def at(self) -> str:
        return f"translate({self.x:g} {self.y:g})scale({self.scale:g})"

    def raised(self, rise: float) -> Place:
        return Place(self.x, round(self.y - rise * self.scale, 2), self.scale)


@cache
def places_in(room: Room, count: int) -> tuple[Place, ...]:
    """The places of so many cards in their order, row by row."""
    if not count:
        return ()
    scale, per_row = max((_scale_of(room, count, per_row), per_row) for per_row in range(1, count + 1))
    rows = [min(per_row, count - first) for first in range(0, count, per_row)]
    step, row_step = CARD_WIDTH * scale + GAP, CARD_HEIGHT * scale + ROW_GAP
    return tuple(
        Place(round(_left(room, in_row * step - GAP) + place * step, 2), round(room.y + row * row_step, 2), scale)
        for row, in_row in enumerate(rows)
        for place in range(in_row)
    )


def _scale_of(room: Room, count: int, per_row: int) -> float:
    """The scale at which so many cards fit, so many a row; rounded down, so that they do."""
    rows = ceil(count / per_row)
    wide = (room.width - (per_row - 1) * GAP) / (per_row * CARD_WIDTH)
    high = (room.height - (rows - 1) * ROW_GAP) / (rows * CARD_HEIGHT)
    return min(room.scale_max, int(wide * 100) / 100, int(high * 100) / 100)


def _left(room: Room, width: float) -> float:
    free = room.width - width
    return room.x + {"left": 0.0, "mid": free / 2, "right": free}[room.side]
