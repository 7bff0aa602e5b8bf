"""Draw the plate of a seat: name, dealer, tricks won. Long names are set smaller, then cut."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final
from unicodedata import category, combining, east_asian_width

from markupsafe import escape

from ledger.text.pictures.seats import PLATE_HEIGHT, Spot

_NOT_IN_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_REPLACED: Final = "\N{REPLACEMENT CHARACTER}"


def marked_up(text: str) -> str:
    """The text with its special signs escaped, and those that no XML may hold (XML 1.0, 2.2) replaced."""
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
"""How wide a letter is set, in parts of its size: as DejaVu Sans Bold has them, the widest of the usual fonts."""


def plate_shape(spot: Spot, name: str, *, is_due: bool, dealer_mark: str, tricks: int) -> str:
    """`dealer_mark`: what the disc of the dealer says, empty for others; `tricks`: won so far, none is not said."""
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
    """What of a name fits into so many units, and whether in small letters."""
    width = sum(map(_em, name))
    if width * _SIZE <= room:
        return name, False
    if width * _SMALL <= room:
        return name, True
    left, kept = room / _SMALL - _EM_BROAD, ""
    for letter in _letters(name):
        left -= sum(map(_em, letter))
        if left < 0:
            break
        kept += letter
    return kept.rstrip() + _CUT, True


def _letters(name: str) -> Iterator[str]:
    """The signs of a name, each with what combines with it."""
    letter = ""
    for sign in name:
        if letter and not _joins(sign):
            yield letter
            letter = ""
        letter += sign
    if letter:
        yield letter


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
