"""What a deal came to after all rulings on it: the one rule that every statistic follows.

An award names the team that won. Other rulings move amounts only: where they do, the amounts are those after them, and
the contract counts as neither won nor lost. A ruling that changes nothing leaves the deal as the cards made it.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ledger.events import RulingGiven
from ledger.games.kernel.protocol import DealSummary
from ledger.table.fold import SCORING_KINDS, DealRecord, TableFold


class RuledDeal(Struct, frozen=True):
    """The amounts by seat with all adjustments, whether a ruling changed them or the winner, whether the declarers won,
    and by seat whether it won; `seats_won` is empty in games without fixed teams, where the amounts say that.
    """

    is_ruled: bool
    amounts: list[int]
    declarer_won: bool | None
    seats_won: list[bool | None]


def after_rulings(
    fold: TableFold, record: DealRecord, summary: DealSummary | None, adjustments: Sequence[RulingGiven]
) -> RuledDeal:
    """Return what a settled deal came to. `summary`: of its outcome, where it was scored; `adjustments`: those carried
    out.
    """
    assert record.settlement is not None
    deltas = record.settlement.deltas
    amounts = list(deltas)
    for ruling in adjustments:
        for seat, amount in enumerate(ruling.deltas or ()):
            amounts[seat] += amount
    scoring = _scoring_ruling(fold, record)
    award = None if scoring is None else scoring.award
    computed_winner = getattr(record.outcome, "winner", None)
    winner = computed_winner if award is None else award.winner
    is_ruled = amounts != deltas or winner != computed_winner or (scoring is not None and deltas != record.computed)
    teams = fold.game.teams
    if award is not None:
        declarer_won = None if summary is None or summary.declarer is None else summary.declarer % teams == winner
    else:
        declarer_won = None if summary is None or is_ruled else summary.won
    seats_won: list[bool | None] = []
    if teams:
        if award is None and not hasattr(record.outcome, "winner"):
            winner = _leading_team(amounts, teams)
        seats_won = [None if winner is None else seat % teams == winner for seat in range(len(deltas))]
    return RuledDeal(is_ruled, amounts, declarer_won, seats_won)


def _leading_team(amounts: Sequence[int], teams: int) -> int | None:
    """Return the team that made most in a deal whose outcome names no winner; None where several did."""
    made = [sum(amounts[team::teams]) for team in range(teams)]
    return made.index(max(made)) if made.count(max(made)) == 1 else None


def _scoring_ruling(fold: TableFold, record: DealRecord) -> RulingGiven | None:
    """Return the ruling in force that gave the deal its score; None where the rules of the game did."""
    found = record.decision()
    if found is None or record.status != "complete":
        return None
    ruling = found[1].ruling
    return ruling if ruling.kind in SCORING_KINDS & fold.game.ruling_kinds else None
