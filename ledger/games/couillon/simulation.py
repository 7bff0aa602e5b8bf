"""Makes Couillon tables that look played: what is dealt, called and led, drawn by chance but not blindly.

Only legal choices come here to be weighed; nothing of this is a rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ledger.cards import INDEX, SUITS, mask_of, texts_in
from ledger.events import CardsDealt
from ledger.games.couillon.dealing import packets_of
from ledger.games.couillon.forms import FORMS
from ledger.games.couillon.options import CouillonOptions
from ledger.games.couillon.pack import POINTS, TRUMP_TABLES, cutter
from ledger.games.couillon.results import TEAMS, team_of
from ledger.games.couillon.state import CouillonState
from ledger.games.kernel.protocol import Chance, Simulation

_CHANCES: Final = {"mit": 0.3, "kontra": 0.1, "re": 0.15, "concede": 0.02}
"""How likely each announcement is whenever it is possible."""


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

    def weights(self, deal: CouillonState, kind: str, values: Sequence[Any]) -> Sequence[float] | None:
        """How likely each of these is; None: all alike."""
        if kind == "announced":
            return [_CHANCES[value.rpartition(":")[2]] for value in values]
        if kind == "bid_made" and "take" in values:
            seat, upcard = deal.turn(), deal.trumps.upcard
            assert seat is not None and upcard is not None
            worth = _worth(deal.holdings.known[seat], upcard[0])
            return [2.0 if value == "pass" else worth for value in values]
        if kind == "trump_named":
            known = deal.hands[deal.trumps.forehand]
            first = sum(1 << INDEX[card] for card in (known or ())[: deal.form.first])
            return [3.0 ** _worth(first, suit) for suit in SUITS for value in values if value == suit]
        return None

    def allies(self, deal: CouillonState, seat: int) -> int:
        """The seats of its team (COU-2.7)."""
        return mask_of(range(team_of(seat), deal.seats, len(TEAMS)))


def _worth(hand: int, suit: str) -> float:
    """How much these cards make one wish for that suit as trumps."""
    aces = sum(1 for plain in SUITS if hand >> INDEX[plain + "A"] & 1)
    return (hand & TRUMP_TABLES[suit].trumps).bit_count() + aces / 2


SIMULATION: Final = CouillonSimulation()
