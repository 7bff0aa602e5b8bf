"""The table from above as one SVG of 400 × 440: the same text for the same moment, without scripts or external
files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from importlib.resources import files
from math import copysign
from typing import Final

from ledger.cards import in_order
from ledger.text.catalogue import label
from ledger.text.pictures.cards import (
    CARD_HEIGHT,
    CARD_WIDTH,
    card_shape,
    lamp_shape,
    parts_of,
    suit_shape,
)
from ledger.text.pictures.moment import Moment, description, title
from ledger.text.pictures.seats import (
    HEIGHT,
    WIDTH,
    Layout,
    Place,
    Room,
    Spot,
    layout_for,
    marked_up,
    places_in,
    plate_shape,
    spots_by_seat,
)

_RISE_BELOW: Final = 5
_RISE: Final = 2
_AGAIN: Final = 14
"""Offset of a seat's second card in one trick from its first."""

_FEW_CARDS: Final = 5
"""The most cards of hands that leave room for the stock beside the bottom one."""

_SUIT_OF_DISC: Final = 1.26
"""Size of the suit on the disc, in parts of its radius."""


def table_svg(moment: Moment, *, is_whole_file: bool = True) -> str:
    """Draw the picture; a part of a page has no style of its own, as the page has it."""
    layout = layout_for(len(moment.players))
    lang, spots = moment.wording.lang, spots_by_seat(layout, moment.below, moment.goes_to_the_right)
    shown = [*_cards_shown(moment)]
    namespace = ' xmlns="http://www.w3.org/2000/svg"' if is_whole_file else ""
    return "\n".join(
        (
            f'<svg{namespace} class="table" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="tt td"'
            f' lang="{lang}">',
            f'<title id="tt">{marked_up(title(moment))}</title>',
            f'<desc id="td">{marked_up(description(moment))}</desc>',
            *([f"<style>{rules()}</style>"] if is_whole_file else ()),
            parts_of(shown, filter(None, (moment.view.trump,)), moment.letters),
            f'<rect class="baize" width="{WIDTH}" height="{HEIGHT}" rx="10"/>',
            _direction(layout, moment.goes_to_the_right),
            *_seats(moment, spots),
            *_stock(moment, layout),
            *_trump(moment, layout),
            *_trick(moment, layout, spots),
            "</svg>\n",
        )
    )


@cache
def rules() -> str:
    """Return the style of a picture in a file of its own."""
    text = files(__package__).joinpath("table.css").read_text(encoding="utf-8")
    return " ".join(text.split())


def _cards_shown(moment: Moment) -> Iterator[str]:
    for hand in moment.view.hands:
        yield from hand
    yield from moment.view.stock
    if moment.trick is not None:
        yield from moment.trick.cards


def _direction(layout: Layout, goes_to_the_right: bool) -> str:
    """Draw an open ring with an arrow head."""
    x, y, half_width, half_height = layout.ring
    side = half_width * 0.34 * (-1 if goes_to_the_right else 1)
    top, start, end = round(y - half_height * 0.94), round(x + side), round(x - side)
    head = copysign(7, side)
    return (
        f'<path class="seam" d="M{start} {top}A{half_width:g} {half_height:g} 0 1 {int(side > 0)} {end} {top}"/>'
        f'<path class="seam-head" d="M{end} {top}l{-2 * head:g} -3l{head * 0.3:.1f} 13z"/>'
    )


def _seats(moment: Moment, spots: Sequence[Spot]) -> Iterator[str]:
    view, mark = moment.view, label(moment.wording.lang, "picture.dealer")
    for seat, spot in enumerate(spots):
        yield plate_shape(
            spot,
            moment.players[seat],
            is_due=seat == moment.due,
            dealer_mark=mark if seat == view.dealer else "",
            tricks=view.trick_counts[seat],
        )
        highlight = moment.highlight.cards if moment.highlight is not None and moment.highlight.seat == seat else ()
        yield _hand(spot.hand, view.hands[seat], highlight, _RISE_BELOW if seat == moment.below else _RISE)


def _hand(room: Room, hand: Sequence[str], highlight: Collection[str], rise: float) -> str:
    """Draw a hand, with the lamps beneath all its cards."""
    lamps, cards = [], []
    for card, place in zip(in_order(hand), places_in(room, len(hand)), strict=True):
        at = place.at
        if card in highlight:
            at = place.raised(rise).at
            lamps.append(lamp_shape(at))
        cards.append(card_shape(card, at))
    return "".join(lamps + cards)


def _stock(moment: Moment, layout: Layout) -> Iterator[str]:
    stock = moment.view.stock
    if not stock:
        return
    room = _stock_room(moment, layout)
    x = {"left": room.x, "mid": room.x + room.width / 2, "right": room.x + room.width}[room.side]
    named = label(moment.wording.lang, "picture.stock", count=len(stock))
    yield f'<text class="on {room.side}" x="{x:g}" y="{room.y - 6:g}">{marked_up(named)}</text>'
    yield "".join(map(card_shape, stock, (place.at for place in places_in(room, len(stock)))))


def _stock_room(moment: Moment, layout: Layout) -> Room:
    """Return the room of the stock: the middle, as long as nothing else is there."""
    view = moment.view
    if not view.tricks and view.phase != "play":
        return layout.stock_dealt
    dealt_to_each = max(map(len, view.hands)) + len(view.tricks)
    return layout.stock_small_hands if dealt_to_each <= _FEW_CARDS else layout.stock_left


def _trump(moment: Moment, layout: Layout) -> Iterator[str]:
    """Draw the trump suit on a white disc, which cannot be mistaken for a card."""
    if moment.view.trump is not None:
        x, y, radius = layout.trump
        size = round(radius * _SUIT_OF_DISC)
        suit = suit_shape(moment.view.trump, x - size / 2, y - size / 2, size)
        yield f'<g class="trump"><circle cx="{x:g}" cy="{y:g}" r="{radius:g}"/>{suit}</g>'


def _trick(moment: Moment, layout: Layout, spots: Sequence[Spot]) -> Iterator[str]:
    trick = moment.trick
    if trick is None:
        return
    laid: Counter[int] = Counter()
    for number, (seat, card) in enumerate(zip(trick.seats, trick.cards, strict=True), 1):
        is_last = moment.played is not None and number == len(trick.cards)
        yield card_shape(
            card,
            _laid_at(spots[seat], layout.card_scale, laid[seat]).at,
            is_last=is_last,
            took=seat == trick.winner,
            is_judged=is_last and moment.is_judged,
        )
        laid[seat] += 1


def _laid_at(spot: Spot, scale: float, laid_before: int) -> Place:
    aside = laid_before * _AGAIN
    x, y = spot.card_x - CARD_WIDTH / 2 * scale + aside, spot.card_y - CARD_HEIGHT / 2 * scale + aside
    return Place(round(x, 2), round(y, 2), scale)
