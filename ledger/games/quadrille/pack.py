"""Quadrille's seats, hands, tricks, the cards on which rules hang (QUA-2, 3, 5, 6), and its results (QUA-7.1 to 7.4).

The pack itself and the order of its cards are those of Ombre, too: `kernel.matadors`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from ledger.cards import BIT, INDEX, SUITS
from ledger.games.kernel.card_order import course_of
from ledger.games.kernel.matadors import PASS

SEATS: Final = 4  # QUA-2.1
HAND: Final = 10  # QUA-3.8
PACK_SIZE: Final = SEATS * HAND  # QUA-3.10: no stock
TRICKS: Final = 10  # QUA-3.8
PREMIERS: Final = 6  # QUA-6.14: the first six tricks, and so many win the deal (QUA-7.2)

COURSE: Final = course_of(tuple(range(SEATS)), TRICKS, PREMIERS)
ORDERS: Final = [tuple((dealer + step) % SEATS for step in range(1, SEATS + 1)) for dealer in range(SEATS)]
"""The seats from the dealer's right on (QUA-4.6), by the dealer."""

SPADILLE_BIT: Final = BIT["SA"]
"""The card that forces its holder to play (QUA-4.15)."""

HONOURS: Final = sum(1 << INDEX[suit + rank] for suit in SUITS for rank in "KQ")
"""The cards on which it depends what may be called (QUA-5.5 to 5.11)."""


def cutter(dealer: int, seats: int = SEATS) -> int:
    """The player at the dealer's left (QUA-3.7)."""
    return (dealer - 1) % SEATS


def first_leader(dealer: int, seats: int = SEATS) -> int:
    """The player at the dealer's right (QUA-2.2, 6.1)."""
    return (dealer + 1) % SEATS


Result: TypeAlias = Literal["win", "remise", "codille", "thrown_in"]
Contract: TypeAlias = Literal["alliance", "solo", "vole", "forced"]
Ending: TypeAlias = Literal["played", "stopped", "premiers", "claimed"]
SideName: TypeAlias = Literal["ombre", "opponents"]
Vole: TypeAlias = Literal["made", "failed"]

BIDS: Final[tuple[str, ...]] = ("alliance", "solo", "vole")  # QUA-4.1, weakest first
CALLS: Final = frozenset((PASS, *BIDS))

WITH_PARTNER: Final = ("alliance", "forced")
"""The contracts in which a card is called (QUA-5.4)."""


def tricks_of_side(tricks: Sequence[int], ombre: int, partner: int | None, claimed_for: str | None) -> int:
    """t: the tricks of the Ombre's side, with those that an accepted claim gave it (QUA-7.1)."""
    own = tricks[ombre]
    partners = 0 if partner is None else tricks[partner]
    claimed = TRICKS - sum(tricks) if claimed_for == "ombre" else 0
    return own + partners + claimed


def result_of(tricks: int) -> Result:
    """The result of so many tricks of the Ombre's side (QUA-7.2)."""
    return "win" if tricks >= PREMIERS else "remise" if tricks == PREMIERS - 1 else "codille"


def vole_result(tricks: int) -> Vole:
    """What became of a vole at stake (QUA-7.4)."""
    return "made" if tricks == TRICKS else "failed"
