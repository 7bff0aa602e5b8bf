"""Quadrille's seats, hands, tricks, calls (QUA-2 to 6) and results (QUA-7.1 to 7.4).

The pack and the ranking of its cards are shared with Ombre: `kernel.matadors`.
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
PREMIERS: Final = 6  # QUA-6.14: the first six tricks; six also win the deal (QUA-7.2)

COURSE: Final = course_of(tuple(range(SEATS)), TRICKS, PREMIERS)
ORDERS: Final = [tuple((dealer + step) % SEATS for step in range(1, SEATS + 1)) for dealer in range(SEATS)]
"""The seats in order of calling, starting at the dealer's right (QUA-4.6), by dealer."""

SPADILLE_BIT: Final = BIT["SA"]
"""The card that forces its holder to play (QUA-4.15)."""

HONOURS: Final = sum(1 << INDEX[suit + rank] for suit in SUITS for rank in "KQ")
"""The cards that decide which cards may be called (QUA-5.5 to 5.11), as a mask."""


def cutter(dealer: int, seats: int = SEATS) -> int:
    """Return the seat at the dealer's left (QUA-3.7)."""
    return (dealer - 1) % SEATS


def first_leader(dealer: int, seats: int = SEATS) -> int:
    """Return the seat at the dealer's right (QUA-2.2, 6.1)."""
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
    """Return t, the tricks of the Ombre's side, including those that an accepted claim gave it (QUA-7.1)."""
    own = tricks[ombre]
    partners = 0 if partner is None else tricks[partner]
    claimed = TRICKS - sum(tricks) if claimed_for == "ombre" else 0
    return own + partners + claimed


def result_of(tricks: int) -> Result:
    """Return the result for this number of tricks of the Ombre's side (QUA-7.2)."""
    return "win" if tricks >= PREMIERS else "remise" if tricks == PREMIERS - 1 else "codille"


def vole_result(tricks: int) -> Vole:
    """Return the result of a vole at stake (QUA-7.4)."""
    return "made" if tricks == TRICKS else "failed"
