"""The auction of one deal: admissible calls, the effect of inadmissible ones, and its end (KOP section 4)."""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from mypy_extensions import mypyc_attr

from ledger.cards import INDEX, PACK_52
from ledger.events import BidMade
from ledger.games.kernel.copying import twin_of
from ledger.games.kernel.views import Moves
from ledger.games.kop.hands import KopHands, is_declarer, partner_jack, possible_partner_jacks
from ledger.games.kop.options import KopOptions
from ledger.games.kop.pack import JACKS, OLD_QUEENS_MASK, QUEENS_MASK, SEATS

PASS: Final = "pass"
KOP_BIDS: Final[tuple[str, ...]] = ("wesele", "zolo", "zolo_du")  # KOP-4.3, weakest first
BASKA_BIDS: Final[tuple[str, ...]] = ("wesele", "grand", "zolo", "grand_du", "zolo_du", "baska")  # KOP-4.4
LADDER: Final = ("kontra", "re", "bok", "slup", "d5", "d6", "d7", "d8")  # KOP-4.11
CALLS: Final = frozenset((PASS, *BASKA_BIDS, *LADDER))
OPENING_PASSES: Final = 4  # KOP-4.25


class CallFault(NamedTuple):
    """The reason why a call is inadmissible: the name of the irregularity and the rule broken."""

    name: str
    rule: str


CountedCall: TypeAlias = tuple[int, str, str | None]
"""A call that counts: seat, call and card named. An inadmissible call is the pass that it counts for (KOP-11.2)."""


