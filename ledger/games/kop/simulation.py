"""Makes tables of Kop and Baśka that look played: what is dealt, called and led, drawn by chance but not blindly.

Only legal choices come here to be weighed; nothing of this is a rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import structs

from ledger.cards import INDEX, PACK_52, mask_of, texts_in
from ledger.events import Announced, BidMade, CardsDealt, Event
from ledger.games.kernel.protocol import Chance, Simulation
from ledger.games.kop.auction import LADDER
from ledger.games.kop.options import KopOptions
from ledger.games.kop.pack import JACKS, PACK_MASK, POINTS, SEATS
from ledger.games.kop.schemes import SCHEMES
from ledger.games.kop.sides import declarers, is_declarer, partner_jack
from ledger.games.kop.state import KopState

_PACK: Final = tuple(texts_in(PACK_MASK))
_CALL_WEIGHTS: Final = {"pass": 6.0, "wesele": 1.5, "baska": 5.0}
_SOLO_WEIGHTS: Final = {"zolo": 0.6, "grand": 0.5, "zolo_du": 0.15, "grand_du": 0.15}
_DOUBLING_WEIGHT: Final = 0.5
_CHANCES: Final = {"ask": 0.1, "close_auction": 0.2, "stop": 0.5, "concede": 0.02}
"""How likely each announcement is when it is possible."""


class KopSimulation(Simulation):
    """The choices of players who know a good hand when they see one, and err."""

    points = POINTS

    def deal_cards(self, options: KopOptions, seats: int, dealer: int, chance: Chance) -> CardsDealt:
        """A shuffled pack, dealt out one card at a time (KOP-3.4, 3.5)."""
        deck = chance.sample(_PACK, len(_PACK))
        return CardsDealt(hands=tuple(tuple(deck[(seat - dealer - 1) % seats :: seats]) for seat in range(seats)))

    def weights(self, deal: KopState, kind: str, values: Sequence[Any]) -> Sequence[float] | None:
        """How likely each of these is; None: all alike."""
        if kind == "bid_made":
            return [_call_weight(deal, value) for value in values]
        if kind == "announced":
            return [_CHANCES[value.rpartition(":")[2]] for value in values]
        return None

    def allies(self, deal: KopState, seat: int) -> int:
        """Who is of the declarer side is told by its cards: what the seat was dealt, and what has been played."""
        contract, bidder = deal.auction.contract, deal.auction.bidder
        seen = deal.hands.seen_by(seat)
        of_side = [is_declarer(seen, contract, bidder, other) for other in range(SEATS)]
        if of_side[seat] is None:
            return 1 << seat
        return mask_of(other for other in range(SEATS) if other == seat or of_side[other] is of_side[seat])

    def completed(self, deal: KopState, event: Event) -> Event:
        """The jack of an announced wesele (KOP-5.7), and all seats of a side that concedes (KOP-6.17)."""
        if type(event) is BidMade and event.call == "wesele" and deal.options.announce_wesele_jack:
            jack = partner_jack(deal.hands, event.seat)
            return event if jack is None else structs.replace(event, card=PACK_52[jack])
        if type(event) is Announced and event.what == "concede":
            return structs.replace(event, seats=_whole_side(deal, event.seat))
        return event


def _call_weight(deal: KopState, value: str) -> float:
    who, _, call = value.rpartition(":")
    seat = int(who) if who else deal.auction.turn
    assert seat is not None
    hand = deal.hands.held[seat]
    if call in _SOLO_WEIGHTS:
        trumps = sum(1 << jack for jack in JACKS) if call.startswith("grand") else SCHEMES["standard"].trumps
        aces = sum(1 for suit in "SHDC" if hand >> INDEX[f"{suit}A"] & 1)
        return _SOLO_WEIGHTS[call] * ((hand & trumps).bit_count() + aces) / 3
    if call in LADDER:
        return _DOUBLING_WEIGHT
    return _CALL_WEIGHTS[call]


def _whole_side(deal: KopState, seat: int | None) -> tuple[int, ...]:
    """All seats of the side to which the seat belongs (KOP-5.2)."""
    side = declarers(deal.hands, deal.auction.contract, deal.auction.bidder)
    assert side is not None, "in a simulation every hand is known"
    return side if seat in side else tuple(other for other in range(SEATS) if other not in side)


SIMULATION: Final = KopSimulation()
