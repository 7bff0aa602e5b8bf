"""Random tables of Kop and Baśka that look played: deals, calls and leads weighed by the cards.

Only legal moves are weighed; there are no rules here.
"""

from __future__ import annotations

from typing import Final

from ledger.cards import INDEX, mask_of, texts_in
from ledger.events import Announced, BidMade, CardsDealt, Event
from ledger.games.kernel.protocol import Chance, Simulation
from ledger.games.kop.auction import LADDER
from ledger.games.kop.hands import is_declarer
from ledger.games.kop.options import KopOptions
from ledger.games.kop.pack import JACKS, PACK_MASK, POINTS, SCHEMES, SEATS
from ledger.games.kop.state import KopState

_PACK: Final = tuple(texts_in(PACK_MASK))
_CALL_WEIGHTS: Final = {"pass": 6.0, "wesele": 1.5, "baska": 5.0}
_SOLO_WEIGHTS: Final = {"zolo": 0.6, "grand": 0.5, "zolo_du": 0.15, "grand_du": 0.15}
_DOUBLING_WEIGHT: Final = 0.5
_CHANCES: Final = {"ask": 0.1, "close_auction": 0.2, "stop": 0.5, "concede": 0.02}
"""The probability of each announcement when it is possible."""


class KopSimulation(Simulation):
    """Choices of players who recognise a good hand, and err."""

    points = POINTS

    def deal_cards(self, options: KopOptions, seats: int, dealer: int, chance: Chance) -> CardsDealt:
        """Deal a shuffled pack, one card at a time (KOP-3.4, 3.5)."""
        deck = chance.sample(_PACK, len(_PACK))
        return CardsDealt(hands=tuple(tuple(deck[(seat - dealer - 1) % seats :: seats]) for seat in range(seats)))

    def weight(self, deal: KopState, move: Event) -> float | None:
        """Return how likely this call or announcement is; None for cards."""
        match move:
            case BidMade():
                return _call_weight(deal, move)
            case Announced():
                return _CHANCES[move.what]
        return None

    def allies(self, deal: KopState, seat: int) -> int:
        """Return the seats on the same side, as far as the seat's own cards and the cards played show."""
        contract, bidder = deal.auction.contract, deal.auction.bidder
        seen = deal.hands.seen_by(seat)
        of_side = [is_declarer(seen, contract, bidder, other) for other in range(SEATS)]
        if of_side[seat] is None:
            return 1 << seat
        return mask_of(other for other in range(SEATS) if other == seat or of_side[other] is of_side[seat])


def _call_weight(deal: KopState, move: BidMade) -> float:
    call, hand = move.call, deal.hands.held[move.seat]
    if call in _SOLO_WEIGHTS:
        trumps = sum(1 << jack for jack in JACKS) if call.startswith("grand") else SCHEMES["standard"].trumps
        aces = sum(1 for suit in "SHDC" if hand >> INDEX[f"{suit}A"] & 1)
        return _SOLO_WEIGHTS[call] * ((hand & trumps).bit_count() + aces) / 3
    if call in LADDER:
        return _DOUBLING_WEIGHT
    return _CALL_WEIGHTS[call]
