"""Random Ombre tables that look played: weights for dealing, calls, exchanges and leads.

These weights only choose among legal moves; they are no rules.
"""

from __future__ import annotations

from typing import Final

from ledger.cards import INDEX, SUITS, mask_of, texts_in
from ledger.events import Announced, BidMade, CardPlayed, CardsDealt, CardsExchanged, Event, TrumpNamed
from ledger.games.kernel.matadors import PACK_MASK, TRUMP_TABLES, worth
from ledger.games.kernel.protocol import Chance, Simulation
from ledger.games.ombre.options import OmbreOptions
from ledger.games.ombre.pack import ACTIVE, HAND, active_seats
from ledger.games.ombre.state import OmbreState

_PACK: Final = tuple(texts_in(PACK_MASK))
_CHANCES: Final = {
    "yield_exchange": 0.1,
    "stop": 0.5,
    "surrender": 0.03,
    "throw_in": 0.15,
    "defend": 0.4,
    "decline_defence": 0.6,
}
"""The probability of each announcement when possible; if only announcements are possible, their proportions."""

_CALL_WEIGHTS: Final = {"pass": 0.5, "vuelta": 0.1}
_KINGS: Final = mask_of(INDEX[suit + "K"] for suit in SUITS)
_WORTH: Final = (0.5, 0.75, 0.7)
"""The worth of a trump, the bonus for a matador, and the worth of a king."""


class OmbreSimulation(Simulation):
    """The choices of players who recognise a good hand and sometimes err."""

    variants = ({}, {"favourite_suit": "H"})

    def deal_cards(self, options: OmbreOptions, seats: int, dealer: int, chance: Chance) -> CardsDealt:
        """Deal a shuffled pack (OMB-3.6 to 3.9)."""
        pack = tuple(chance.sample(_PACK, len(_PACK)))
        hands: list[tuple[str, ...]] = [()] * seats
        for place, seat in enumerate(active_seats(seats, dealer)):
            hands[seat] = pack[HAND * place : HAND * (place + 1)]
        return CardsDealt(hands=tuple(hands), stock=pack[HAND * ACTIVE :])

    def weight(self, deal: OmbreState, move: Event) -> float | None:
        """Return the weight of a legal move among those of its type, or None if all are alike."""
        match move:
            case CardPlayed():
                return _lead_weight(deal, move.card)
            case Announced():
                return _CHANCES[move.what]
            case BidMade():
                return _call_weight(deal, move)
            case TrumpNamed():
                return float(3.0 ** worth(deal.holdings.known[move.seat], move.suit, *_WORTH))
            case CardsExchanged():
                return 1 / (1 + (move.count - _useless(deal, move.seat).bit_count()) ** 2)
        return None

    def allies(self, deal: OmbreState, seat: int) -> int:
        """Return the allied seats as a mask: the opponents stand together against the Ombre."""
        if seat == deal.ombre:
            return 1 << seat
        return mask_of(other for other in deal.active if other != deal.ombre)

    def discards(self, deal: OmbreState, seat: int, count: int, chance: Chance) -> tuple[str, ...]:
        """Choose the cards to discard, useless ones first."""
        cards = texts_in(deal.holdings.known[seat])
        useless = texts_in(_useless(deal, seat))
        cards.sort(key=lambda card: (card not in useless, chance.random()))
        return tuple(cards[:count])


def _call_weight(deal: OmbreState, move: BidMade) -> float:
    if move.call in _CALL_WEIGHTS:
        return _CALL_WEIGHTS[move.call]
    hand, favourite = deal.holdings.known[move.seat], deal.options.favourite_suit or "S"
    is_favour = move.call.endswith("_favour")
    best = worth(hand, favourite, *_WORTH) if is_favour else max(worth(hand, suit, *_WORTH) for suit in SUITS)
    return max(0.05, best - 3) if move.call.startswith("entrada") else max(0.01, best - 4.5)


def _useless(deal: OmbreState, seat: int) -> int:
    """Return the seat's cards that are neither trumps nor kings, as a mask."""
    assert deal.trump is not None
    return deal.holdings.known[seat] & ~TRUMP_TABLES[deal.trump].trumps & ~_KINGS


def _lead_weight(deal: OmbreState, card: str) -> float | None:
    """Return the weight of a lead: the Ombre draws trumps, highest first; the others lead at random."""
    play = deal.play
    assert play is not None
    if play.on_table or play.turn != play.ombre:
        return None
    return float(play.ranking.power[INDEX[card]]) ** 2 + 1
