"""The cards that each seat was dealt and has played, as far as a record shows, and the sides that follow (KOP-5).

Unrecorded hands become known in play. Sides depend on the hands as dealt (KOP-5.3), so those are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mypy_extensions import mypyc_attr

from ledger.cards import BIT, UNKNOWN, mask_of_known, texts_in
from ledger.events import CardPlayed, Event
from ledger.games.kernel.copying import twin_of
from ledger.games.kop.pack import HAND, JACKS, OLD_QUEENS, OLD_QUEENS_MASK, PACK_MASK, SEATS


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class KopHands:
    """The hands of one deal as bit masks. `dealt[s]`: the cards known to have been dealt to s, up to four.

    `held[s]`: those of them that s has not played. `unseen[s]`: the number of unrecorded cards, `??`, that s has
    played.
    """

    __slots__ = ("dealt", "has_unknown", "held", "unseen")

    def __init__(self) -> None:
        self.dealt = [0, 0, 0, 0]
        self.held = [0, 0, 0, 0]
        self.unseen = [0, 0, 0, 0]
        self.has_unknown = False

    def copy(self) -> KopHands:
        """Return an independent copy."""
        return twin_of(self)

    def seen_by(self, seat: int) -> KopHands:
        """Return the hands as one player knows them: the own one, and the cards that others have played."""
        twin = twin_of(self)
        twin.has_unknown = True
        twin.dealt = [mask if other == seat else mask & ~self.held[other] for other, mask in enumerate(self.dealt)]
        twin.held = [mask if other == seat else 0 for other, mask in enumerate(self.held)]
        return twin

    def give_all(self, masks: list[int]) -> None:
        """Deal four hands of which every card is known."""
        self.dealt, self.held = masks, masks[:]

    def hide_all(self) -> None:
        """Deal four hands that were not recorded."""
        self.has_unknown = True

    def give(self, seat: int, cards: Sequence[str] | None) -> None:
        """Deal a hand to a seat; None if it is unknown."""
        self.dealt[seat] = self.held[seat] = mask_of_known(cards or ())
        self.has_unknown = self.has_unknown or self.dealt[seat].bit_count() < HAND

    def give_rest(self) -> None:
        """Give the cards that nobody else was dealt to the only hand that is not fully known."""
        incomplete = [seat for seat in range(SEATS) if self.hidden(seat)]
        if len(incomplete) == 1:
            rest = PACK_MASK & ~self.placed()
            self.dealt[incomplete[0]] |= rest
            self.held[incomplete[0]] |= rest
            self.has_unknown = False

    def learn(self, hands: Sequence[Sequence[str] | None], events: Sequence[Event]) -> None:
        """Deal hands that were recorded after some of their cards had been played."""
        for seat, hand in enumerate(hands):
            self.give(seat, hand)
            self.unseen[seat] = 0
        for event in events:
            if type(event) is CardPlayed and self.may_hold(event.seat, bit := BIT.get(event.card, 0)):
                self.take(event.seat, bit)

    def hidden(self, seat: int) -> int:
        """Return how many of the cards dealt to the seat are unknown."""
        return HAND - self.dealt[seat].bit_count()

    def placed(self) -> int:
        """Return the cards of which the receiver is known."""
        first, second, third, fourth = self.dealt
        return first | second | third | fourth

    def has(self, seat: int, mask: int) -> bool:
        """Return whether the seat was certainly dealt all these cards."""
        return not mask & ~self.dealt[seat]

    def is_with_one(self, mask: int) -> bool:
        """Return whether one seat was certainly dealt all these cards."""
        first, second, third, fourth = self.dealt
        return not (mask & ~first and mask & ~second and mask & ~third and mask & ~fourth)

    def may_have(self, seat: int, mask: int) -> bool:
        """Return whether nothing in the record excludes that the seat was dealt all these cards."""
        missing = mask & ~self.dealt[seat]
        if not missing or not self.has_unknown:
            return not missing
        return missing.bit_count() <= self.hidden(seat) and not missing & self.placed()

    def may_hold(self, seat: int, bit: int) -> bool:
        """Return whether the seat can still have this card in its hand."""
        return bool(self.held[seat] & bit) or (not self.dealt[seat] & bit and self.may_have(seat, bit))

    def holder(self, card: int) -> int | None:
        """Return the seat that was dealt this card; None while it is unknown."""
        bit = 1 << card
        if not self.has_unknown:
            for seat in range(SEATS):
                if self.dealt[seat] & bit:
                    return seat
        able = [seat for seat in range(SEATS) if self.may_have(seat, bit)]
        return able[0] if len(able) == 1 else None

    def take(self, seat: int, bit: int) -> None:
        """Play a card that the seat may hold; 0: a card that was not recorded."""
        if not bit:
            self.unseen[seat] += 1
            self.has_unknown = True
            return
        self.dealt[seat] |= bit
        self.held[seat] &= ~bit

    def show(self, seat: int, bit: int) -> None:
        """Lay a card that does not count: it was dealt to the seat, which still holds it."""
        if self.may_hold(seat, bit):
            self.dealt[seat] |= bit
            self.held[seat] |= bit

    def left(self, seat: int) -> int:
        """Return the number of cards that the seat still holds."""
        return max(0, HAND - self.unseen[seat] - (self.dealt[seat] & ~self.held[seat]).bit_count())

    def certain(self, seat: int) -> int:
        """Return the cards that the seat certainly still holds: none once it has played an unrecorded card."""
        return 0 if self.unseen[seat] else self.held[seat]

    def possible(self, seat: int) -> int:
        """Return the cards that the seat may hold."""
        hidden = PACK_MASK & ~self.placed() if self.hidden(seat) else 0
        return self.held[seat] | hidden if self.left(seat) else 0

    def shown(self, seat: int) -> list[str]:
        """Return the hand for display: the known cards in pack order, then `??` for each other."""
        known = texts_in(self.certain(seat))
        return known + [UNKNOWN] * (self.left(seat) - len(known))

    def in_hindsight(self) -> list[tuple[str, ...]]:
        """Return the hands as dealt, by all that is known now; one incomplete hand has the cards of no other."""
        dealt = self.dealt[:]
        incomplete = [seat for seat in range(SEATS) if self.hidden(seat)]
        if len(incomplete) == 1:
            dealt[incomplete[0]] |= PACK_MASK & ~self.placed()
        return [(*texts_in(mask), *[UNKNOWN] * (HAND - mask.bit_count())) for mask in dealt]


SOLO_BIDS: Final = frozenset(("grand", "zolo", "grand_du", "zolo_du", "baska"))
"""The contract bids that one seat plays alone against three (KOP-5.2)."""


def possible_partner_jacks(hands: KopHands, bidder: int) -> list[int]:
    """Return the jacks of which one is the highest that the bidder of a wesele was not dealt."""
    jacks = []
    for jack in JACKS:
        if not hands.has(bidder, 1 << jack):
            jacks.append(jack)
            if not hands.may_have(bidder, 1 << jack):
                break
    return jacks


def partner_jack(hands: KopHands, bidder: int) -> int | None:
    """Return the highest jack that the bidder of a wesele was not dealt (KOP-5.5); None while it is unknown."""
    jacks = possible_partner_jacks(hands, bidder)
    return jacks[0] if len(jacks) == 1 else None


def is_declarer(hands: KopHands, contract: str | None, bidder: int | None, seat: int) -> bool | None:
    """Return whether the seat is on the declarer side (KOP-5.2); None while it is unknown."""
    if contract is None:
        queens = [1 << queen for queen in OLD_QUEENS]
        if any(hands.has(seat, queen) for queen in queens):
            return True
        return None if any(hands.may_have(seat, queen) for queen in queens) else False
    if seat == bidder or contract != "wesele":
        return seat == bidder
    assert bidder is not None
    jacks = possible_partner_jacks(hands, bidder)
    holder = hands.holder(jacks[0]) if len(jacks) == 1 else None
    if holder is not None:
        return holder == seat
    return None if any(hands.may_have(seat, 1 << jack) for jack in jacks) else False


def declarers(hands: KopHands, contract: str | None, bidder: int | None) -> tuple[int, ...] | None:
    """Return the seats of the declarer side in rising order (KOP-5.2); None while they are unknown."""
    if contract is None:
        one, other = hands.holder(OLD_QUEENS[0]), hands.holder(OLD_QUEENS[1])
        if one is None or other is None:
            return None
        return (one,) if one == other else (one, other) if one < other else (other, one)
    assert bidder is not None
    if contract in SOLO_BIDS:
        return (bidder,)
    jack = partner_jack(hands, bidder)
    partner = None if jack is None else hands.holder(jack)
    return None if partner is None else tuple(sorted((bidder, partner)))


def declarers_by_concession(
    hands: KopHands, contract: str | None, bidder: int | None, conceded: frozenset[int]
) -> tuple[int, ...] | None:
    """Return the seats of the declarer side in rising order, if all seats of one side have conceded (KOP-6.17).

    Return None while it is unknown which of the two sides it is.
    """
    rest = frozenset(range(SEATS)) - conceded
    if contract is None and len(conceded) != len(rest):  # KOP-4.40: one against three
        return tuple(sorted(conceded if len(conceded) < len(rest) else rest))
    for seat in range(SEATS):
        plays_it = is_declarer(hands, contract, bidder, seat)
        if plays_it is not None:
            return tuple(sorted(conceded if plays_it == (seat in conceded) else rest))
    return None


def final_contract(hands: KopHands, contract: str | None) -> str | None:
    """Return the contract that is played (KOP-4.39, 4.40): the last bid, the ordinary game or cicha; None: unknown."""
    if contract is not None:
        return contract
    if hands.is_with_one(OLD_QUEENS_MASK):
        return "cicha"
    if hands.has_unknown and any(hands.may_have(seat, OLD_QUEENS_MASK) for seat in range(SEATS)):
        return None
    return "normal"


def declarer_and_partner(hands: KopHands, contract: str | None, bidder: int | None) -> tuple[int | None, int | None]:
    """Return for display the bidder and the partner or, without a bid, the holders of CQ and SQ."""
    if contract is None:
        first, second = (hands.holder(queen) for queen in OLD_QUEENS)
        may_be_alone = second is None or hands.may_have(second, OLD_QUEENS_MASK)  # a cicha is possible
        return first, None if may_be_alone else second
    assert bidder is not None
    if contract in SOLO_BIDS:
        return bidder, None
    jack = partner_jack(hands, bidder)
    return bidder, None if jack is None else hands.holder(jack)
