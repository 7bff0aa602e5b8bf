"""What carries from deal to deal at a Couillon table: the board or the game points, the dealer, the end (COU-8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from mypy_extensions import mypyc_attr

from ledger.events import RulingGiven, ScoreClaimed
from ledger.games.couillon.deal import CouillonDeal, points_out
from ledger.games.couillon.irregularities import violation
from ledger.games.couillon.options import CouillonOptions
from ledger.games.couillon.outcome import CouillonOutcome
from ledger.games.couillon.scoring import Bars, Standing, awarded, scored, start
from ledger.games.couillon.sheet import check_sums, compare_awarded, compare_sheet, sheet_of
from ledger.games.kernel.findings import Decision, Violation
from ledger.games.kernel.match import Match
from ledger.games.kernel.settlement import Closing, ScoreLine, Settlement
from ledger.games.kernel.views import DealStatus


@mypyc_attr(allow_interpreted_subclasses=True)  # a match is copied: what would come of an act is tried on a twin
class CouillonMatch(Match):
    """A match is a race: `totals` add up how far each seat's team has come (nothing is paid, COU-7.42)."""

    excused_by_ruling: ClassVar[frozenset[str]] = frozenset(("COU-11.37",))

    def __init__(self, options: CouillonOptions, seats: int) -> None:
        self.options = options
        self.seats = seats
        self.standing: Standing = start(options)
        self.totals = [0] * seats
        self.is_over = False
        self.is_decided = False
        self.winner: int | None = None
        self.deals_counted = 0
        self.last_dealer = None
        self.is_redeal = False
        self.last_deal = options.last_deal
        self.dealer = 0
        self.deal = CouillonDeal(options, seats, 0)

    # --- deals --------------------------------------------------------------------------------------------------------

    def wrong_dealer(self, dealer: int, version: int) -> Violation:
        rule = "COU-3.11" if self.is_redeal else "COU-3.10"
        return violation("wrong_dealer", rule, version, dealer, due=self.expected_dealer())

    def after_match(self, seat: int | None, version: int) -> Violation:
        return violation("deal_after_end", "COU-8.6", version, seat)

    def start_deal(self, dealer: int) -> CouillonDeal:
        self.dealer = dealer
        self.deal = CouillonDeal(self.options, self.seats, dealer)
        return self.deal

    def progress(self) -> Settlement:
        """Nothing moves before a deal is scored (COU-3.13)."""
        return self._settlement([])

    def stake(self) -> Settlement:
        return self.progress()

    def computed(self, outcome: CouillonOutcome) -> Settlement:
        return self._settlement(self._scored(outcome)[1])

    def _scored(self, outcome: CouillonOutcome) -> tuple[Standing, list[ScoreLine]]:
        return scored(self.standing, outcome, self.options, self.dealer)

    def _settlement(self, lines: list[ScoreLine]) -> Settlement:
        deltas = [0] * self.seats
        for line in lines:
            source, target, amount = line.source, line.target, line.amount
            if isinstance(target, int):
                deltas[target] += amount
            elif isinstance(source, int):
                deltas[source] -= amount
        return Settlement(deltas, 0, 0, lines)

    def settle(
        self, status: DealStatus, outcome: CouillonOutcome | None, decision: Decision | None
    ) -> tuple[DealStatus, Settlement]:
        """Ends the deal in progress; a ruling in force says otherwise than the cards."""
        if self.is_over:
            return "voided" if status == "voided" else "unscorable", self.progress()  # COU-8.6, 11.46
        status, standing, lines = self._decided(status, outcome, decision)
        self.last_dealer = self.dealer  # COU-11.8
        self.is_redeal = status == "voided"
        settlement = self._settlement(lines)
        if status == "complete":
            self.standing = standing
            self.deals_counted += 1
            self._see_the_end()
        for seat, delta in enumerate(settlement.deltas):
            self.totals[seat] += delta
        return status, settlement

    def _decided(
        self, status: DealStatus, outcome: CouillonOutcome | None, decision: Decision | None
    ) -> tuple[DealStatus, Standing, list[ScoreLine]]:
        kind = None if decision is None else decision.ruling.kind
        if decision is not None and kind == "award" and decision.ruling.award is not None:
            return "complete", *awarded(self.standing, decision.ruling.award, self.options)  # COU-10.3
        if status == "voided" or kind == "void":
            return "voided", self.standing, []  # COU-10.2
        if status != "complete" and decision is not None and kind == "accept" and decision.sheet is not None:
            outcome = self._accepted(decision.sheet)
            status = "complete"
        if status == "complete" and outcome is not None:
            return "complete", *self._scored(outcome)
        return "unscorable", self.standing, []  # COU-11.7

    def _accepted(self, claim: ScoreClaimed) -> CouillonOutcome | None:
        """What the score sheet makes of a deal that its cards do not settle (COU-10.4)."""
        sheet = sheet_of(claim)
        if sheet.card_points is None:
            return None
        first, second = sheet.card_points
        needs_tricks = self.options.is_on_points and self.options.all_tricks_bonus
        if sheet.tricks is None and needs_tricks and not (first and second):
            return None
        return self.deal.outcome_with(sheet.card_points, sheet.tricks or (int(first > 0), int(second > 0)))

    def _see_the_end(self) -> None:
        """COU-8.3 to 8.8."""
        self.winner = self.standing.finished()
        self.is_decided = self.winner is not None
        if not self.is_decided and self.deals_counted == self.last_deal:
            first, second = self.standing.left()
            self.is_decided = True
            self.winner = None if first == second else 0 if first < second else 1  # COU-8.8
        self.is_over = self.is_decided

    def compare(self, claim: ScoreClaimed, outcome: Any | None, version: int) -> Sequence[Violation]:
        if outcome is None:
            return check_sums(claim, self.options.form, points_out(self.deal), len(self.totals), version)
        standing, lines = self._scored(outcome)
        return compare_sheet(claim, outcome, standing, self._settlement(lines).deltas, self.totals, version)

    def compare_accepted(self, claim: ScoreClaimed, accepted: ScoreClaimed, version: int) -> Sequence[Violation]:
        """The accepted card points against the pack, everything else against what they make (COU-10.4, 10.7)."""
        outcome = self._accepted(accepted)
        found = self.compare(claim, None, version)
        return found if outcome is None else [*found, *self.compare(claim, outcome, version)]

    def compare_ruled(self, claim: ScoreClaimed, ruling: RulingGiven, version: int) -> Sequence[Violation]:
        """Against the board, or the game points, that an award makes (COU-10.3)."""
        if ruling.award is None or self.is_over:
            return ()
        standing, lines = awarded(self.standing, ruling.award, self.options)
        return compare_awarded(claim, ruling.award, standing, self._settlement(lines).deltas, self.totals, version)

    def adjust(self, deltas: Sequence[int], pool: int) -> None:
        """Couillon has no adjustments (contract 5)."""

    # --- the end ------------------------------------------------------------------------------------------------------

    def close(self) -> Closing | None:
        """Closing a table ends its match, if need be without a winner; nothing is paid."""
        self.is_over = True
        return None

    def state(self) -> dict[str, Any]:
        """The board with NEED, or the game points."""
        standing = self.standing
        if isinstance(standing, Bars):
            return {
                "sides": [list(side) for side in standing.sides],
                "need": list(standing.left()),
                "draw_mark": standing.draw_mark,
            }
        return {"gp": list(standing.gp)}

    def winners(self) -> list[int]:
        """The seats of the winning team; nobody in a drawn match or one that was closed before its end."""
        return [] if self.winner is None else list(range(self.winner, self.seats, 2))
