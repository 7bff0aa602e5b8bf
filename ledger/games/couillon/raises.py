"""Mit', Kontra and Re in one Couillon deal: who may call them when, and which of them stand (COU section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from mypy_extensions import mypyc_attr

from ledger.games.copying import twin_of
from ledger.games.couillon.irregularities import violation
from ledger.games.couillon.mit_card import holds_mit_card, mit_card_is_out
from ledger.games.couillon.results import team_of
from ledger.games.protocol import Violation

if TYPE_CHECKING:
    from ledger.games.couillon.deal import CouillonDeal

RAISES: Final = ("mit", "kontra", "re")  # COU-5.16


@mypyc_attr(allow_interpreted_subclasses=True)
class Raises:
    """The calls that stand, each as seat and mark; null where not called.

    `is_doubtful`: the caller of `mit` has cards that nobody knows, SQ perhaps among them. `unheld`: void calls of `mit`
    of which it is not known whether their seats held SQ.
    """

    __slots__ = ("is_doubtful", "kontra", "mit", "re", "unheld")

    def __init__(self) -> None:
        self.mit: tuple[int, int] | None = None
        self.kontra: tuple[int, int] | None = None
        self.re: tuple[int, int] | None = None
        self.is_doubtful = False
        self.unheld: tuple[tuple[int, int], ...] = ()

    def copy(self) -> Raises:
        return twin_of(self)

    def call(self, deal: CouillonDeal, what: str, seat: int, mark: int) -> Sequence[Violation]:
        """Makes a call, if it is lawful; a void one changes nothing (COU-5.14)."""
        if not deal.options.has_mit:
            return (violation("no_mit_here", "COU-2.2", mark, seat, call=what),)
        legal = tuple(word for other, word in self.possible(deal) if other == seat)
        if what == "mit":
            return self._call_mit(deal, seat, mark, legal)
        if what == "kontra":
            rule = self._against_kontra(deal, seat)
            if rule is None:
                self.kontra = (seat, mark)
            return () if rule is None else (violation("kontra_not_allowed", rule, mark, seat, legal),)
        rule = self._against_re(deal, seat)
        if rule is None:
            self.re = (seat, mark)
        return () if rule is None else (violation("re_not_allowed", rule, mark, seat, legal),)

    def _call_mit(self, deal: CouillonDeal, seat: int, mark: int, legal: tuple[str, ...]) -> Sequence[Violation]:
        found = []
        holds = holds_mit_card(deal, seat)
        if holds is False:
            missing = "COU-5.3" if mit_card_is_out(deal) else "COU-5.2"
            found.append(violation("mit_without_queen", missing, mark, seat, legal))
        rule = self._against_mit(deal, seat)
        if rule is not None:
            found.append(violation("mit_not_allowed", rule, mark, seat, legal))
            if holds is None:
                self.unheld += ((seat, mark),)
        if not found:
            self.mit = (seat, mark)
            self.is_doubtful = holds is None
        return found

    def _against_mit(self, deal: CouillonDeal, seat: int) -> str | None:
        """The rule that a Mit' now breaks by its moment (COU-11.23)."""
        if self.mit is not None:
            return "COU-5.2"
        if deal.recorded is not None:
            return "COU-5.12"
        if deal.play is None or deal.trumps.suit is None:
            return "COU-5.1"
        holder = deal.holder_of_mit_card()
        if holder is None and holds_mit_card(deal, seat) is False:
            return None  # nothing shows that the holder has played, or that there is one
        return "COU-5.12" if deal.play.has_played(seat if holder is None else holder) else None

    def _window_is_open(self, deal: CouillonDeal) -> bool:
        """Whether the caller of the standing Mit' has still to play his first card (COU-5.1, 5.12)."""
        return self.mit is not None and deal.play is not None and not deal.play.has_played(self.mit[0])

    def _against_kontra(self, deal: CouillonDeal, seat: int) -> str | None:
        if self.mit is None or team_of(seat) == team_of(self.mit[0]):
            return "COU-5.8"
        if self.kontra is not None:
            return "COU-5.9"
        return None if self._window_is_open(deal) else "COU-5.12"

    def _against_re(self, deal: CouillonDeal, seat: int) -> str | None:
        if self.mit is None or self.kontra is None or team_of(seat) != team_of(self.mit[0]):
            return "COU-5.10"
        if self.re is not None:
            return "COU-5.11"
        return None if self._window_is_open(deal) else "COU-5.12"

    def possible(self, deal: CouillonDeal) -> list[tuple[int, str]]:
        """Who may call what now; of hidden hands, whoever may hold SQ may call `mit`."""
        if not deal.options.has_mit or deal.play is None or deal.play.is_over:
            return []
        seats = range(deal.seats)
        if self.mit is None:
            return [
                (seat, "mit")
                for seat in seats
                if holds_mit_card(deal, seat) is not False and self._against_mit(deal, seat) is None
            ]
        said = [(seat, "kontra") for seat in seats if self._against_kontra(deal, seat) is None]
        return said or [(seat, "re") for seat in seats if self._against_re(deal, seat) is None]

    def disproved(self) -> list[Violation]:
        """The caller of the Mit' turns out not to hold SQ: all three calls are void, and were from the first."""
        found = []
        if self.mit is not None:
            found.append(violation("mit_without_queen", "COU-5.2", self.mit[1], self.mit[0], found="unseen"))
        if self.kontra is not None:
            found.append(violation("kontra_not_allowed", "COU-5.8", self.kontra[1], self.kontra[0]))
        if self.re is not None:
            found.append(violation("re_not_allowed", "COU-5.10", self.re[1], self.re[0]))
        self.mit = self.kontra = self.re = None
        self.is_doubtful = False
        return found
