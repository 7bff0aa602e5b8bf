"""What one Couillon deal moves on the board or in game points, with its score lines; pure functions (COU section 7)."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct, structs

from ledger.events import Award
from ledger.games.couillon.board import Side, circled, need, struck, with_extra_bar
from ledger.games.couillon.options import CouillonOptions
from ledger.games.couillon.outcome import CouillonOutcome
from ledger.games.couillon.results import TEAMS, team_of
from ledger.games.protocol import ScoreLine, Words


class Bars(Struct, frozen=True):
    """The board: both sides and the draw counter D (COU-7.7 to 7.10)."""

    sides: tuple[Side, Side]
    draw_mark: int = 0

    def left(self) -> tuple[int, int]:
        """How far each team is from winning: NEED."""
        return need(self.sides[0]), need(self.sides[1])

    def finished(self) -> int | None:
        """The team without a bar left (COU-8.3)."""
        first, second = self.sides
        return 0 if not first else 1 if not second else None


class GamePoints(Struct, frozen=True):
    """GP of both teams (COU-7.27)."""

    gp: tuple[int, int]

    def left(self) -> tuple[int, int]:
        """How far each team is from winning: GP, which may rise and fall without limit (COU-7.36)."""
        return self.gp

    def finished(self) -> int | None:
        """The team whose game points are 0 or less (COU-8.4)."""
        return next((team for team in TEAMS if self.gp[team] <= 0), None)


Standing: TypeAlias = Bars | GamePoints
"""What runs on from deal to deal (COU-8.1)."""


class Step(Struct, frozen=True):
    """One change of one team's NEED or GP: `by` points nearer to the end, away from it where negative."""

    rule: str
    team: int
    by: int
    words: Words


def start(options: CouillonOptions) -> Standing:
    """The standing before the first deal (COU-7.8, 7.27)."""
    if options.is_on_points:
        return GamePoints((options.start_points, options.start_points))
    side = (0,) * options.bars_per_team
    return Bars((side, side))


def scored(
    standing: Standing, outcome: CouillonOutcome, options: CouillonOptions, dealer: int
) -> tuple[Standing, list[Step]]:
    """The standing after a deal, and its changes in the rulebook's order."""
    if isinstance(standing, Bars):
        return _scored_on_bars(standing, outcome, options)
    return _scored_on_points(standing, outcome, options, dealer)


def awarded(standing: Standing, award: Award, options: CouillonOptions) -> tuple[Standing, list[Step]]:
    """The standing after exactly what the director awards (COU-10.3)."""
    winner = award.winner
    if isinstance(standing, Bars):
        after, steps = _strike(standing, winner, award.strength or 0, "COU-10.3")
        if award.circle:
            after, circle = _circle(after, 1 - winner, options, "COU-10.3")
            steps += circle
        return structs.replace(after, draw_mark=award.draw_mark or 0), steps
    steps = [Step("COU-10.3", winner, award.v or 0, Words("awarded"))]
    if award.plus_one:
        steps.append(Step("COU-10.3", 1 - winner, -1, Words("awarded")))
    return _moved(standing, steps), steps


# --- bars -------------------------------------------------------------------------------------------------------------


def _scored_on_bars(board: Bars, outcome: CouillonOutcome, options: CouillonOptions) -> tuple[Standing, list[Step]]:
    winner = outcome.winner
    if winner is None:  # COU-7.11, 7.12
        mark = board.draw_mark + 1 if options.draw_mark_accumulates else 1
        return structs.replace(board, draw_mark=mark), []
    strength = 1 + (board.draw_mark if options.draw_mark_accumulates else min(board.draw_mark, 1))  # COU-7.13
    board, steps = _strike(board, winner, strength, "COU-7.14")
    if outcome.maker is not None and team_of(outcome.maker) != winner:  # COU-7.16, 7.17
        board, circle = _circle(board, 1 - winner, options, "COU-7.16")
        steps += circle
    return Bars(board.sides), steps  # COU-7.15


def _strike(board: Bars, team: int, strength: int, rule: str) -> tuple[Bars, list[Step]]:
    side = board.sides[team]
    after = struck(side, strength)
    words = Words("struck", {"strength": strength, "side": list(after)})
    return _with_side(board, team, after), [Step(rule, team, need(side) - need(after), words)]


def _circle(board: Bars, team: int, options: CouillonOptions, rule: str) -> tuple[Bars, list[Step]]:
    side = board.sides[team]
    is_bar = options.penalty_mark == "extra_bar"
    after = with_extra_bar(side) if is_bar else circled(side)
    words = Words("extra_bar" if is_bar else "circled", {"side": list(after)})
    return _with_side(board, team, after), [Step(rule, team, need(side) - need(after), words)]


def _with_side(board: Bars, team: int, side: Side) -> Bars:
    first, second = board.sides
    return Bars((side, second) if team == 0 else (first, side), board.draw_mark)


# --- points -----------------------------------------------------------------------------------------------------------


def _scored_on_points(
    standing: GamePoints, outcome: CouillonOutcome, options: CouillonOptions, dealer: int
) -> tuple[Standing, list[Step]]:
    winner = outcome.winner
    if winner is None:
        return standing, []  # COU-7.28
    parts = {
        "all_tricks": int(outcome.result == "ALL_TRICKS" and options.all_tricks_bonus),  # COU-7.30
        "mit": int(outcome.mit),  # COU-7.31
        "kontra": int(outcome.kontra),
        "re": int(outcome.re),
    }
    steps = [Step("COU-7.32", winner, 1 + sum(parts.values()), Words("won", parts))]  # COU-7.29
    if winner == team_of(dealer) and _is_penalised(outcome, options, dealer):
        steps.append(Step("COU-7.33", 1 - winner, -1, Words("dealers_won")))
    return _moved(standing, steps), steps


def _is_penalised(outcome: CouillonOutcome, options: CouillonOptions, dealer: int) -> bool:
    """Whether a win of the dealer's team raises the other team (COU-7.33, 7.34)."""
    if options.dealer_win_penalty == "named_only":
        return outcome.maker == (dealer + 1) % options.shape.players
    return options.dealer_win_penalty == "always"


def _moved(standing: GamePoints, steps: list[Step]) -> GamePoints:
    left = list(standing.gp)
    for step in steps:
        left[step.team] -= step.by
    return GamePoints((left[0], left[1]))


# --- lines ------------------------------------------------------------------------------------------------------------


def lines_of(steps: list[Step], seats: int) -> list[ScoreLine]:
    """Each change as a line for every seat of its team: the board gives, or takes back."""
    lines: list[ScoreLine] = []
    for step in steps:
        rule, by, words = step.rule, step.by, step.words
        if not by:
            continue
        for seat in range(step.team, seats, 2):
            lines.append(
                ScoreLine(rule, "board", seat, by, words) if by > 0 else ScoreLine(rule, seat, "board", -by, words)
            )
    return lines
