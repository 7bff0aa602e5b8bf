"""Couillon's seats, packs, card points, order of the cards with a Mit' and without (COU-2), and results (COU-7)."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from ledger.cards import BIT, INDEX, PACK_52, SUITS, cards_in, mask_of, mask_of_known
from ledger.games.kernel.card_order import TrumpTable, ranked

MOST_SEATS: Final = 8  # COU-2.1; what each form has, `forms.py` tells
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
    """The card points of a set of cards."""
    return sum(POINTS[card] for card in cards_in(mask))


def _table(trump: str, has_mit: bool) -> TrumpTable:
    """What follows from the trump suit, and from whether a Mit' stands: SQ is then a trump (COU-2.22, 6.5 to 6.11)."""
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
"""By the trump suit, without a Mit' and with one."""

_NOTHING: Final = (0,) * len(PACK_52)
NO_TRUMPS: Final = TrumpTable(trumps=0, follows=_NOTHING, serves=_NOTHING, binds=_NOTHING, beaten_by=_NOTHING)
"""Stands where no suit was ever made trumps (COU-11.21): nobody knows what must be followed, or who has won."""


def cutter(dealer: int, seats: int) -> int:
    """The right-hand neighbour of the dealer (COU-3.12)."""
    return (dealer - 1) % seats


def forehand(dealer: int, seats: int) -> int:
    """The seat next after the dealer (COU-2.9), who leads to the first trick (COU-6.1)."""
    return (dealer + 1) % seats


Team: TypeAlias = Literal[0, 1]
Result: TypeAlias = Literal["DRAW", "WIN", "ALL_TRICKS"]

TEAMS: Final[tuple[Team, Team]] = (0, 1)


def team_of(seat: int) -> Team:
    """COU-2.7."""
    return 1 if seat & 1 else 0


def winner_of(points: tuple[int, int], maker: int | None, tie_rule: str) -> Team | None:
    """W, or None for a draw (COU-7.3 to 7.5); `tie_rule`: the option."""
    if points[0] != points[1]:
        return 0 if points[0] > points[1] else 1
    if tie_rule == "makers_lose" and maker is not None:
        return team_of(maker + 1)
    return None


def result_of(winner: Team | None, tricks: tuple[int, int]) -> Result:
    """An ordinary win, one with all tricks, or a draw (COU-7.4, 7.30)."""
    if winner is None:
        return "DRAW"
    return "WIN" if tricks[1 - winner] else "ALL_TRICKS"
