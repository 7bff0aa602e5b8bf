"""The three card schemes: what is trumps, what beats what, what may be played (KOP sections 2, 6).

Everything is computed once per scheme into bit masks, so that a rule is one `&`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import mypyc_attr

from ledger.cards import INDEX, mask_of
from ledger.games.kernel.card_order import TrumpTable, ranked


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, kw_only=True)
class Scheme(TrumpTable):
    """One order of the cards; all trumps are one suit (KOP-2.10)."""

    name: str

    def permitted(self, hand: int, led: int, best: int, must_trump: bool, must_beat: bool) -> int:
        """The cards of `hand` that may be played to a trick (KOP-6.6 to 6.10)."""
        bound = hand & self.follows[led]  # KOP-6.6
        if not bound:
            bound = hand & self.trumps if must_trump else 0  # KOP-6.7, 6.10
            if not bound:
                return hand  # KOP-6.9
        return (must_beat and bound & self.beaten_by[best]) or bound  # KOP-6.8


def _scheme(name: str, trumps: str, *plain: str) -> Scheme:
    """A scheme from its lists in the rulebook's notation, high to low."""
    trump_cards, *suits = ([INDEX[card] for card in cards.split()] for cards in (trumps, *plain))
    follows, beaten_by = ranked(trump_cards, suits)  # KOP-6.5
    return Scheme(
        name=name, trumps=mask_of(trump_cards), follows=follows, serves=follows, binds=follows, beaten_by=beaten_by
    )


SCHEMES: Final = {
    scheme.name: scheme
    for scheme in (
        _scheme("standard", "HA HT CQ SQ HQ DQ CJ SJ HJ DJ DA DT", "CA CT", "SA ST"),  # KOP-2.7
        _scheme("new", "HA CT ST HT CQ SQ HQ DQ CJ SJ HJ DJ DA DT", "CA", "SA"),  # KOP-2.8
        _scheme("jacks", "CJ SJ HJ DJ", "CA CT CQ", "SA ST SQ", "HA HT HQ", "DA DT DQ"),  # KOP-2.9
    )
}


def scheme_of(contract: str | None, new_trumps: bool) -> Scheme:
    """The scheme of a deal (KOP-2.6); None: no contract was bid."""
    if contract in ("grand", "grand_du"):
        return SCHEMES["jacks"]
    return SCHEMES["new" if new_trumps else "standard"]
