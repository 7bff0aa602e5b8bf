"""The effect of one deal on the board or the game points, with score lines; pure functions (COU section 7).

The board of a match on bars has two sides, with STRIKE, CIRCLE, NEED and the draw mark (COU-7.7 to 7.26).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from mypy_extensions import mypyc_attr

from ledger.events import Announced, Award, Event
from ledger.games.couillon.calls import RAISES
from ledger.games.couillon.options import CouillonOptions
from ledger.games.couillon.outcome import CouillonOutcome
from ledger.games.couillon.pack import TEAMS, forehand, team_of
from ledger.games.kernel.settlement import ScoreLine
from ledger.i18n import Words

BoardSide: TypeAlias = tuple[int, ...]
"""The circles on each bar of a team, largest first: `(1, 0, 0)` is three bars, one of them circled (COU-7.7)."""

_DOUBLE: Final = 2


def need(side: BoardSide) -> int:
    """Return the number of wins that a side still needs (COU-7.9)."""
    wins = len(side)
    for circles in side:
        wins += circles
    return wins


def struck(side: BoardSide, strength: int) -> BoardSide:
    """Return the winner's side after a win of this strength: STRIKE (COU-7.18 to 7.22)."""
    doubles, single = divmod(strength, _DOUBLE)
    for _ in range(doubles):
        if not side:
            return side  # COU-7.22: strength left over is lost
        first = side[0]
        if first >= _DOUBLE:
            side = _sorted((first - _DOUBLE, *side[1:]))  # COU-7.19
        elif first:
            side = side[1:]  # COU-7.20
        else:
            side = side[_DOUBLE:]  # COU-7.21
    if single and side:
        side = _less_one(side) if side[0] else side[1:]  # COU-7.18
    return side


def _less_one(side: BoardSide) -> BoardSide:
    """Remove a circle from the last of the bars with the most circles, so that the order stays."""
    most = side[0]
    last = side.count(most) - 1
    return (*side[:last], most - 1, *side[last + 1 :])


def circled(side: BoardSide) -> BoardSide:
    """Add a circle to a bar with the fewest: CIRCLE (COU-7.23, 7.24). A side without bars stays as it is."""
    if not side:
        return side
    fewest = side[-1]
    first = side.index(fewest)  # the first of equal bars, so that the order stays
    return (*side[:first], fewest + 1, *side[first + 1 :])


def with_extra_bar(side: BoardSide) -> BoardSide:
    """Add a bar for the makers' loss, in place of a circle (COU-7.25)."""
    return (*side, 0)


def _sorted(side: BoardSide) -> BoardSide:
    return tuple(sorted(side, reverse=True))


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Bars:
    """The board: both sides and the draw counter D (COU-7.7 to 7.10)."""

    __slots__ = ("draw_mark", "sides")

    def __init__(self, sides: tuple[BoardSide, BoardSide], draw_mark: int = 0) -> None:
        self.sides = sides
        self.draw_mark = draw_mark

    def left(self) -> tuple[int, int]:
        """Return NEED, the distance of each team from winning."""
        return need(self.sides[0]), need(self.sides[1])

    def finished(self) -> int | None:
        """Return the team without a bar left (COU-8.3), or None."""
        first, second = self.sides
        return 0 if not first else 1 if not second else None


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class GamePoints:
    """The game points GP of both teams (COU-7.27)."""

    __slots__ = ("gp",)

    def __init__(self, gp: tuple[int, int]) -> None:
        self.gp = gp

    def left(self) -> tuple[int, int]:
        """Return GP, the distance of each team from winning, which may rise and fall without limit (COU-7.36)."""
        return self.gp

    def finished(self) -> int | None:
        """Return the team whose game points are 0 or less (COU-8.4), or None."""
        return next((team for team in TEAMS if self.gp[team] <= 0), None)


MatchScore: TypeAlias = Bars | GamePoints
"""The score carried from deal to deal (COU-8.1)."""


def start(options: CouillonOptions) -> MatchScore:
    """Return the score before the first deal (COU-7.8, 7.27)."""
    if options.is_on_points:
        return GamePoints((options.start_points, options.start_points))
    side = (0,) * options.bars_per_team
    return Bars((side, side))


def scored(
    score: MatchScore, outcome: CouillonOutcome, options: CouillonOptions, dealer: int
) -> tuple[MatchScore, list[ScoreLine]]:
    """Score a deal: return the new score, and its changes as lines in the rulebook's order."""
    if isinstance(score, Bars):
        return _scored_on_bars(score, outcome, options)
    return _scored_on_points(score, outcome, options, dealer)


def awarded(score: MatchScore, award: Award, options: CouillonOptions) -> tuple[MatchScore, list[ScoreLine]]:
    """Return the score after exactly what the director awards (COU-10.3), and the lines."""
    winner, seats = award.winner, options.form.players
    if isinstance(score, Bars):
        sides, lines = _strike(score.sides, winner, award.strength or 0, "COU-10.3", seats)
        if award.circle:
            sides, circle = _circle(sides, 1 - winner, options, "COU-10.3", seats)
            lines += circle
        return Bars(sides, award.draw_mark or 0), lines
    gp, lines = _moved(score.gp, winner, award.v or 0, "COU-10.3", Words("awarded"), seats)
    if award.plus_one:
        gp, plus_one = _moved(gp, 1 - winner, -1, "COU-10.3", Words("awarded"), seats)
        lines += plus_one
    return GamePoints(gp), lines


