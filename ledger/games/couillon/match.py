"""The state carried from deal to deal at a Couillon table, and the comparison with score sheets (COU-7, 8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec
from msgspec import UNSET, UnsetType
from mypy_extensions import mypyc_attr

from ledger.events import RulingGiven, ScoreClaimed
from ledger.games.couillon.deal import CouillonDeal, points_out
from ledger.games.couillon.irregularities import violation
from ledger.games.couillon.options import CouillonOptions
from ledger.games.couillon.outcome import CouillonOutcome, CouillonSheet
from ledger.games.couillon.pack import ALL_POINTS, TEAMS
from ledger.games.couillon.scoring import Bars, MatchScore, awarded, scored, start
from ledger.games.kernel.findings import Decision, Violation
from ledger.games.kernel.match import Match
from ledger.games.kernel.settlement import (
    Closing,
    ScoreLine,
    Settlement,
    amounts_comparison,
    comparison,
    sum_words,
    totals_after,
)
from ledger.games.kernel.views import DealStatus
from ledger.i18n import Words


@mypyc_attr(allow_interpreted_subclasses=True)  # a match is copied to try acts on
class CouillonMatch(Match):
    """The match of Couillon, a race: `totals` add up how far each seat's team has come; nothing is paid (COU-7.42)."""

    excused_by_ruling: ClassVar[frozenset[str]] = frozenset(("COU-11.37",))

    def __init__(self, options: CouillonOptions, seats: int) -> None:
        self.options = options
        self.seats = seats
        self.score: MatchScore = start(options)
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

    def wrong_dealer(self, dealer: int, version: int) -> Violation:
        """Return the violation for a deal by the wrong seat (COU-3.10, 3.11)."""
        rule = "COU-3.11" if self.is_redeal else "COU-3.10"
        return violation("wrong_dealer", rule, version, dealer, due=self.expected_dealer())

    def after_match(self, seat: int | None, version: int) -> Violation:
        """Return the violation for an act after the end of the match (COU-8.6)."""
        return violation("deal_after_end", "COU-8.6", version, seat)

    def start_deal(self, dealer: int) -> CouillonDeal:
        """Begin a deal and return its state machine."""
        self.dealer = dealer
        self.deal = CouillonDeal(self.options, self.seats, dealer)
        return self.deal

    def progress(self) -> Settlement:
        """Return no amounts: nothing moves before a deal is scored (COU-3.13)."""
        return self._settlement([])

    def stake(self) -> Settlement:
        """Return no amounts, as `progress` does."""
        return self.progress()

    def computed(self, outcome: CouillonOutcome) -> Settlement:
        """Return what the deal in progress moves by the rules alone."""
        return self._settlement(self._scored(outcome)[1])

    def _scored(self, outcome: CouillonOutcome) -> tuple[MatchScore, list[ScoreLine]]:
        return scored(self.score, outcome, self.options, self.dealer)

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
        """End the deal in progress, by a ruling in force or else by its outcome."""
        if self.is_over:
            return "voided" if status == "voided" else "unscorable", self.progress()  # COU-8.6, 11.46
        status, score, lines = self._decided(status, outcome, decision)
        self.last_dealer = self.dealer  # COU-11.8
        self.is_redeal = status == "voided"
        settlement = self._settlement(lines)
        if status == "complete":
            self.score = score
            self.deals_counted += 1
            self._update_end()
        for seat, delta in enumerate(settlement.deltas):
            self.totals[seat] += delta
        return status, settlement

    def _decided(
        self, status: DealStatus, outcome: CouillonOutcome | None, decision: Decision | None
    ) -> tuple[DealStatus, MatchScore, list[ScoreLine]]:
        kind = None if decision is None else decision.ruling.kind
        if decision is not None and kind == "award" and decision.ruling.award is not None:
            return "complete", *awarded(self.score, decision.ruling.award, self.options)  # COU-10.3
        if status == "voided" or kind == "void":
            return "voided", self.score, []  # COU-10.2
        if status != "complete" and decision is not None and kind == "accept" and decision.sheet is not None:
            outcome = self._accepted(decision.sheet)
            status = "complete"
        if status == "complete" and outcome is not None:
            return "complete", *self._scored(outcome)
        return "unscorable", self.score, []  # COU-11.7

    def _accepted(self, claim: ScoreClaimed) -> CouillonOutcome | None:
        """Return the outcome by an accepted score sheet of a deal that its cards do not settle (COU-10.4)."""
        sheet = _sheet_of(claim)
        if sheet.card_points is None:
            return None
        first, second = sheet.card_points
        needs_tricks = self.options.is_on_points and self.options.all_tricks_bonus
        if sheet.tricks is None and needs_tricks and not (first and second):
            return None
        return self.deal.outcome_with(sheet.card_points, sheet.tricks or (int(first > 0), int(second > 0)))

    def _update_end(self) -> None:
        """Update the winner and the end of the match (COU-8.3 to 8.8)."""
        self.winner = self.score.finished()
        self.is_decided = self.winner is not None
        if not self.is_decided and self.deals_counted == self.last_deal:
            first, second = self.score.left()
            self.is_decided = True
            self.winner = None if first == second else 0 if first < second else 1  # COU-8.8
        self.is_over = self.is_decided

    def compare(self, claim: ScoreClaimed, outcome: CouillonOutcome | None, version: int) -> Sequence[Violation]:
        """Return the differences between a sheet and the deal; without an outcome, only impossible card points."""
        sheet = _sheet_of(claim)
        if outcome is None:
            return self._compare_sum(sheet, version)
        violations: list[Violation] = []

        def differs(name: str, rule: str, **values: Any) -> None:
            violations.append(violation(name, rule, version, None, None, **values))

        points, tricks = outcome.card_points, outcome.tricks
        seats = self.seats
        both = comparison(
            (_by_team("sheet_points", sheet.card_points, seats), _by_team("sheet_points", points, seats)),
            (_by_team("sheet_tricks", sheet.tricks, seats), _by_team("sheet_tricks", tricks, seats)),
        )
        if sheet.card_points not in (None, points):
            differs("sheet_points_differ", "COU-7.1", points=list(points), tricks=list(tricks), **both)
        elif sheet.tricks not in (None, tricks):
            differs("sheet_points_differ", "COU-7.38", points=list(points), tricks=list(tricks), **both)
        if sheet.winner is not UNSET and sheet.winner != outcome.winner:
            rule = "COU-7.3" if points[0] != points[1] else "COU-7.4" if outcome.winner is None else "COU-7.5"
            both = comparison((_team(sheet.winner, seats), _team(outcome.winner, seats)))
            differs("sheet_winner_differs", rule, team=outcome.winner, **both)
        score, lines = self._scored(outcome)
        return [*violations, *self._compare_score(claim, sheet, score, lines, version)]

    def compare_accepted(self, claim: ScoreClaimed, accepted: ScoreClaimed, version: int) -> Sequence[Violation]:
        """Compare accepted card points with the pack, and the rest with the score that they make (COU-10.4, 10.7)."""
        outcome = self._accepted(accepted)
        violations = self.compare(claim, None, version)
        return violations if outcome is None else [*violations, *self.compare(claim, outcome, version)]

    def compare_ruled(self, claim: ScoreClaimed, ruling: RulingGiven, version: int) -> Sequence[Violation]:
        """Compare a sheet with the board or game points of an award, which has no card points (COU-10.3)."""
        award = ruling.award
        if award is None or self.is_over:
            return ()
        sheet, violations = _sheet_of(claim), []
        if sheet.winner is not UNSET and sheet.winner != award.winner:
            both = comparison((_team(sheet.winner, self.seats), _team(award.winner, self.seats)))
            violations.append(
                violation("sheet_winner_differs", "COU-7.3", version, None, None, team=award.winner, **both)
            )
        score, lines = awarded(self.score, award, self.options)
        return [*violations, *self._compare_score(claim, sheet, score, lines, version)]

    def _compare_score(
        self, claim: ScoreClaimed, sheet: CouillonSheet, score: MatchScore, lines: list[ScoreLine], version: int
    ) -> list[Violation]:
        """Return the differences of COU-11.42 to 11.45."""
        deltas = self._settlement(lines).deltas
        totals = totals_after(self.totals, deltas)
        is_wrong = claim.deltas not in (None, tuple(deltas)) or claim.totals not in (None, totals) or bool(claim.pool)
        both = amounts_comparison(claim, deltas, totals, 0)
        amounts = {"deltas": list(deltas), "totals": list(totals), "left": list(score.left())}
        if isinstance(score, Bars):
            return self._compare_board(sheet, score, both if is_wrong else None, amounts, version)
        if is_wrong or sheet.gp not in (None, score.gp):
            left = comparison((_by_team("sheet_gp", sheet.gp, self.seats), _by_team("sheet_gp", score.gp, self.seats)))
            values = _joined(left, both) | amounts
            return [violation("sheet_game_points_differ", "COU-7.32", version, None, None, **values)]
        return []

    def _compare_board(
        self,
        sheet: CouillonSheet,
        board: Bars,
        wrong: dict[str, Any] | None,
        amounts: dict[str, Any],
        version: int,
    ) -> list[Violation]:
        """Return the differences of COU-11.42 to 11.44; omitted bars or circles are taken to be right.

        `wrong`: the amounts of the sheet and the computed ones, if they differ.
        """
        seats = self.seats
        bars = tuple(len(side) for side in board.sides)
        circles = tuple(sum(side) for side in board.sides)
        drawn = (sheet.bars or bars, sheet.circles or circles)
        need = tuple(sum(of_team) for of_team in zip(*drawn, strict=True))
        violations = []
        if wrong is not None or need != board.left():
            compared = comparison((_by_team("sheet_need", need, seats), _by_team("sheet_need", board.left(), seats)))
            values = (compared if wrong is None else _joined(compared, wrong)) | amounts
            violations.append(violation("sheet_need_differs", "COU-7.9", version, None, None, **values))
        if need == board.left() and drawn != (bars, circles):
            pictures = zip(("sheet_bars", "sheet_circles"), drawn, (bars, circles), strict=True)
            compared = comparison(
                *((_by_team(key, said, seats), _by_team(key, is_so, seats)) for key, said, is_so in pictures)
            )
            values = {"bars": list(bars), "circles": list(circles)} | compared
            violations.append(violation("sheet_picture_differs", "COU-7.18", version, None, None, **values))
        if sheet.draw_mark is not None and bool(sheet.draw_mark) != (board.draw_mark > 0):
            rule = "COU-7.12" if board.draw_mark else "COU-7.15"
            name = "missing" if board.draw_mark else "too_many"
            both = comparison((_mark(bool(sheet.draw_mark)), _mark(board.draw_mark > 0)))
            violations.append(violation("sheet_draw_mark_differs", rule, version, None, None, found=name, **both))
        return violations

    def _compare_sum(self, sheet: CouillonSheet, version: int) -> list[Violation]:
        """Check whether the card points are possible (COU-7.37, 11.40), as far as the cards out of play are known."""
        points, form, out = sheet.card_points, self.options.form, points_out(self.deal)
        if points is None:
            return []
        total = sum(points)
        least, most = (form.points_min, ALL_POINTS) if out is None else (ALL_POINTS - out, ALL_POINTS - out)
        if least <= total <= most:
            return []
        due = sum_words(least) if least == most else Words("sheet_sum_between", {"least": least, "most": most})
        both = comparison((_by_team("sheet_points", points, self.seats), None), (sum_words(total), due))
        values = {"found": "sum", "points": list(points)}
        return [violation("sheet_points_differ", "COU-7.37", version, None, None, **values, **both)]

    def adjust(self, deltas: Sequence[int], pool: int) -> None:
        """Ignore an adjustment: Couillon has none (contract 5)."""

    def close(self) -> Closing | None:
        """End the match because the table is closed, perhaps without a winner; nothing is paid."""
        self.is_over = True
        return None

    def state(self) -> dict[str, Any]:
        """Return the board with NEED, or the game points."""
        score = self.score
        if isinstance(score, Bars):
            return {
                "sides": [list(side) for side in score.sides],
                "need": list(score.left()),
                "draw_mark": score.draw_mark,
            }
        return {"gp": list(score.gp)}

    def winners(self) -> list[int]:
        """Return the seats of the winning team; none if the match was drawn or closed before its end."""
        return [] if self.winner is None else list(range(self.winner, self.seats, 2))


def _sheet_of(claim: ScoreClaimed) -> CouillonSheet:
    return msgspec.convert(claim.sheet or {}, CouillonSheet)


def _joined(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    return {name: [*values, *second[name]] for name, values in first.items()}


def _by_team(key: str, amounts: Sequence[int] | None, seats: int) -> Any:
    """Put what each team has into a sentence with its players; return None without amounts."""
    if amounts is None:
        return None
    each = [Words("sheet_team", {"players": _players(team, seats), "amount": amounts[team]}) for team in TEAMS]
    return Words(key, {"amounts": each})


def _team(team: int | UnsetType | None, seats: int) -> Words:
    """Name the players of the winning team, or a draw."""
    return Words("sheet_draw") if team not in TEAMS else Words("sheet_winner", {"players": _players(int(team), seats)})


def _players(team: int, seats: int) -> list[Words]:
    return [Words("sheet_player", {"seat": seat}) for seat in range(team, seats, 2)]


def _mark(is_drawn: bool) -> Words:
    return Words("sheet_draw_mark" if is_drawn else "sheet_no_draw_mark")
