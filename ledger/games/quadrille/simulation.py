"""Random Quadrille tables that look played: weights for dealing, calls, leads and announcements.

These weights only choose among legal moves; they are no rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger.cards import INDEX, SUITS, mask_of, texts_in
from ledger.events import Announced, BidMade, CardPlayed, CardsDealt, Event, TrumpNamed
from ledger.games.kernel.matadors import PACK_MASK, worth
from ledger.games.kernel.protocol import Chance, Simulation
from ledger.games.quadrille.deal import QuadrilleDeal
from ledger.games.quadrille.opening_rules import packets
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.games.quadrille.pack import SEATS

_PACK: Final = tuple(texts_in(PACK_MASK))
_CHANCES: Final = {
    "show_spadille": 1.0,
    "reveal_partner": 0.5,
    "premiers_ask": 0.2,
    "premiers_continue": 0.3,
    "premiers_stop": 0.4,
    "reply_continue": 0.5,
    "reply_stop": 0.5,
    "claim_ombre": 0.01,
    "claim_opponents": 0.01,
    "claim_accept": 0.8,
    "claim_refuse": 0.2,
}
"""The probability of each announcement when possible; if only announcements are possible, their proportions."""

_WORTH: Final = (0.6, 0.7, 0.7)
"""The worth of a trump, the bonus for a matador, and the worth of a king."""


class QuadrilleSimulation(Simulation):
    """The choices of players who recognise a good hand and sometimes err."""

    def deal_cards(self, options: QuadrilleOptions, seats: int, dealer: int, chance: Chance) -> CardsDealt:
        """Deal a shuffled pack in packets (QUA-3.8, 3.9)."""
        return CardsDealt(hands=tuple(packets(chance.sample(_PACK, len(_PACK)), dealer, options)))

    def weight(self, deal: QuadrilleDeal, move: Event) -> float | None:
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
        return None

    def allies(self, deal: QuadrilleDeal, seat: int) -> int:
        """Return the allied seats as a mask. Only the partner knows the side (QUA-5.12) until the called card or an
        announcement shows it.
        """
        assert deal.play is not None
        side = deal.play.side
        is_seen = side.is_revealed or bool(deal.play.played() & side.called) or side.is_alone
        members = mask_of(side.members())
        if seat == side.partner or is_seen:
            return members if members >> seat & 1 else mask_of(range(SEATS)) & ~members
        return 1 << seat

    def last_words(self, deal: QuadrilleDeal) -> Sequence[Event]:
        """Reveal the partner of a forced contract that premiers have ended (QUA-6.20)."""
        if deal.play is None or not deal.play.must_reveal():
            return ()
        return (Announced(seat=deal.play.side.partner, what="reveal_partner"),)


def _call_weight(deal: QuadrilleDeal, move: BidMade) -> float:
    if move.call == "pass":
        return 1.0
    hand = deal.holdings.known[move.seat]
    best = max(worth(hand, suit, *_WORTH) for suit in SUITS)
    return {"alliance": max(0.1, best - 3), "solo": max(0.01, best - 5), "vole": max(0.005, best - 7)}[move.call]


def _lead_weight(deal: QuadrilleDeal, card: str) -> float | None:
    """Return the weight of a lead: the Ombre's side draws trumps, highest first; the others lead at random."""
    play = deal.play
    assert play is not None
    if play.on_table or play.turn not in play.side.members():
        return None
    return float(play.ranking.power[INDEX[card]]) ** 2 + 1
