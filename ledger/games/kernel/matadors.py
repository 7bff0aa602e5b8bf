"""Rules that Ombre and Quadrille share: order of the cards, and tricks with the matadors' privilege (sections 2, 6).

Bit masks are computed once per trump suit, so that a rule is one `&`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Final, Self

from mypy_extensions import mypyc_attr

from ledger.cards import INDEX, PACK_52, SUITS, mask_of, texts_in
from ledger.games.kernel.card_order import Course, TrumpTable, ranked
from ledger.games.kernel.copying import twin_of
from ledger.games.kernel.following import FollowingTricks
from ledger.games.kernel.holdings import Holdings
from ledger.games.kernel.tricks import NOTHING, RuleIds, Violations

PACK: Final = frozenset(card for card in PACK_52 if card[1] not in "T98")  # OMB-2.13, QUA-2.4
PACK_MASK: Final = mask_of(INDEX[card] for card in PACK)

SPADILLE: Final = INDEX["SA"]
BASTO: Final = INDEX["CA"]

_BLACK_RANKS = "KQJ765432"
_RED_RANKS = "KQJA234567"


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, kw_only=True)
class MatadorTable(TrumpTable):
    """The pack under one trump suit; `binds` lacks the exempt matadors (OMB-6.8, 6.9, QUA-6.7, 6.8).

    `order`: the trumps, high to low. `power`: of two cards of a suit, the greater one wins.
    """

    suit: str
    order: tuple[int, ...]
    matadors: int
    power: tuple[int, ...]


def plain_order(suit: str) -> tuple[int, ...]:
    """Return a plain suit, high to low; the black suits lack their ace (OMB-2.25, QUA-2.14)."""
    return tuple(INDEX[suit + rank] for rank in (_BLACK_RANKS if suit in "SC" else _RED_RANKS))


def trump_order(suit: str) -> tuple[int, ...]:
    """Return the trumps, high to low: Spadille, Manille, Basto, a red suit's Punto, the rest (OMB-2.24, QUA-2.13)."""
    ranks = "2KQJ76543" if suit in "SC" else "7AKQJ23456"
    manille, *rest = (INDEX[suit + rank] for rank in ranks)
    return (SPADILLE, manille, BASTO, *rest)


def _trump_table(suit: str) -> MatadorTable:
    order = trump_order(suit)
    plain = [plain_order(other) for other in SUITS if other != suit]
    follows, beaten_by = ranked(order, plain)
    power = [0] * len(PACK_52)
    for cards in plain:
        for height, card in enumerate(reversed(cards)):
            power[card] = height
    binds = list(follows)
    for place, card in enumerate(order):
        power[card] = 100 - place
        # Matadors need not serve a lesser trump (OMB-6.8) or a lower matador (OMB-6.9) if the hand has no other trump.
        exempt = order[:place] if place < 3 else order[:3]
        binds[card] &= ~mask_of(exempt)
    return MatadorTable(
        suit=suit,
        order=order,
        trumps=mask_of(order),
        matadors=mask_of(order[:3]),
        power=tuple(power),
        follows=follows,
        serves=follows,
        binds=tuple(binds),
        beaten_by=beaten_by,
    )


PASS: Final = "pass"

TRUMP_TABLES: Final = {suit: _trump_table(suit) for suit in SUITS}


@lru_cache(maxsize=4096)
def worth(hand: int, suit: str, of_trump: float, of_matador: float, of_king: float) -> float:
    """Estimate the number of tricks that a hand wins with this trump suit, for simulations: a sum over its cards."""
    table = TRUMP_TABLES[suit]
    kings = sum(1 for plain in SUITS if plain != suit and hand >> INDEX[plain + "K"] & 1)
    trumps, matadors = hand & table.trumps, hand & table.matadors
    return trumps.bit_count() * of_trump + of_matador * matadors.bit_count() + of_king * kings


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, kw_only=True)
class MatadorRuleIds(RuleIds):
    """Additional rule ids: following when trumps are led (`follow_trumps`), and the exemptions from it.

    `exempt_from_small`, `exempt_from_matador`: matadors need not serve a lesser trump, or a lower matador.
    `no_exemption`: they must serve a higher one.
    """

    follow_trumps: str
    exempt_from_small: str
    exempt_from_matador: str
    no_exemption: str


