"""The score sheet of a Couillon deal against the computed result (COU-11.40 to 11.45); compared, never believed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from ledger.events import Award, ScoreClaimed
from ledger.games.couillon.irregularities import violation
from ledger.games.couillon.outcome import CardPoints, CouillonOutcome, Tricks
from ledger.games.couillon.pack import ALL_POINTS, TEAMS, Form, Team
from ledger.games.couillon.scoring import Bars, Standing
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.settlement import amounts_beside, beside, sum_told, totals_after
from ledger.i18n import Words

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
    seats = len(deltas)
    both = beside(
        (_by_team("sheet_points", sheet.card_points, seats), _by_team("sheet_points", points, seats)),
        (_by_team("sheet_tricks", sheet.tricks, seats), _by_team("sheet_tricks", tricks, seats)),
    )
    if sheet.card_points not in (None, points):
        differs("sheet_points_differ", "COU-7.1", points=list(points), tricks=list(tricks), **both)
    elif sheet.tricks not in (None, tricks):
        differs("sheet_points_differ", "COU-7.38", points=list(points), tricks=list(tricks), **both)
    if sheet.winner is not UNSET and sheet.winner != outcome.winner:
        rule = "COU-7.3" if points[0] != points[1] else "COU-7.4" if outcome.winner is None else "COU-7.5"
        both = beside((_team(sheet.winner, seats), _team(outcome.winner, seats)))
        differs("sheet_winner_differs", rule, team=outcome.winner, **both)
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
    if sheet.winner is not UNSET and sheet.winner != award.winner:
        both = beside((_team(sheet.winner, len(deltas)), _team(award.winner, len(deltas))))
        found.append(violation("sheet_winner_differs", "COU-7.3", version, None, None, team=award.winner, **both))
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
    totals = totals_after(totals_before, deltas)
    is_wrong = claim.deltas not in (None, tuple(deltas)) or claim.totals not in (None, totals) or bool(claim.pool)
    both = amounts_beside(claim, deltas, totals, 0)
    amounts = {"deltas": list(deltas), "totals": list(totals), "left": list(standing.left())}
    if isinstance(standing, Bars):
        return _board_differs(sheet, standing, len(deltas), both if is_wrong else None, amounts, version)
    if is_wrong or sheet.gp not in (None, standing.gp):
        seats = len(deltas)
        left = beside((_by_team("sheet_gp", sheet.gp, seats), _by_team("sheet_gp", standing.gp, seats)))
        values = _together(left, both) | amounts
        return [violation("sheet_game_points_differ", "COU-7.32", version, None, None, **values)]
    return []


def _together(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    return {name: [*told, *second[name]] for name, told in first.items()}


def _by_team(key: str, amounts: Sequence[int] | None, seats: int) -> Any:
    """A sentence with what each team has, which is told by its players; None where nothing is told."""
    if amounts is None:
        return None
    each = [Words("sheet_team", {"players": _players(team, seats), "amount": amounts[team]}) for team in TEAMS]
    return Words(key, {"amounts": each})


def _team(team: int | UnsetType | None, seats: int) -> Words:
    """Who has won: a team, told by its players, or nobody."""
    return Words("sheet_draw") if team not in TEAMS else Words("sheet_winner", {"players": _players(int(team), seats)})


def _players(team: int, seats: int) -> list[Words]:
    return [Words("sheet_player", {"seat": seat}) for seat in range(team, seats, 2)]


def _board_differs(
    sheet: CouillonSheet,
    board: Bars,
    seats: int,
    wrong: dict[str, Any] | None,
    amounts: dict[str, Any],
    version: int,
) -> list[Violation]:
    """COU-11.42 to 11.44; what the sheet does not say of bars or circles is taken to be right.

    `wrong`: its amounts beside the computed ones, where they differ.
    """
    bars = tuple(len(side) for side in board.sides)
    circles = tuple(sum(side) for side in board.sides)
    drawn = (sheet.bars or bars, sheet.circles or circles)
    need = tuple(sum(of_team) for of_team in zip(*drawn, strict=True))
    found = []
    if wrong is not None or need != board.left():
        told = beside((_by_team("sheet_need", need, seats), _by_team("sheet_need", board.left(), seats)))
        values = (told if wrong is None else _together(told, wrong)) | amounts
        found.append(violation("sheet_need_differs", "COU-7.9", version, None, None, **values))
    if need == board.left() and drawn != (bars, circles):
        pictures = zip(("sheet_bars", "sheet_circles"), drawn, (bars, circles), strict=True)
        told = beside(*((_by_team(key, said, seats), _by_team(key, is_so, seats)) for key, said, is_so in pictures))
        values = {"bars": list(bars), "circles": list(circles)} | told
        found.append(violation("sheet_picture_differs", "COU-7.18", version, None, None, **values))
    if sheet.draw_mark is not None and bool(sheet.draw_mark) != (board.draw_mark > 0):
        rule = "COU-7.12" if board.draw_mark else "COU-7.15"
        name = "missing" if board.draw_mark else "too_many"
        both = beside((_mark(bool(sheet.draw_mark)), _mark(board.draw_mark > 0)))
        found.append(violation("sheet_draw_mark_differs", rule, version, None, None, found=name, **both))
    return found


def _mark(is_drawn: bool) -> Words:
    return Words("sheet_draw_mark" if is_drawn else "sheet_no_draw_mark")


def check_sums(claim: ScoreClaimed, form: Form, out: int | None, seats: int, version: int) -> list[Violation]:
    """For a deal without a computed result: whether the card points can be right at all (COU-7.37, 11.40).

    `out`: the card points out of play, None where the record does not tell.
    """
    points = sheet_of(claim).card_points
    if points is None:
        return []
    total = sum(points)
    least, most = (form.points_min, ALL_POINTS) if out is None else (ALL_POINTS - out, ALL_POINTS - out)
    if least <= total <= most:
        return []
    due = sum_told(least) if least == most else Words("sheet_sum_between", {"least": least, "most": most})
    both = beside((_by_team("sheet_points", points, seats), None), (sum_told(total), due))
    values = {"found": "sum", "points": list(points)}
    return [violation("sheet_points_differ", "COU-7.37", version, None, None, **values, **both)]
