"""Mit', Kontra and Re in one Couillon deal: who may call them when, and which of them stand (COU section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from mypy_extensions import mypyc_attr

from ledger.games.couillon.irregularities import violation
from ledger.games.couillon.mit_card import holds_mit_card, mit_card_is_out
from ledger.games.couillon.results import team_of
from ledger.games.kernel.copying import twin_of
from ledger.games.kernel.findings import Violation

if TYPE_CHECKING:
    from ledger.games.couillon.deal import CouillonDeal

RAISES: Final = ("mit", "kontra", "re")  # COU-5.16


class VoidMit(NamedTuple):
    """A void call of `mit`. `rule`: what it breaks by its moment, whoever holds SQ. `played`: the seats that had played
    a card by then. `found`: what was found of it at once.
    """

    seat: int
    version: int
    legal: tuple[str, ...]
    rule: str | None
    played: frozenset[int]
    found: tuple[Violation, ...]


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Raises:
    """The calls that stand, each as seat and version; None where not called.

    `void_mits`: void calls of `mit` made before it was known who holds SQ.
    """

    __slots__ = ("kontra", "mit", "re", "void_mits")

    def __init__(self) -> None:
        self.mit: tuple[int, int] | None = None
        self.kontra: tuple[int, int] | None = None
        self.re: tuple[int, int] | None = None
        self.void_mits: tuple[VoidMit, ...] = ()

    def copy(self) -> Raises:
        return twin_of(self)

    def call(self, deal: CouillonDeal, what: str, seat: int, version: int) -> Sequence[Violation]:
        """Makes a call, if it is lawful; a void one changes nothing (COU-5.14)."""
        if not deal.options.has_mit:
            return (violation("no_mit_here", "COU-2.2", version, seat, call=what),)
        legal = tuple(word for other, word in self.possible(deal) if other == seat)
        if what == "mit":
            return self._call_mit(deal, seat, version, legal)
        if what == "kontra":
            rule = self._against_kontra(deal, seat)
            if rule is None:
                self.kontra = (seat, version)
            return () if rule is None else (violation("kontra_not_allowed", rule, version, seat, legal),)
        rule = self._against_re(deal, seat)
        if rule is None:
            self.re = (seat, version)
        return () if rule is None else (violation("re_not_allowed", rule, version, seat, legal),)

    def _call_mit(self, deal: CouillonDeal, seat: int, version: int, legal: tuple[str, ...]) -> Sequence[Violation]:
        found = []
        holds = holds_mit_card(deal, seat)
        if holds is False:
            found.append(violation("mit_without_queen", _rule_without_queen(deal), version, seat, legal))
        rule = self._against_mit(deal, seat)
        if rule is not None:
            found.append(violation("mit_not_allowed", rule, version, seat, legal))
        if found:
            self._remember(deal, seat, version, legal, found)
        else:
            self.mit = (seat, version)
        return found

    def deny(self, deal: CouillonDeal, seat: int, version: int) -> Violation:
        """The call of `mit` is void, its seat not holding SQ: what that breaks."""
        deal.without_mit_card |= {seat}
        found = violation("mit_without_queen", "COU-5.2", version, seat, found="unseen")
        self._remember(deal, seat, version, (), [found])
        return found

    def _remember(
        self, deal: CouillonDeal, seat: int, version: int, legal: tuple[str, ...], found: Sequence[Violation]
    ) -> None:
        if deal.holder_of_mit_card() is None and not mit_card_is_out(deal):
            played = frozenset() if deal.play is None else frozenset(deal.play.seats)
            rule = self._against_moment(deal)
            self.void_mits += (VoidMit(seat, version, legal, rule, played, tuple(found)),)

    def _against_moment(self, deal: CouillonDeal) -> str | None:
        """The rule that a Mit' now breaks whoever holds SQ (COU-11.23)."""
        if self.mit is not None:
            return "COU-5.2"
        if deal.recorded is not None:
            return "COU-5.12"
        return "COU-5.1" if deal.play is None or deal.trumps.suit is None else None

    def _against_mit(self, deal: CouillonDeal, seat: int) -> str | None:
        """The rule that a Mit' now breaks by its moment (COU-11.23)."""
        rule = self._against_moment(deal)
        if rule is not None or deal.play is None:
            return rule
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

    def late_violations(self, deal: CouillonDeal) -> list[Violation]:
        """What the cards have shown since of void calls of `mit`."""
        return [one for call in self.void_mits for one in _in_hindsight(deal, call) if one not in call.found]

    def refuted_violations(self, deal: CouillonDeal) -> list[Violation]:
        """What was found of void calls of `mit` and is no fault, as the cards have shown since."""
        return [one for call in self.void_mits for one in call.found if one not in _in_hindsight(deal, call)]


def _in_hindsight(deal: CouillonDeal, call: VoidMit) -> list[Violation]:
    """COU-11.22 and 11.23 of a void call of `mit`, as far as it shows by now who holds SQ."""
    holder, holds = deal.holder_of_mit_card(), holds_mit_card(deal, call.seat)
    if holds is None:
        return list(call.found)
    rule = "COU-5.12" if call.rule is None and holder in call.played else call.rule
    legal = tuple(word for word in call.legal if word != "mit")
    right: list[Violation] = []
    if not holds:
        missing = _rule_without_queen(deal)
        right.append(violation("mit_without_queen", missing, call.version, call.seat, legal, found="unseen"))
    if rule is not None:
        right.append(violation("mit_not_allowed", rule, call.version, call.seat, legal))
    found = {(one.code, one.rule): one for one in call.found}
    return [found.get((one.code, one.rule), one) for one in right]


def _rule_without_queen(deal: CouillonDeal) -> str:
    return "COU-5.3" if mit_card_is_out(deal) else "COU-5.2"
