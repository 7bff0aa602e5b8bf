"""A Mit' whose caller may hold SQ or not: until the cards tell, the deal is read both ways (COU-5.2, 5.6, 11.22)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mypy_extensions import mypyc_attr

from ledger.events import Event
from ledger.games.couillon.mit_card import holds_mit_card
from ledger.games.kernel.copying import become, twin_of
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.tricks import Violations

if TYPE_CHECKING:
    from ledger.games.couillon.deal import CouillonDeal


@mypyc_attr(allow_interpreted_subclasses=True)
class DoubtfulMit:
    """The other reading of a deal in which a Mit' stands: `otherwise` its caller does not hold SQ, and it was void.

    The call is believed: what the deal finds with it is reported, and taken back if need be. `found` and
    `found_otherwise`: what either reading has broken since. `late` and `refuted`: what the deal had found out before
    about earlier events.
    """

    __slots__ = ("caller", "found", "found_otherwise", "late", "otherwise", "refuted")

    def __init__(self, deal: CouillonDeal, otherwise: CouillonDeal, caller: int, version: int) -> None:
        """`otherwise`: the deal as it was before the call."""
        self.caller = caller
        self.otherwise = otherwise
        self.found: list[Violation] = []
        self.found_otherwise: list[Violation] = [otherwise.raises.deny(otherwise, caller, version)]
        self.late, self.refuted = deal.late, deal.refuted
        deal.late, deal.refuted = [], []
        otherwise.late, otherwise.refuted = [], []

    def copy(self) -> DoubtfulMit:
        twin = twin_of(self)
        twin.otherwise = self.otherwise.copy()
        return twin

    def take(self, deal: CouillonDeal, event: Event, version: int, found: Violations) -> None:
        """Reads an event the other way, too, `found` being what the deal found in it; ends the doubt where that shows
        who holds SQ, or that there is no Mit' to be in doubt of.
        """
        self.found.extend(found)
        self.found_otherwise.extend(self.otherwise.apply(event, version))
        holds = deal.raises.mit is None or holds_mit_card(deal, self.caller)
        if holds is None:
            return
        if holds:
            deal.doubt = None
        else:
            become(deal, self.otherwise)
            if deal.play is not None and not deal.play.is_over:
                deal.play.on_end = deal.after_play
            self._amend(
                [one for one in self.found_otherwise if one not in self.found],
                [one for one in self.found if one not in self.found_otherwise],
            )
        rest = deal if deal.doubt is None else deal.doubt
        self._amend(rest.late, rest.refuted)
        rest.late, rest.refuted = self.late, self.refuted

    def _amend(self, proven: Sequence[Violation], disproved: Sequence[Violation]) -> None:
        """Adds what came out after the rest."""
        self.refuted = [*self.refuted, *(one for one in disproved if one not in self.late)]
        self.late = [one for one in self.late if one not in disproved]
        self.late = [*self.late, *(one for one in proven if one not in self.refuted)]
        self.refuted = [one for one in self.refuted if one not in proven]

    def late_violations(self, found: Violations) -> list[Violation]:
        """What is certain of what the deal has `found` of earlier events."""
        return [*self.late, *_in_both(found, self.otherwise.late_violations())]

    def refuted_violations(self, refuted: Violations) -> list[Violation]:
        """What is certainly no fault of what the deal has `refuted`."""
        return [*self.refuted, *_in_both(refuted, self.otherwise.refuted_violations())]


def _in_both(found: Violations, otherwise: Sequence[Violation]) -> list[Violation]:
    """The faults that both readings find, as the first one tells them."""
    found_there = {(one.code, one.version, one.seat) for one in otherwise}
    return [one for one in found if (one.code, one.version, one.seat) in found_there]