def _lines(rule: str, team: int, by: int, words: Words, seats: int) -> list[ScoreLine]:
    """Return the lines that move a team `by` so much: the board gives to each of its seats, or takes from it."""
    if by > 0:
        return [ScoreLine(rule, "board", seat, by, words) for seat in range(team, seats, 2)]
    if by < 0:
        return [ScoreLine(rule, seat, "board", -by, words) for seat in range(team, seats, 2)]
    return []


def _scored_on_bars(
    board: Bars, outcome: CouillonOutcome, options: CouillonOptions
) -> tuple[MatchScore, list[ScoreLine]]:
    winner, maker, seats = outcome.winner, outcome.maker, options.form.players
    if winner is None:  # COU-7.11, 7.12
        return Bars(board.sides, board.draw_mark + 1 if options.draw_mark_accumulates else 1), []
    strength = 1 + (board.draw_mark if options.draw_mark_accumulates else min(board.draw_mark, 1))  # COU-7.13
    sides, lines = _strike(board.sides, winner, strength, "COU-7.14", seats)
    if maker is not None and team_of(maker) != winner:  # COU-7.16, 7.17
        sides, circle = _circle(sides, 1 - winner, options, "COU-7.16", seats)
        lines += circle
    return Bars(sides), lines  # COU-7.15


def _strike(
    sides: tuple[BoardSide, BoardSide], team: int, strength: int, rule: str, seats: int
) -> tuple[tuple[BoardSide, BoardSide], list[ScoreLine]]:
    after = struck(sides[team], strength)
    words = Words("struck", {"strength": strength, **_as_values(after)})
    return _with_side(sides, team, after, rule, words, seats)


def _circle(
    sides: tuple[BoardSide, BoardSide], team: int, options: CouillonOptions, rule: str, seats: int
) -> tuple[tuple[BoardSide, BoardSide], list[ScoreLine]]:
    is_bar = options.penalty_mark == "extra_bar"
    after = with_extra_bar(sides[team]) if is_bar else circled(sides[team])
    words = Words("extra_bar" if is_bar else "circled", _as_values(after))
    return _with_side(sides, team, after, rule, words, seats)


def _as_values(side: BoardSide) -> dict[str, Any]:
    """Return a side for a sentence: the circles on each bar, and the numbers of bars and circles."""
    return {"side": list(side), "bars": len(side), "circles": sum(side)}


def _with_side(
    sides: tuple[BoardSide, BoardSide], team: int, side: BoardSide, rule: str, words: Words, seats: int
) -> tuple[tuple[BoardSide, BoardSide], list[ScoreLine]]:
    """Return the board with this side for the team, and the lines: NEED falls or rises by as much."""
    first, second = sides
    lines = _lines(rule, team, need(sides[team]) - need(side), words, seats)
    return ((side, second) if team == 0 else (first, side)), lines


def _scored_on_points(
    score: GamePoints, outcome: CouillonOutcome, options: CouillonOptions, dealer: int
) -> tuple[MatchScore, list[ScoreLine]]:
    winner, seats = outcome.winner, options.form.players
    if winner is None:
        return score, []  # COU-7.28
    parts = {
        "all_tricks": int(outcome.result == "ALL_TRICKS" and options.all_tricks_bonus),  # COU-7.30
        "mit": int(outcome.mit),  # COU-7.31
        "kontra": int(outcome.kontra),
        "re": int(outcome.re),
    }
    points = points_won(parts)
    gp, lines = _moved(score.gp, winner, points, "COU-7.32", _won(parts), seats)
    if winner == team_of(dealer) and _is_penalised(outcome, options, dealer):
        gp, penalty = _moved(gp, 1 - winner, -1, "COU-7.33", Words("dealers_won"), seats)
        lines += penalty
    return GamePoints(gp), lines


def _won(parts: Mapping[str, int]) -> Words:
    """Put the parts of v into words; parts of 0 are left out."""
    words = [Words(f"points_{part}", {"points": points}) for part, points in {"win": 1, **parts}.items() if points]
    return Words("won", {"points": words})


def points_won(parts: Mapping[str, int]) -> int:
    """Return v by the parts that raise it (COU-7.29)."""
    return 1 + sum(parts.values())


def _is_penalised(outcome: CouillonOutcome, options: CouillonOptions, dealer: int) -> bool:
    """Return whether a win of the dealer's team raises the other team (COU-7.33, 7.34)."""
    if options.dealer_win_penalty == "named_only":
        return outcome.maker == forehand(dealer, options.form.players)
    return options.dealer_win_penalty == "always"


def _moved(
    gp: tuple[int, int], team: int, by: int, rule: str, words: Words, seats: int
) -> tuple[tuple[int, int], list[ScoreLine]]:
    """Return GP after the team moves `by` points towards the end, and the lines."""
    first, second = gp
    lines = _lines(rule, team, by, words, seats)
    return ((first - by, second) if team == 0 else (first, second - by)), lines


def stakes(event: Event, options: CouillonOptions) -> Words | None:
    """Describe the points of the deal after a raise (COU-7.29, 7.31), which another raise may follow (COU-5.16)."""
    if not isinstance(event, Announced) or event.what not in RAISES:
        return None
    said = RAISES[: RAISES.index(event.what) + 1]
    return Words(f"stakes.{event.what}", {"points": points_won(dict.fromkeys(said, 1))})
