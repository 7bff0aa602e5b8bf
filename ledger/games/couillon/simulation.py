"""Random Couillon tables that look played: deals, calls and leads weighed by the cards.

Only legal moves are weighed; there are no rules here.
"""

from __future__ import annotations

from typing import Final

from ledger.cards import INDEX, SUITS, mask_of, texts_in
from ledger.events import Announced, BidMade, CardsDealt, Event, TrumpNamed
from ledger.games.couillon.dealing_rules import packets_of
from ledger.games.couillon.options import CouillonOptions
from ledger.games.couillon.pack import FORMS, POINTS, TEAMS, TRUMP_TABLES, cutter, team_of
from ledger.games.couillon.state import CouillonState
from ledger.games.kernel.protocol import Chance, Simulation

_CHANCES: Final = {"mit": 0.3, "kontra": 0.1, "re": 0.15, "concede": 0.02}
"""The probability of each announcement when it is possible."""


_WEIGHED_AS: Final = dict(zip(SUITS, reversed(SUITS), strict=True))
"""Each suit is weighed by the cards of another: a fault that is kept so that a seed still makes the same tables."""


class CouillonSimulation(Simulation):
    """Choices of players who recognise a good hand, and err."""

    points = POINTS
    variants = tuple({"form": form} for form in FORMS)

    def deal_cards(self, options: CouillonOptions, seats: int, dealer: int, chance: Chance) -> CardsDealt:
        """Deal a shuffled and cut pack (COU-3.12 to 3.21)."""
        pack = tuple(texts_in(options.form.pack))
        deck = tuple(chance.sample(pack, len(pack)))
        hands, stock = packets_of(deck, options.form, dealer)
        return CardsDealt(
            hands=tuple(tuple(hand or ()) for hand in hands),
            stock=tuple(stock or ()),
            deck=deck,
            cut_by=cutter(dealer, seats),
        )

    def weight(self, deal: CouillonState, move: Event) -> float | None:
        """Return how likely this call or announcement is; None for cards."""
        match move:
            case Announced():
                return _CHANCES[move.what]
            case BidMade(call="pass"):
                return 2.0
            case BidMade(call="take"):
                assert deal.trumps.upcard is not None
                return _worth(deal.holdings.known[move.seat], deal.trumps.upcard[0])
            case TrumpNamed():
                known = deal.hands[move.seat]
                first = sum(1 << INDEX[card] for card in (known or ())[: deal.form.first])
                return float(3.0 ** _worth(first, _WEIGHED_AS[move.suit]))
        return None

    def allies(self, deal: CouillonState, seat: int) -> int:
        """Return the seats of the own team (COU-2.7)."""
        return mask_of(range(team_of(seat), deal.seats, len(TEAMS)))


def _worth(hand: int, suit: str) -> float:
    """Estimate how good these cards are with that suit as trumps."""
    aces = sum(1 for plain in SUITS if hand >> INDEX[plain + "A"] & 1)
    return (hand & TRUMP_TABLES[suit].trumps).bit_count() + aces / 2
