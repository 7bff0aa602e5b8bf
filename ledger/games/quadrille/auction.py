"""The bidding of one Quadrille deal: whose turn, what may be called, who becomes Ombre (QUA-4.1 to 4.18)."""

from __future__ import annotations

from typing import Final

from ledger.games.kernel.matadors import PASS, MatadorAuction
from ledger.games.quadrille.pack import SEATS

BIDS: Final[tuple[str, ...]] = ("alliance", "solo", "vole")  # QUA-4.1, weakest first
CALLS: Final = frozenset((PASS, *BIDS))


def auction_of(dealer: int) -> MatadorAuction:
    """Return the bidding of a deal, which begins at the dealer's right (QUA-4.6)."""
    return MatadorAuction(tuple([(dealer + step) % SEATS for step in range(1, SEATS + 1)]), BIDS)
