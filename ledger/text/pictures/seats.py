"""Positions of seats, hands, tricks and stock on a table from above, 400 × 440, for two to eight seats; and the plates.

A plate has a name, the mark of the dealer and the tricks won. Long names are set smaller, then cut.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate
from math import ceil
from typing import Final, Literal, NamedTuple, TypeAlias
from unicodedata import category, combining, east_asian_width

from markupsafe import escape

from ledger.errors import NotFoundError
from ledger.text.catalogue import phrase
from ledger.text.pictures.cards import CARD_HEIGHT, CARD_WIDTH

Side: TypeAlias = Literal["left", "mid", "right"]

GAP: Final = 2.4
ROW_GAP: Final = 4.0


class Room(NamedTuple):
    """An area for cards: its upper left corner, its size, the largest scale of a card.

    `side`: the alignment of rows that do not fill it.
    """

    x: float
    y: float
    width: float
    height: float
    scale_max: float
    side: Side = "left"


class Place(NamedTuple):
    """The upper left corner of a card and its scale relative to 28 × 40."""

    x: float
    y: float
    scale: float

    @property
    def at(self) -> str:
        """The position as an SVG transformation."""
        return f"translate({self.x:g} {self.y:g})scale({self.scale:g})"

    def raised(self, rise: float) -> Place:
        """Return the place moved up by `rise`."""
        return Place(self.x, round(self.y - rise * self.scale, 2), self.scale)


@cache
def places_in(room: Room, count: int) -> tuple[Place, ...]:
    """Return the places of this many cards in their order, row by row."""
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
    """Return the scale at which the cards fit with so many per row, rounded down."""
    rows = ceil(count / per_row)
    wide = (room.width - (per_row - 1) * GAP) / (per_row * CARD_WIDTH)
    high = (room.height - (rows - 1) * ROW_GAP) / (rows * CARD_HEIGHT)
    return min(room.scale_max, int(wide * 100) / 100, int(high * 100) / 100)


def _left(room: Room, width: float) -> float:
    free = room.width - width
    return room.x + {"left": 0.0, "mid": free / 2, "right": free}[room.side]


WIDTH: Final = 400
HEIGHT: Final = 440
PLATE_HEIGHT: Final = 26


class Spot(NamedTuple):
    """The area of a seat: upper left corner and width of its plate, its hand, the middle of its played card."""

    plate_x: float
    plate_y: float
    plate_width: float
    hand: Room
    card_x: float
    card_y: float


class Layout(NamedTuple):
    """The layout of a table. `spots`: clockwise from the seat at the bottom.

    `stock_dealt`: the room of the stock before the first card is played; `stock_left`: from then on;
    `stock_small_hands`: from then on with hands of few cards. `trump`: middle and radius of the disc with the suit.
    `ring`: middle and half axes of the ring that shows the direction of play.
    """

    spots: tuple[Spot, ...]
    card_scale: float
    stock_dealt: Room
    stock_left: Room
    stock_small_hands: Room
    trump: tuple[float, float, float]
    ring: tuple[float, float, float, float]


_THREE: Final = Layout(
    spots=(
        Spot(115, 338, 170, Room(7, 376, 386, 59, 1.46, "mid"), 200, 266),
        Spot(6, 6, 170, Room(8, 40, 168, 104, 1.13, "left"), 144, 186),
        Spot(224, 6, 170, Room(224, 40, 168, 104, 1.13, "right"), 256, 186),
    ),
    card_scale=1.7,
    stock_dealt=Room(120, 156, 160, 132, 1, "mid"),
    stock_left=Room(8, 284, 100, 84, 1, "left"),
    stock_small_hands=Room(8, 284, 100, 84, 1, "left"),
    trump=(200, 25, 19),
    ring=(200, 212, 112, 92),
)

_FOUR: Final = Layout(
    spots=(
        Spot(115, 338, 170, Room(6, 376, 388, 59, 1.46, "mid"), 200, 284),
        Spot(6, 112, 110, Room(8, 150, 72, 216, 1.2, "left"), 138, 222),
        Spot(115, 6, 170, Room(111, 40, 178, 82, 1.2, "mid"), 200, 165),
        Spot(284, 112, 110, Room(320, 150, 72, 216, 1.2, "right"), 262, 222),
    ),
    card_scale=1.7,
    stock_dealt=Room(108, 262, 184, 72, 1, "mid"),
    stock_left=Room(228, 284, 90, 48, 1, "right"),
    stock_small_hands=Room(312, 374, 82, 60, 1, "right"),
    trump=(200, 227, 16),
    ring=(200, 222, 98, 96),
)

_SIX: Final = Layout(
    spots=(
        Spot(125, 338, 150, Room(92, 376, 216, 59, 1.46, "mid"), 200, 284),
        Spot(6, 226, 116, Room(8, 260, 112, 88, 1.13, "left"), 148, 256),
        Spot(6, 82, 116, Room(8, 116, 112, 88, 1.13, "left"), 148, 184),
        Spot(125, 6, 150, Room(122, 40, 156, 80, 1.13, "mid"), 200, 156),
        Spot(278, 82, 116, Room(280, 116, 112, 88, 1.13, "right"), 252, 184),
        Spot(278, 226, 116, Room(280, 260, 112, 88, 1.13, "right"), 252, 256),
    ),
    card_scale=1.25,
    stock_dealt=Room(130, 266, 140, 64, 1, "mid"),
    stock_left=Room(316, 376, 78, 58, 1, "right"),
    stock_small_hands=Room(316, 376, 78, 58, 1, "right"),
    trump=(200, 220, 19),
    ring=(200, 220, 86, 104),
)

_EIGHT: Final = Layout(
    spots=(
        Spot(144, 348, 112, Room(136, 384, 128, 50, 1.06, "mid"), 200, 294),
        Spot(6, 348, 112, Room(8, 384, 122, 50, 1, "left"), 144, 272),
        Spot(6, 170, 96, Room(8, 204, 64, 134, 1, "left"), 122, 218),
        Spot(6, 6, 112, Room(8, 40, 122, 84, 1, "left"), 144, 164),
        Spot(144, 6, 112, Room(136, 40, 128, 72, 1, "mid"), 200, 142),
        Spot(282, 6, 112, Room(270, 40, 122, 84, 1, "right"), 256, 164),
        Spot(298, 170, 96, Room(328, 204, 64, 134, 1, "right"), 278, 218),
        Spot(282, 348, 112, Room(270, 384, 122, 50, 1, "right"), 256, 272),
    ),
    card_scale=1.15,
    stock_dealt=Room(164, 184, 72, 14, 1, "mid"),
    stock_left=Room(164, 184, 72, 14, 1, "mid"),
    stock_small_hands=Room(164, 184, 72, 14, 1, "mid"),
    trump=(200, 220, 19),
    ring=(200, 218, 108, 106),
)

_PLACES_TAKEN: Final[Mapping[int, tuple[Layout, tuple[int, ...]]]] = {
    2: (_FOUR, (0, 2)),
    3: (_THREE, (0, 1, 2)),
    4: (_FOUR, (0, 1, 2, 3)),
    5: (_SIX, (0, 1, 2, 4, 5)),
    6: (_SIX, (0, 1, 2, 3, 4, 5)),
    7: (_EIGHT, (0, 1, 2, 3, 5, 6, 7)),
    8: (_EIGHT, (0, 1, 2, 3, 4, 5, 6, 7)),
}
"""By the number of seats, the layout and its occupied places."""


def layout_for(seats: int) -> Layout:
    """Return the layout for this many seats. Raise `NotFoundError` if they are too many."""
    if seats not in _PLACES_TAKEN:
        raise NotFoundError("not_found", phrase("picture.too_many_seats", count=seats, most=max(_PLACES_TAKEN)))
    layout, taken = _PLACES_TAKEN[seats]
    return layout._replace(spots=tuple(layout.spots[place] for place in taken))


def spots_by_seat(layout: Layout, below: int, goes_to_the_right: bool) -> Sequence[Spot]:
    """Return the spot of each seat, with `below` at the bottom."""
    seats = len(layout.spots)
    way = -1 if goes_to_the_right else 1
    return [layout.spots[(seat - below) * way % seats] for seat in range(seats)]


_NOT_IN_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_REPLACED: Final = "\N{REPLACEMENT CHARACTER}"


def marked_up(text: str) -> str:
    """Escape markup, and replace characters that XML forbids (XML 1.0, 2.2)."""
    return str(escape(_NOT_IN_XML.sub(_REPLACED, text)))


_SIZE: Final = 17.0
_SMALL: Final = 13.5
_MARGIN: Final = 8
_DISC: Final = 24
_TRICKS: Final = 22
_CUT: Final = "…"

_EM_NARROW: Final = 0.4
_EM_USUAL: Final = 0.65
_EM_CAPITAL: Final = 0.77
_EM_BROAD: Final = 1.0
"""Widths of letters in parts of their size, by DejaVu Sans Bold, the widest of the usual fonts."""


def plate_shape(spot: Spot, name: str, *, is_due: bool, dealer_mark: str, tricks: int) -> str:
    """Draw a seat's plate. `dealer_mark`: the text of the dealer's disc, empty for others; `tricks`: won so far, 0 is
    hidden.
    """
    x, y, width = spot.plate_x, spot.plate_y, spot.plate_width
    right = x + width - _MARGIN
    parts = [f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{PLATE_HEIGHT}" rx="3"/>']
    if tricks:
        parts.append(f'<text class="won" x="{right:g}" y="{y + 19:g}">{tricks}</text>')
        right -= _TRICKS
    if dealer_mark:
        middle = right - 9
        parts.append(f'<circle cx="{middle:g}" cy="{y + 13:g}" r="10"/>')
        parts.append(f'<text class="dealer" x="{middle:g}" y="{y + 17.5:g}">{marked_up(dealer_mark)}</text>')
        right -= _DISC
    shown, is_small = shown_name(name, right - x - _MARGIN)
    size = ' class="long"' if is_small else ""
    parts.append(f'<text{size} x="{x + _MARGIN:g}" y="{y + 19:g}">{marked_up(shown)}</text>')
    return f'<g class="plate{" turn" if is_due else ""}">{"".join(parts)}</g>'


@cache
def shown_name(name: str, room: float) -> tuple[str, bool]:
    """Return the part of a name that fits into this many units, and whether it is in small letters."""
    width = sum(map(_em, name))
    if width * _SIZE <= room:
        return name, False
    if width * _SMALL <= room:
        return name, True
    letters = _letters(name)
    ends = [*accumulate(sum(map(_em, letter)) for letter in letters)]
    beginning = "".join(letters[: bisect_right(ends, room / _SMALL - _EM_BROAD)])
    return beginning.rstrip() + _CUT, True


def _letters(name: str) -> list[str]:
    """Return the characters of a name, each with its combining marks."""
    letters: list[str] = []
    for sign in name:
        if letters and _joins(sign):
            letters[-1] += sign
        else:
            letters.append(sign)
    return letters


def _joins(sign: str) -> bool:
    return bool(combining(sign)) or category(sign) in ("Mn", "Me", "Mc", "Cf")


@cache
def _em(sign: str) -> float:
    if _joins(sign):
        return 0.0
    if east_asian_width(sign) in "WF" or sign in "MWmw@%&—":
        return _EM_BROAD
    if sign in "iljtfrI.,:;'’!|() -":
        return _EM_NARROW
    return _EM_CAPITAL if sign.isupper() else _EM_USUAL
