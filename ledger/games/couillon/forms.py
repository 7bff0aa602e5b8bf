"""The forms of the game: how many play with which cards, and how those are dealt out (COU-2.1, 3.14 to 3.21)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from mypy_extensions import mypyc_attr

from ledger.games.couillon.pack import PACK_24, PACK_32
from ledger.games.kernel.card_order import Course, course_of

Procedure: TypeAlias = Literal["upcard", "naming"]
Scoring: TypeAlias = Literal["bars", "points"]


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, kw_only=True)
class Form:
    """One form of the game. Packets: `first` cards each, `aside` cards set aside, `second` cards each; a rest is left.

    `is_naming`: trumps are named by forehand, not taken with the upcard. `order_rule`: where the packets are laid down;
    `turned_rule`: which card is turned up first; `points_min`: what the cards in play are worth at least (COU-7.43).
    `hand`: k, the cards of a hand, which is also the number of tricks; `stock`: how many cards nobody gets.
    """

    players: int
    pack: int
    first: int
    second: int
    aside: int
    is_naming: bool
    scorings: tuple[Scoring, ...]
    order_rule: str
    turned_rule: str
    points_min: int
    hand: int
    stock: int
    course: Course

    @property
    def pack_rule(self) -> str:
        """Which cards make the pack."""
        return "COU-2.11" if self.pack == PACK_24 else "COU-2.12"


def _form(
    players: int,
    pack: int,
    packets: tuple[int, int, int],
    procedure: Procedure,
    scorings: tuple[Scoring, ...],
    rules: tuple[str, str],
    points_min: int,
) -> Form:
    """`packets`: first, aside, second; `rules`: where the order of dealing stands, and the turned card."""
    first, aside, second = packets
    hand = first + second
    return Form(
        players=players,
        pack=pack,
        first=first,
        second=second,
        aside=aside,
        is_naming=procedure == "naming",
        scorings=scorings,
        order_rule=rules[0],
        turned_rule=rules[1],
        points_min=points_min,
        hand=hand,
        stock=pack.bit_count() - players * hand,
        course=course_of(tuple(range(players)), hand),  # COU-2.4: in the order of the seats
    )


_NAMED: Final[tuple[Scoring, ...]] = ("points", "bars")

# COU-2.1, 3.15 to 3.21; the scoring named first is the default
FORMS: Final[dict[str, Form]] = {
    "basic4": _form(4, PACK_24, (2, 0, 2), "upcard", ("bars",), ("COU-3.15", "COU-3.16"), 12),
    "mit4": _form(4, PACK_24, (3, 4, 2), "naming", ("points",), ("COU-3.17", "COU-4.14"), 24),
    "six24": _form(6, PACK_24, (2, 0, 2), "naming", _NAMED, ("COU-3.18", "COU-4.14"), 40),
    "six32": _form(6, PACK_32, (3, 2, 2), "naming", _NAMED, ("COU-3.19", "COU-4.14"), 32),
    "eight32": _form(8, PACK_32, (2, 0, 2), "naming", _NAMED, ("COU-3.21", "COU-4.14"), 40),
}
SIX32_UPCARD: Final = _form(6, PACK_32, (2, 0, 2), "upcard", ("bars",), ("COU-3.20", "COU-3.20"), 12)
