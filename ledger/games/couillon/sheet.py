"""The score sheet of a Couillon deal against the computed result (COU-11.40 to 11.45); compared, never believed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from ledger.events import Award, ScoreClaimed
from ledger.games.couillon.forms import Form
from ledger.games.couillon.irregularities import violation
from ledger.games.couillon.outcome import CardPoints, CouillonOutcome, Tricks
from ledger.games.couillon.pack import ALL_POINTS
from ledger.games.couillon.results import Team
from ledger.games.couillon.scoring import Bars, Standing
from ledger.games.kernel.findings import Violation

Count = Annotated[int, Meta(ge=0, le=1_000_000)]


class CouillonSheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The game's own fields of a score sheet (contract 6), per team: only what is written is compared.

    `winner` null: a draw. `bars` and `circles`: how many of each a side of the board shows. `draw_mark`: whether it is
    on the board, or how many draws it stands for.
    """

    card_points: tuple[CardPoints, CardPoints] | None = None
    tricks: tuple[Tricks, Tricks] | None = None
    winner: Team | UnsetType | None = UNSET
    bars: tuple[Count, Count] | None = None
    circles: tuple[Count, Count] | None = None
    draw_mark: bool | Count | None = None
    gp: tuple[int, int] | None = None


def sheet_of(claim: ScoreClaimed) -> CouillonSheet:
    return msgspec.convert(claim.sheet or {}, CouillonSheet)


def compare_sheet(
    claim: ScoreClaimed,
    outcome: CouillonOutcome,
    standing: Standing,
    deltas: Sequence[int],
    totals_before: Sequence[int],
    version: int,
) -> list[Violation]:
    """What the sheet says otherwise than the outcome and the standing after it."""
    sheet = sheet_of(claim)
    found: list[Violation] = []

    def differs(name: str, rule: str, **values: Any) -> None:
        found.append(violation(name, rule, version, None, None, **values))

    points, tricks = outcome.card_points, outcome.tricks
    if sheet.card_points not in (None, points):
        differs("sheet_points_differ", "COU-7.1", points=list(points), tricks=list(tricks))
    elif sheet.tricks not in (None, tricks):
        differs("sheet_points_differ", "COU-7.38", points=list(points), tricks=list(tricks))
    if sheet.winner not in (UNSET, outcome.winner):
        rule = "COU-7.3" if points[0] != points[1] else "COU-7.4" if outcome.winner is None else "COU-7.5"
        differs("sheet_winner_differs", rule, team=outcome.winner)
    return [*found, *_standing_differs(claim, sheet, standing, deltas, totals_before, version)]


def compare_awarded(
    claim: ScoreClaimed,
    award: Award,
    standing: Standing,
    deltas: Sequence[int],
    totals_before: Sequence[int],
    version: int,
) -> list[Violation]:
    """What the sheet says otherwise than an award, which does not tell of card points or tricks (COU-10.3)."""
    sheet = sheet_of(claim)
    found = []
    if sheet.winner not in (UNSET, award.winner):
        found.append(violation("sheet_winner_differs", "COU-7.3", version, None, None, team=award.winner))
    return [*found, *_standing_differs(claim, sheet, standing, deltas, totals_before, version)]


def _standing_differs(
    claim: ScoreClaimed,
    sheet: CouillonSheet,
    standing: Standing,
    deltas: Sequence[int],
    totals_before: Sequence[int],
    version: int,
) -> list[Violation]:
    """COU-11.42 to 11.45."""
    totals = [before + delta for before, delta in zip(totals_before, deltas, strict=True)]
    is_wrong = (
        claim.deltas not in (None, tuple(deltas)) or claim.totals not in (None, tuple(totals)) or bool(claim.pool)
    )
    amounts = {"deltas": list(deltas), "totals": totals, "left": list(standing.left())}
    if isinstance(standing, Bars):
        return _board_differs(sheet, standing, is_wrong, amounts, version)
    if is_wrong or sheet.gp not in (None, standing.gp):
        return [violation("sheet_game_points_differ", "COU-7.32", version, None, None, **amounts)]
    return []


def _board_differs(
    sheet: CouillonSheet, board: Bars, is_wrong: bool, amounts: dict[str, Any], version: int
) -> list[Violation]:
    """COU-11.42 to 11.44; what the sheet does not say of bars or circles is taken to be right."""
    bars = tuple(len(side) for side in board.sides)
    circles = tuple(sum(side) for side in board.sides)
    drawn = (sheet.bars or bars, sheet.circles or circles)
    need = tuple(sum(of_team) for of_team in zip(*drawn, strict=True))
    found = []
    if is_wrong or need != board.left():
        found.append(violation("sheet_need_differs", "COU-7.9", version, None, None, **amounts))
    if need == board.left() and drawn != (bars, circles):
        found.append(
            violation("sheet_picture_differs", "COU-7.18", version, None, None, bars=list(bars), circles=list(circles))
        )
    if sheet.draw_mark is not None and bool(sheet.draw_mark) != (board.draw_mark > 0):
        rule = "COU-7.12" if board.draw_mark else "COU-7.15"
        name = "missing" if board.draw_mark else "too_many"
        found.append(violation("sheet_draw_mark_differs", rule, version, None, None, found=name))
    return found


def check_sums(claim: ScoreClaimed, form: Form, out: int | None, version: int) -> list[Violation]:
    """For a deal without a computed result: whether the card points can be right at all (COU-7.37, 11.40)."""
    points = sheet_of(claim).card_points
    if points is None:
        return []
    total = sum(points)
    can_be = total + out == ALL_POINTS if out is not None else form.points_min <= total <= ALL_POINTS
    if can_be:
        return []
    return [violation("sheet_points_differ", "COU-7.37", version, None, None, found="sum", points=list(points))]
