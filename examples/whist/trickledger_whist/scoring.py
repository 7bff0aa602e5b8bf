"""The points of a Whist deal: a pure function from outcome to score lines (WHI section 7)."""

from __future__ import annotations

from ledger.games.kernel.settlement import ScoreLine
from ledger.i18n import Words
from trickledger_whist.outcome import WhistOutcome


def score_lines(outcome: WhistOutcome) -> list[ScoreLine]:
    """Return the points of the winning side, written for both its seats; nobody pays them (WHI-7.2, 7.3)."""
    words = Words("odd_tricks", {"tricks": max(outcome.tricks)})
    side = outcome.winning_side
    return [ScoreLine("WHI-7.2", "board", seat, outcome.points, words) for seat in (side, side + 2)]
