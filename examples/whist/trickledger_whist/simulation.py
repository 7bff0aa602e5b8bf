"""Random Whist tables. Every legal card is equally likely."""

from __future__ import annotations

from typing import Any

from ledger.cards import PACK_52
from ledger.events import CardsDealt
from ledger.games.kernel.protocol import Chance, Simulation
from trickledger_whist.play import SEATS


class WhistSimulation(Simulation):
    def deal_cards(self, options: Any, seats: int, dealer: int, chance: Chance) -> CardsDealt:
        """Deal card by card, starting after the dealer, so that the last card is the dealer's (WHI-3.1, 3.2)."""
        pack = tuple(chance.sample(PACK_52, len(PACK_52)))
        return CardsDealt(hands=tuple(pack[(seat - dealer - 1) % SEATS :: SEATS] for seat in range(SEATS)))