@mypyc_attr(allow_interpreted_subclasses=True)
class MatadorTricks(FollowingTricks):
    """Tricks with the matadors' privilege. `ranking`: `table` with its type."""

    __slots__ = ("ranking",)

    rule_ids: ClassVar[MatadorRuleIds]

    def __init__(
        self, holdings: Holdings, table: MatadorTable, course: Course, leader: int, on_end: Callable[[], None]
    ) -> None:
        super().__init__(holdings, table, course, leader, on_end)
        self.ranking = table

    def is_proven_revoke(self, hand: int, led: int) -> bool:
        """Return whether the known part of a hand proves a revoke.

        With matadors alone it is still open whether they or another trump had to serve.
        """
        return bool(hand & self.table.binds[led] & ~self.ranking.matadors)

    def judge_following(self, hand: int, led: int, version: int, seat: int, values: dict[str, Any]) -> Violations:
        """Return a revoke, an exemption that does not exist, or, as `info`, one that was used."""
        table, ids = self.ranking, self.rule_ids
        trumps = hand & table.trumps
        is_trump_lead = bool(table.trumps >> led & 1)
        if hand & table.binds[led]:
            legal = tuple(sorted(texts_in(hand & table.follows[led])))
            if is_trump_lead and not trumps & ~table.matadors:
                return (ids.violation("illegal_exemption", ids.no_exemption, version, seat, legal, **values),)
            rule = ids.follow_trumps if is_trump_lead else ids.follow
            return (ids.violation("revoke", rule, version, seat, legal, **values),)
        if is_trump_lead and trumps:
            rule = ids.exempt_from_matador if table.matadors >> led & 1 else ids.exempt_from_small
            return (ids.violation("exemption_used", rule, version, seat, None, **values),)
        return NOTHING


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class MatadorAuction:
    """The calls so far. `order`: the seats from forehand on, which is also their priority (OMB-4.8, 4.12, QUA-4.5).

    `next_of`: the seat that calls after each. `ranks`: the bids, weakest first. `turn` is None once the auction is
    over. `bidder` made the `high_bid`; at the end it is the Ombre, or None if all passed.
    """

    __slots__ = ("bidder", "high_bid", "made", "next_of", "order", "passed", "ranks", "turn")

    def __init__(self, order: tuple[int, ...], next_of: tuple[int, ...], ranks: tuple[str, ...]) -> None:
        self.order = order
        self.next_of = next_of
        self.ranks = ranks
        self.made: list[tuple[int, str]] = []
        self.passed: tuple[int, ...] = ()
        self.high_bid: str | None = None
        self.bidder: int | None = None
        self.turn: int | None = order[0]

    def copy(self) -> Self:
        """Return an independent copy."""
        return twin_of(self)

    def yields_to_bidder(self, seat: int) -> bool:
        """Return whether the high bidder has priority over the seat, so that the seat needs a stronger bid."""
        return self.bidder is not None and self.order.index(self.bidder) < self.order.index(seat)

    def is_allowed(self, seat: int, call: str) -> bool:
        """Return whether the seat in turn may make this call (OMB-4.13 to 4.15, QUA-4.9 to 4.12)."""
        if call == PASS:
            return True
        if call not in self.ranks:
            return False  # OMB-4.6, 4.18
        if self.high_bid is None:
            return True
        if call == self.high_bid:
            return not self.yields_to_bidder(seat)
        return self.ranks.index(call) > self.ranks.index(self.high_bid)

    def legal(self) -> list[str]:
        """Return the calls open to the seat in turn, sorted."""
        assert self.turn is not None
        return sorted(call for call in (PASS, *self.ranks) if self.is_allowed(self.turn, call))

    def take(self, seat: int, call: str) -> bool:
        """Make an allowed call of the seat in turn; return whether the auction is over."""
        self.made.append((seat, call))
        if call == PASS:
            self.passed += (seat,)
        else:
            self.high_bid, self.bidder = call, seat
        passed = self.passed
        left = len(self.order) - len(passed)
        if not left or (left == 1 and self.high_bid is not None):
            self.turn = None  # OMB-4.16, 4.17, 4.20, QUA-4.13, 4.15
            return True
        other = self.next_of[seat]
        while other in passed:
            other = self.next_of[other]
        self.turn = other  # OMB-4.8, QUA-4.7, 4.8
        return False
