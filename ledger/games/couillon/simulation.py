"""Makes Couillon tables that look played: what is dealt, called and led, drawn by chance but not blindly.

Only legal choices come here to be weighed; nothing of this is a rule.
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
"""How likely each announcement is whenever it is possible."""


_WEIGHED_AS: Final = dict(zip(SUITS, reversed(SUITS), strict=True))
"""Naming trumps weighs each suit by the cards of another: a fault kept so that a seed still makes the same tables."""


class CouillonSimulation(Simulation):
    """The choices of players who know a good hand when they see one, and err."""

    points = POINTS
    variants = tuple({"form": form} for form in FORMS)

    def deal_cards(self, options: CouillonOptions, seats: int, dealer: int, chance: Chance) -> CardsDealt:
        """A shuffled pack, cut and dealt out (COU-3.12 to 3.21)."""
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
        """The seats of its team (COU-2.7)."""
        return mask_of(range(team_of(seat), deal.seats, len(TEAMS)))


def _worth(hand: int, suit: str) -> float:
    """How much these cards make one wish for that suit as trumps."""
    aces = sum(1 for plain in SUITS if hand >> INDEX[plain + "A"] & 1)
    return (hand & TRUMP_TABLES[suit].trumps).bit_count() + aces / 2
