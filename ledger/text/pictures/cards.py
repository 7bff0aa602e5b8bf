"""One card of a picture, and the shapes that the picture brings along for its cards."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from ledger.cards import INDEX, PACK_52, RANKS, SUITS, UNKNOWN
from ledger.text.letters import Letters, rank_face
from ledger.text.pictures.shapes import CARD_HEIGHT, CARD_WIDTH, LATTICE, RANK_SHAPES, SPANISH_SUITS, SUIT_SHAPES

_PAPER: Final = f'<rect width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="3"/>'
_RING_AROUND: Final = 3
_BADGE: Final = '<g class="badge"><circle cx="28" cy="0" r="7"/><path d="M28-3.6v3.8M28 3.6v.1"/></g>'
_UNKNOWN_PLACE: Final = len(PACK_52)


def sorted_hand(hand: Iterable[str]) -> list[str]:
    """By suits, high cards first; cards not known last."""
    return sorted(hand, key=lambda card: INDEX.get(card, _UNKNOWN_PLACE))


def card_shape(card: str, at: str, *, is_last: bool = False, took: bool = False, is_judged: bool = False) -> str:
    """A card; `at` moves and scales it there. `is_last`: played just now; `is_judged`: a finding is about it."""
    under = '<path class="under" d="M1 44.5h26"/>' if took else ""
    ring = _ring("last") if is_last else ""
    badge = _BADGE if is_judged else ""
    return f'<g class="card {_class_of(card)}" transform="{at}">{card_body(card)}{under}{ring}{badge}</g>'


def lamp_shape(at: str) -> str:
    """What lies beneath a card that might have been played."""
    return f'<g transform="{at}">{_ring("may")}</g>'


@cache
def _ring(kind: str) -> str:
    out = _RING_AROUND
    width, height = CARD_WIDTH + 2 * out, CARD_HEIGHT + 2 * out
    return f'<rect class="{kind}" x="{-out}" y="{-out}" width="{width}" height="{height}" rx="5"/>'


def suit_shape(suit: str, x: float, y: float, size: float) -> str:
    return f'<use class="k{suit}" href="#{suit}" x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}"/>'


def parts_of(cards: Iterable[str], suits: Iterable[str], letters: Letters = "en") -> str:
    """The shapes that these cards, and these suits beside them, refer to; always in the same order.

    Suits and ranks are named as in the record, however they are drawn: only these parts differ between packs.
    """
    shown = set(cards)
    used = {card[0] for card in shown} | set(suits)
    ranks = {card[1] for card in shown}
    shapes = SPANISH_SUITS if letters == "es" else SUIT_SHAPES
    parts = [_suit_symbol(suit, shapes[suit]) for suit in SUITS if suit in used]
    parts += [_rank_path(rank, letters) for rank in RANKS if rank in ranks]
    if UNKNOWN in shown:
        parts.append(f'<path id="back" class="lattice" d="{LATTICE}"/>')
    return f"<defs>{''.join(parts)}</defs>"


def _suit_symbol(suit: str, shape: str) -> str:
    return f'<symbol id="{suit}" viewBox="0 0 100 100"><path d="{shape}"/></symbol>'


def _rank_path(rank: str, letters: Letters) -> str:
    drawn = "T" if rank == "T" else rank_face(rank, letters)
    return f'<path id="r{rank}" class="rank" d="{RANK_SHAPES[drawn]}"/>'


def _class_of(card: str) -> str:
    return "back" if card == UNKNOWN else f"k{card[0]}"


@cache
def card_body(card: str) -> str:
    """What is drawn of it, of the parts that it refers to."""
    if card == UNKNOWN:
        return f'{_PAPER}<use href="#back"/>'
    return f'{_PAPER}<use href="#r{card[1]}"/><use href="#{card[0]}" x="6.5" y="22.5" width="15" height="15"/>'
