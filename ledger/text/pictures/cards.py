"""Cards, suits, ranks and backs as own shapes, so that no font decides how a card looks.

Everything is drawn on a card of 28 × 40. A rank is a stroke, a suit an area of 100 × 100 that is scaled to its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from ledger.cards import RANKS, SUITS, UNKNOWN
from ledger.text.letters import Letters, rank_face

CARD_WIDTH: Final = 28
CARD_HEIGHT: Final = 40

SUIT_SHAPES: Final[Mapping[str, str]] = {
    "S": (
        "M50 3C61 26 95 41 95 65c0 13-10 21-21 21-8 0-15-4-19-11 1 9 5 16 12 22H33c7-6 11-13 12-22-4 7-11 11-19 11"
        "C15 86 5 78 5 65 5 41 39 26 50 3Z"
    ),
    "H": "M50 95C38 76 4 57 4 32 4 17 15 7 28 7c10 0 18 6 22 15C54 13 62 7 72 7c13 0 24 10 24 25 0 25-34 44-46 63Z",
    "D": "M50 2c9 19 23 36 38 48-15 12-29 29-38 48C41 79 27 62 12 50 27 38 41 21 50 2Z",
    "C": (
        "M50 3a22 22 0 0 1 19 33 22 22 0 1 1-13 37c1 10 4 18 11 24H33c7-6 10-14 11-24a22 22 0 1 1-13-37"
        "A22 22 0 0 1 50 3Z"
    ),
}

SPANISH_SUITS: Final[Mapping[str, str]] = {
    "S": "M50 2 60 16V64H82V74H57V88a9 9 0 1 1-14 0V74H18V64H40V16Z",
    "H": "M14 6H86C86 36 76 54 57 58V78C70 80 78 86 78 96H22C22 86 30 80 43 78V58C24 54 14 36 14 6Z",
    "D": (
        "M50 4a46 46 0 1 0 0 92a46 46 0 1 0 0-92ZM50 18a32 32 0 1 1 0 64a32 32 0 1 1 0-64Z"
        "M50 32a18 18 0 1 0 0 36a18 18 0 1 0 0-36Z"
    ),
    "C": "M66 4C80 2 94 12 96 26 97 36 90 41 82 44L34 92C28 98 18 98 10 92 4 86 2 76 8 68L56 20C57 12 58 6 66 4Z",
}
"""Swords, cups, coins and clubs, by the suits that they are recorded as (OMB-2.14)."""

RANK_SHAPES: Final[Mapping[str, str]] = {
    "C": "M19.2 7.4C18 5.8 16.2 5 14.2 5 10.8 5 8.6 7.6 8.6 11.25s2.2 6.25 5.6 6.25c2 0 3.8-.8 5-2.4",
    "S": "M18.4 6.6C17.4 5.6 15.8 5 14 5c-2.6 0-4.4 1.2-4.4 3 0 4.2 9 2 9 6.3 0 2-1.9 3.2-4.6 3.2-2 0-3.8-.7-4.8-1.9",
    "R": "M9.4 17.5V5h4.8c3 0 4.7 1.3 4.7 3.6s-1.7 3.6-4.7 3.6H9.4M14.4 12.2l4.8 5.3",
    "D": "M9 17.5V5h3.6c4.2 0 6.8 2.3 6.8 6.25s-2.6 6.25-6.8 6.25Z",
    "V": "M8.2 5 14 17.5 19.8 5",
    "H": "M9 5v12.5M19 5v12.5M9 11h10",
    "B": "M9.6 17.5V5h4.6c2.7 0 4.2 1 4.2 2.9s-1.5 2.9-4.2 2.9H9.6M14.2 10.8c3.2 0 5 1.1 5 3.3s-1.8 3.4-5 3.4H9.6",
    "W": "M6 5l3.6 12.5L14 6.8l4.4 10.7L22 5",
    "A": "M8.2 17.5 14 5l5.8 12.5M10.3 13.3h7.4",
    "K": "M9.5 5v12.5M19 5l-9.2 7.4M13.2 9.9l6.1 7.6",
    "Q": "M14 5c-4.2 0-6 3-6 6.2s1.8 6.3 6 6.3 6-3 6-6.3S18.2 5 14 5ZM14.9 13.8l4.8 5.2",
    "J": "M17.6 5v8.5c0 2.6-1.5 4-3.9 4s-4-1.5-4.2-4.1",
    "T": "M5.6 7.4 9 5v12.5M18.5 5c-3 0-4.2 3-4.2 6.2s1.2 6.3 4.2 6.3 4.2-3 4.2-6.3S21.5 5 18.5 5Z",
    "9": (
        "M9.8 16.3c1 .8 2.2 1.2 3.4 1.2 3.8 0 5.8-3.7 5.8-7.9C19 6.7 17 5 14 5S9 6.7 9 9.2"
        "s1.8 3.9 4.6 3.9 5-1.6 5.4-3.9"
    ),
    "8": (
        "M14 10.7c-2.4 0-4.1-1-4.1-2.9S11.6 5 14 5s4.1 1 4.1 2.8-1.7 2.9-4.1 2.9c-3 0-5 1.2-5 3.4"
        "s2 3.4 5 3.4 5-1.2 5-3.4-2-3.4-5-3.4Z"
    ),
    "7": "M9 5h10l-6.4 12.5",
    "6": (
        "M18.2 6.2c-1-.8-2.2-1.2-3.4-1.2C11 5 9 8.7 9 12.9c0 2.9 2 4.6 5 4.6s5-1.7 5-4.2-1.8-3.9-4.6-3.9-5 1.6-5.4 3.9"
    ),
    "5": "M18.2 5h-7.8l-.6 5.7c1.2-.8 2.6-1.2 4-1.2 3.2 0 5.2 1.5 5.2 3.9s-2 4.1-5.2 4.1c-1.8 0-3.4-.5-4.6-1.5",
    "4": "M16.6 17.5V5l-8 8.7h11.2",
    "3": (
        "M9.4 6.2c1.2-.8 2.6-1.2 4.2-1.2 2.8 0 4.7 1 4.7 3s-1.9 2.9-4.9 2.9c3.4 0 5.6 1.1 5.6 3.3"
        "s-2.2 3.3-5.2 3.3c-1.8 0-3.4-.4-4.8-1.3"
    ),
    "2": "M9.2 8.5C9.5 6.2 11.3 5 13.9 5c2.8 0 4.7 1.3 4.7 3.5 0 2.1-1.6 3.3-4 4.9-2.4 1.5-4.8 2.4-5.4 4.1h10",
}

LATTICE: Final = (
    "M3 12 25 34M3 23l14 14M3 34l3 3M8 3l17 17M19 3l6 6M25 12 3 34M25 23 11 37M25 34l-3 3M20 3 3 20M9 3 3 9"
    "M5 2.5h18A2.5 2.5 0 0 1 25.5 5v30a2.5 2.5 0 0 1-2.5 2.5H5A2.5 2.5 0 0 1 2.5 35V5A2.5 2.5 0 0 1 5 2.5Z"
)
"""The back of a card."""


_PAPER: Final = f'<rect width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="3"/>'
_RING_AROUND: Final = 3
_BADGE: Final = '<g class="badge"><circle cx="28" cy="0" r="7"/><path d="M28-3.6v3.8M28 3.6v.1"/></g>'


def card_shape(card: str, at: str, *, is_last: bool = False, took: bool = False, is_judged: bool = False) -> str:
    """Draw a card; `at` moves and scales it. `is_last`: played in this step; `took`: won the trick; `is_judged`: has a
    finding.
    """
    under = '<path class="under" d="M1 44.5h26"/>' if took else ""
    ring = _ring("last") if is_last else ""
    badge = _BADGE if is_judged else ""
    kind = "back" if card == UNKNOWN else f"k{card[0]}"
    return f'<g class="card {kind}" transform="{at}">{card_body(card)}{under}{ring}{badge}</g>'


def lamp_shape(at: str) -> str:
    """Draw the light beneath a card that may be played."""
    return f'<g transform="{at}">{_ring("may")}</g>'


@cache
def _ring(kind: str) -> str:
    out = _RING_AROUND
    width, height = CARD_WIDTH + 2 * out, CARD_HEIGHT + 2 * out
    return f'<rect class="{kind}" x="{-out}" y="{-out}" width="{width}" height="{height}" rx="5"/>'


def suit_shape(suit: str, x: float, y: float, size: float) -> str:
    """Draw a suit in a square."""
    return f'<use class="k{suit}" href="#{suit}" x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}"/>'


def parts_of(cards: Iterable[str], suits: Iterable[str], letters: Letters = "en") -> str:
    """Return the shapes that these cards and suits refer to, always in the same order.

    Suits and ranks have their recorded names in every pack; only these parts differ.
    """
    shown = set(cards)
    used = {card[0] for card in shown} | set(suits)
    ranks = {card[1] for card in shown}
    shapes = SPANISH_SUITS if letters == "es" else SUIT_SHAPES
    parts = [
        f'<symbol id="{suit}" viewBox="0 0 100 100"><path d="{shapes[suit]}"/></symbol>'
        for suit in SUITS
        if suit in used
    ]
    for rank in filter(ranks.__contains__, RANKS):
        drawn = "T" if rank == "T" else rank_face(rank, letters)
        parts.append(f'<path id="r{rank}" class="rank" d="{RANK_SHAPES[drawn]}"/>')
    if UNKNOWN in shown:
        parts.append(f'<path id="back" class="lattice" d="{LATTICE}"/>')
    return f"<defs>{''.join(parts)}</defs>"


@cache
def card_body(card: str) -> str:
    """Return the content of a card, from shared parts."""
    if card == UNKNOWN:
        return f'{_PAPER}<use href="#back"/>'
    return f'{_PAPER}<use href="#r{card[1]}"/><use href="#{card[0]}" x="6.5" y="22.5" width="15" height="15"/>'