Doubling: TypeAlias = tuple[int, int]
"""Seat and version."""


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class KopAuction:
    """The calls so far. `turn` is None in the free auction and once the auction is over.

    `contract` and `bidder`: the high bid. `doublings`: the ladder on it (KOP-4.12). `passes`: the number of passes in a
    row (KOP-4.24). `callers`: the seats whose calls have counted, as a mask (KOP-4.19).
    """

    __slots__ = (
        "bidder",
        "bids",
        "callers",
        "contract",
        "doublings",
        "hands",
        "has_announced_ask",
        "is_free",
        "is_over",
        "leader",
        "made",
        "options",
        "passes",
        "turn",
    )

    def __init__(self, options: KopOptions, leader: int, hands: KopHands) -> None:
        self.options = options
        self.leader = leader
        self.hands = hands
        self.bids = BASKA_BIDS if options.is_baska else KOP_BIDS
        self.made: list[CountedCall] = []
        self.contract: str | None = None
        self.bidder: int | None = None
        self.doublings: tuple[Doubling, ...] = ()
        self.passes = 0
        self.callers = 0
        self.has_announced_ask = False
        self.is_over = False
        self.is_free = options.is_free
        first = leader if options.auction_first == "leader" else (leader + 1) % SEATS  # KOP-4.20, 4.22
        self.turn: int | None = None if self.is_free else first

    def copy(self, hands: KopHands) -> KopAuction:
        """Return a copy that refers to `hands`."""
        twin = twin_of(self)
        twin.hands = hands
        return twin

    def fault(self, seat: int, call: str) -> CallFault | None:
        """Return the first fault of KOP-11.22 to 11.34 that makes this call inadmissible in any turn, or None."""
        if call == PASS:
            return None
        return self._doubling_fault(seat, call) if call in LADDER else self._bid_fault(seat, call)

    def _bid_fault(self, seat: int, bid: str) -> CallFault | None:
        bids, contract, options = self.bids, self.contract, self.options
        if bid in bids and contract is not None and bids.index(bid) <= bids.index(contract):
            return CallFault("bid_too_low", "KOP-4.6")
        if bid == "wesele" and not self.hands.may_have(seat, OLD_QUEENS_MASK):
            return CallFault("false_wesele", "KOP-4.7")
        if bid == "baska" and not self.hands.may_have(seat, QUEENS_MASK):
            return CallFault("false_baska", "KOP-4.8")
        if bid not in bids:
            return CallFault("unknown_call", "KOP-4.3")
        if bid == "wesele" and options.wesele_timing == "first_call" and self.callers >> seat & 1:
            return CallFault("late_wesele", "KOP-4.19")
        if (
            bid in ("zolo", "zolo_du")
            and seat == self.leader
            and self.has_announced_ask
            and options.ask_bars_leader_solo
        ):
            return CallFault("solo_after_asking", "KOP-4.38")
        return None

    def _doubling_fault(self, seat: int, call: str) -> CallFault | None:
        rung, options, doublings = LADDER.index(call) + 1, self.options, self.doublings
        if rung != len(doublings) + 1:
            return CallFault("wrong_rung", "KOP-4.12")
        if rung > options.max_doublings:
            return CallFault("too_many_doublings", "KOP-4.13")
        if doublings and doublings[-1][0] == seat:
            return CallFault("own_doubling_doubled", "KOP-4.13")
        if rung == 1 and self.contract is not None and seat == self.bidder:
            if self.contract != "wesele" or not options.kontra_own_wesele:  # KOP-4.16
                return CallFault("own_contract_doubled", "KOP-4.15")
        elif rung == 1 and self.contract is None and self.hands.has(seat, OLD_QUEENS_MASK):
            return CallFault("kontra_by_both_queens", "KOP-4.14")
        elif rung > 1 and options.same_side_doubling == "illegal" and self._is_own_side(seat, doublings[-1][0]):
            return CallFault("own_side_doubled_illegally", "KOP-4.31")
        return None

    def _is_own_side(self, seat: int, other: int) -> bool:
        """Return whether both seats are certainly on one side by the present bid."""
        side = self._side(seat)
        return side is not None and side == self._side(other)

    def _side(self, seat: int) -> bool | None:
        return is_declarer(self.hands, self.contract, self.bidder, seat)

    def admissible(self, seat: int) -> list[str]:
        """Return the calls that the seat may make when it is in turn or calls are free, sorted."""
        calls = (PASS, *self.bids, *LADDER)
        return sorted(call for call in calls if self.fault(seat, call) is None)

    def moves(self) -> Moves:
        """Return the admissible calls of the seat in turn, or of all seats if there is no turn (KOP-4.33)."""
        if self.is_over:
            return ()
        seats = range(SEATS) if self.turn is None else (self.turn,)
        return tuple([move for seat in seats for call in self.admissible(seat) for move in self._ways_to(seat, call)])

    def _ways_to(self, seat: int, call: str) -> list[BidMade]:
        """Return the call; a wesele once for each jack that may be named with it (KOP-5.7)."""
        jacks: list[str | None] = [None]
        if call == "wesele" and self.options.announce_wesele_jack:
            jacks = [card for jack in JACKS if not self.jack_is_wrong(seat, card := PACK_52[jack])] or jacks
        return [BidMade(seat=seat, call=call, card=jack) for jack in jacks]

    def jack_is_wrong(self, seat: int, card: str | None) -> bool:
        """Return whether this card is certainly not the jack that the bidder of a wesele must name (KOP-5.7)."""
        jack = partner_jack(self.hands, seat)
        if card is None or card[1] != "J":
            return True
        return INDEX[card] != jack if jack is not None else self.hands.has(seat, 1 << INDEX[card])

    def jacks_due(self, seat: int) -> tuple[str, ...]:
        """Return the jack that the bidder of a wesele must name, or all possible ones (KOP-5.7)."""
        return tuple(sorted(PACK_52[jack] for jack in possible_partner_jacks(self.hands, seat)))

    def take(self, seat: int, call: str, card: str | None, version: int) -> bool:
        """Make an admissible call; return whether the auction is over."""
        self.made.append((seat, call, card))
        self.callers |= 1 << seat
        if call == PASS:
            self.passes += 1
        elif call in LADDER:
            self.doublings += ((seat, version),)
            self.passes = 0
        else:
            self.contract, self.bidder = call, seat  # KOP-4.9
            self.doublings = ()
            self.passes = 0
        if self.turn is not None:
            self.turn = (seat + 1) % SEATS
            if self.contract == "baska" or (self.passes and self.passes == self._passes_needed()):  # KOP-4.26
                self.end()
        return self.is_over

    def _passes_needed(self) -> int:
        """Return the number of passes in a row that ends the auction (KOP-4.25, 4.27)."""
        return self.options.passes_to_end if self.contract or self.doublings else OPENING_PASSES

    def ask(self) -> None:
        """Note that the leader has asked (KOP-4.36)."""
        self.has_announced_ask = True

    def end(self) -> None:
        """End the auction."""
        self.is_over = True
        self.turn = None

    def rule_of_end(self) -> str:
        """Return the rule that ends the auction; the free one ends before the first card."""
        if self.is_free:
            return "KOP-6.14"
        if self.contract == "baska":
            return "KOP-4.26"
        return "KOP-4.27" if self.contract or self.doublings else "KOP-4.25"

    def may_be_over(self) -> bool:
        """Return whether the auction is over, or would be if doubtful calls were passes (KOP-11.2).

        A call is doubtful if it may rest on hidden cards. Only the first card ends the free auction.
        """
        if self.is_over or self.is_free or not self.hands.has_unknown:
            return self.is_over
        return self._may_end(KopAuction(self.options, self.leader, self.hands), 0)

    def _may_end(self, other: KopAuction, place: int) -> bool:
        """Return whether `other` may be over by the calls from index `place` on; `other` changes."""
        for at, (seat, call, card) in enumerate(self.made[place:], place):
            is_wrong = other.fault(seat, call) is not None
            if not is_wrong and other.is_doubtful(seat, call):
                without = other.copy(self.hands)
                if without.take(seat, PASS, None, 0) or self._may_end(without, at + 1):
                    return True
            if other.take(seat, PASS if is_wrong else call, card, 0):  # a call on a pass is invalid
                return True
        return False

    def is_doubtful(self, seat: int, call: str) -> bool:
        """Return whether hidden cards could make this call inadmissible, although nothing known does."""
        hands = self.hands
        if call == "baska":
            return not hands.has(seat, QUEENS_MASK)
        if call == "wesele":
            return not hands.has(seat, OLD_QUEENS_MASK)
        if call not in LADDER:
            return False
        if call == LADDER[0]:
            return self.contract is None and hands.may_have(seat, OLD_QUEENS_MASK)
        other = self.doublings[-1][0]
        return self.options.same_side_doubling == "illegal" and None in (self._side(seat), self._side(other))

    def effects(self) -> list[bool | None]:
        """Return whether each doubling on the final contract is effective (KOP-4.29); None: unknown."""
        if not self.doublings:
            return []
        sides = [self._side(seat) for seat, _ in self.doublings]
        effects: list[bool | None] = [True] * len(sides[:1])
        for before, side in pairwise(sides):
            effects.append(None if before is None or side is None else before != side)
        return effects

    def effective_doublings(self) -> int | None:
        """Return k (KOP-4.30), or None if it is unknown."""
        effects = self.effects()
        return None if None in effects else effects.count(True)
