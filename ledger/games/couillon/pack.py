"""Packs, card points, order of the cards and forms of the game (COU-2, 3), and results (COU-7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from mypy_extensions import mypyc_attr

from ledger.cards import BIT, INDEX, PACK_52, SUITS, cards_in, mask_of, mask_of_known
from ledger.games.kernel.card_order import Course, TrumpTable, course_of, ranked

MOST_SEATS: Final = 8  # COU-2.1; see FORMS
MOST_TRICKS: Final = 5  # COU-2.1

PLAIN_ORDER: Final = "AKQJT987"  # COU-2.17
PACK_24: Final = mask_of_known(suit + rank for suit in SUITS for rank in PLAIN_ORDER[:6])  # COU-2.11
PACK_32: Final = mask_of_known(suit + rank for suit in SUITS for rank in PLAIN_ORDER)  # COU-2.12
MIT_CARD: Final = BIT["SQ"]
_MIT: Final = INDEX["SQ"]
ALL_POINTS: Final = 40  # COU-2.16

_RANK_POINTS: Final = {"A": 4, "K": 3, "Q": 2, "J": 1}  # COU-2.14; never depends on trumps (COU-2.15)
POINTS: Final = tuple(_RANK_POINTS.get(card[1], 0) for card in PACK_52)


def points_in(mask: int) -> int:
    """Return the card points of a set of cards."""
    return sum(POINTS[card] for card in cards_in(mask))


def _table(trump: str, has_mit: bool) -> TrumpTable:
    """Return the order of the cards for a trump suit; with a valid Mit', SQ is a trump (COU-2.22, 6.5 to 6.11)."""
    of_suit = {suit: [INDEX[suit + rank] for rank in PLAIN_ORDER] for suit in SUITS}
    if has_mit:
        of_suit["S"].remove(_MIT)
        of_suit[trump].insert(1, _MIT)  # COU-2.19 to 2.21: below the ace
    trumps = of_suit.pop(trump)
    follows, beaten_by = ranked(trumps, list(of_suit.values()))
    return TrumpTable(
        trumps=mask_of(trumps),
        follows=follows,
        serves=tuple(suit | mask_of(trumps) for suit in follows),  # COU-6.5, 6.6: one may always trump
        binds=follows,
        beaten_by=beaten_by,
    )


TRUMP_TABLES: Final = {suit: _table(suit, has_mit=False) for suit in SUITS}
MIT_TABLES: Final = {suit: _table(suit, has_mit=True) for suit in SUITS}
"""The orders by trump suit, without a Mit' and with one."""

_NOTHING: Final = (0,) * len(PACK_52)
NO_TRUMPS: Final = TrumpTable(trumps=0, follows=_NOTHING, serves=_NOTHING, binds=_NOTHING, beaten_by=_NOTHING)
"""Used if no suit was made trumps (COU-11.21): what must be followed, and who has won, is unknown."""


def cutter(dealer: int, seats: int) -> int:
    """Return the right-hand neighbour of the dealer (COU-3.12)."""
    return (dealer - 1) % seats


def forehand(dealer: int, seats: int) -> int:
    """Return the seat after the dealer (COU-2.9), the leader to the first trick (COU-6.1)."""
    return (dealer + 1) % seats


Team: TypeAlias = Literal[0, 1]
Result: TypeAlias = Literal["DRAW", "WIN", "ALL_TRICKS"]

TEAMS: Final[tuple[Team, Team]] = (0, 1)


def team_of(seat: int) -> Team:
    """Return the team of a seat (COU-2.7)."""
    return 1 if seat & 1 else 0


def winner_of(points: tuple[int, int], maker: int | None, tie_rule: str) -> Team | None:
    """Return W, or None for a draw (COU-7.3 to 7.5); `tie_rule`: the option."""
    if points[0] != points[1]:
        return 0 if points[0] > points[1] else 1
    if tie_rule == "makers_lose" and maker is not None:
        return team_of(maker + 1)
    return None


def result_of(winner: Team | None, tricks: tuple[int, int]) -> Result:
    """Return the kind of result: an ordinary win, one with all tricks, or a draw (COU-7.4, 7.30)."""
    if winner is None:
        return "DRAW"
    return "WIN" if tricks[1 - winner] else "ALL_TRICKS"


Procedure: TypeAlias = Literal["upcard", "naming"]
Scoring: TypeAlias = Literal["bars", "points"]


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, kw_only=True)
class CouillonForm:
    """One form of the game. Packets: `first` cards each, `aside` cards set aside, `second` cards each; a rest is left.

    `is_naming`: forehand names trumps, in place of the upcard procedure. `order_rule`: the rule on the packets.
    `turned_rule`: the rule on the first turned card. `points_min`: the least card points in play (COU-7.43). `hand`: k,
    the cards of a hand and the number of tricks. `stock`: the number of undealt cards.
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
        """The rule on the cards of the pack."""
        return "COU-2.11" if self.pack == PACK_24 else "COU-2.12"


def _form(
    players: int,
    pack: int,
    packets: tuple[int, int, int],
    procedure: Procedure,
    scorings: tuple[Scoring, ...],
    rules: tuple[str, str],
    points_min: int,
) -> CouillonForm:
    """Return a form. `packets`: first, aside, second; `rules`: those on the order of dealing and on the turned card."""
    first, aside, second = packets
    hand = first + second
    return CouillonForm(
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
FORMS: Final[dict[str, CouillonForm]] = {
    "basic4": _form(4, PACK_24, (2, 0, 2), "upcard", ("bars",), ("COU-3.15", "COU-3.16"), 12),
    "mit4": _form(4, PACK_24, (3, 4, 2), "naming", ("points",), ("COU-3.17", "COU-4.14"), 24),
    "six24": _form(6, PACK_24, (2, 0, 2), "naming", _NAMED, ("COU-3.18", "COU-4.14"), 40),
    "six32": _form(6, PACK_32, (3, 2, 2), "naming", _NAMED, ("COU-3.19", "COU-4.14"), 32),
    "eight32": _form(8, PACK_32, (2, 0, 2), "naming", _NAMED, ("COU-3.21", "COU-4.14"), 40),
}
SIX32_UPCARD: Final = _form(6, PACK_32, (2, 0, 2), "upcard", ("bars",), ("COU-3.20", "COU-3.20"), 12)
