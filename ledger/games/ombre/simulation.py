"""Makes Ombre tables that look played: what is dealt, called, put aside and led, drawn by chance but not blindly.

Only legal choices come here to be weighed; nothing of this is a rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from ledger.cards import INDEX, mask_of, texts_in
from ledger.events import CardsDealt
from ledger.games.kernel.matadors import PACK_MASK, TRUMP_TABLES
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
"""How likely each announcement is when it is possible; where nothing else is, in proportion."""

_MATADOR_WORTH: Final = 1.5
_KING_WORTH: Final = 0.7


class OmbreSimulation(Simulation):
    """The choices of players who know a good hand when they see one, and err."""

    variants = ({}, {"favourite_suit": "H"})

    def deal_cards(self, options: OmbreOptions, seats: int, dealer: int, chance: Chance) -> CardsDealt:
        """A shuffled pack, dealt out (OMB-3.6 to 3.9)."""
        pack = tuple(chance.sample(_PACK, len(_PACK)))
        hands: list[tuple[str, ...]] = [()] * seats
        for place, seat in enumerate(active_seats(seats, dealer)):
            hands[seat] = pack[HAND * place : HAND * (place + 1)]
        return CardsDealt(hands=tuple(hands), stock=pack[HAND * ACTIVE :])

    def weights(self, deal: OmbreState, kind: str, values: Sequence[Any]) -> Sequence[float] | None:
        """How likely each of these is; None: all alike."""
        if kind == "card_played":
            return _lead_weights(deal, values)
        if kind == "announced":
            return [_CHANCES[value.rpartition(":")[2]] for value in values]
        if kind == "bid_made":
            return _call_weights(deal, values)
        if kind == "trump_named":
            assert deal.ombre is not None
            hand = deal.holdings.known[deal.ombre]
            return [3.0 ** worth(hand, suit) for suit in values]
        if kind == "cards_exchanged":
            wanted = len(_useless(deal))
            return [1 / (1 + (count - wanted) ** 2) for count in values]
        return None

    def allies(self, deal: OmbreState, seat: int) -> int:
        """The opponents stand together against the Ombre."""
        if seat == deal.ombre:
            return 1 << seat
        return mask_of(other for other in deal.active if other != deal.ombre)

    def discards(self, deal: OmbreState, seat: int, count: int, chance: Chance) -> tuple[str, ...]:
        """What the seat puts aside: useless cards first."""
        cards = texts_in(deal.holdings.known[seat])
        useless = _useless(deal)
        cards.sort(key=lambda card: (card not in useless, chance.random()))
        return tuple(cards[:count])


@lru_cache(maxsize=4096)
def worth(hand: int, suit: str) -> float:
    """About how many tricks this hand is good for with that suit as trumps."""
    table = TRUMP_TABLES[suit]
    trumps = hand & table.trumps
    kings = sum(1 for plain in "SHDC" if plain != suit and hand >> INDEX[plain + "K"] & 1)
    return trumps.bit_count() / 2 + _MATADOR_WORTH / 2 * (hand & table.matadors).bit_count() + _KING_WORTH * kings


def _call_weights(deal: OmbreState, calls: Sequence[str]) -> list[float]:
    assert deal.auction.turn is not None
    hand = deal.holdings.known[deal.auction.turn]
    best = max(worth(hand, suit) for suit in "SHDC")
    weights = {
        "pass": 0.5,
        "entrada": max(0.05, best - 3),
        "entrada_favour": max(0.05, worth(hand, deal.options.favourite_suit or "S") - 3),
        "vuelta": 0.1,
        "solo": max(0.01, best - 4.5),
        "solo_favour": max(0.01, worth(hand, deal.options.favourite_suit or "S") - 4.5),
    }
    return [weights[call] for call in calls]


def _useless(deal: OmbreState) -> list[str]:
    """The cards of the seat in turn that are neither trumps nor kings."""
    assert deal.trump is not None and deal.exchange is not None and deal.exchange.turn is not None
    hand = deal.holdings.known[deal.exchange.turn] & ~TRUMP_TABLES[deal.trump].trumps
    return [card for card in texts_in(hand) if card[1] != "K"]


def _lead_weights(deal: OmbreState, cards: Sequence[str]) -> list[float] | None:
    """The Ombre draws trumps, the highest first; the others play as it comes."""
    play = deal.play
    assert play is not None
    if play.on_table or play.turn != play.ombre:
        return None
    power = play.ranking.power
    return [float(power[INDEX[card]]) ** 2 + 1 for card in cards]


SIMULATION: Final = OmbreSimulation()
