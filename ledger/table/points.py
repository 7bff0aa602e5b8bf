"""Points by player, where players were substituted: a deal counts for those who played it, a total for the seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ledger.table.answers import PlayerPoints
from ledger.table.fold import TableFold


def is_substituted(fold: TableFold) -> bool:
    """Return whether somebody took a seat in which somebody else had sat."""
    first, *later = _seatings(fold)
    return any(players != first for players in later)


def points_by_player(fold: TableFold) -> list[PlayerPoints]:
    """Return the points of each player, in the order in which they sat down; all of them add up to the totals.

    As in the statistics, a deal and its adjustments count for those who played it, and the closing for those who sit
    there at the end. The starting balance belongs to those who played the first deal.
    """
    if not is_substituted(fold):
        return _of_seats(fold.players, fold.match.totals)
    points: dict[str, int] = {}
    left = list(fold.match.totals)

    def credit(players: Sequence[str], amounts: Sequence[int]) -> None:
        for seat, (player, amount) in enumerate(zip(players, amounts, strict=True)):
            points[player] = points.get(player, 0) + amount
            left[seat] -= amount

    credit(_seatings(fold)[0], fold.game.make_match(fold.options, len(fold.opened.players)).totals)
    for record in fold.deals:
        if record.settlement is not None:
            credit(record.players, record.settlement.deltas)
        for one in record.rulings:
            if one[1].kind == "adjust" and one[1].deltas is not None and one not in fold.ignored_adjustments:
                credit(record.players, one[1].deltas)
    credit(fold.players, tuple(left))
    return _of_seats(points.keys(), points.values())


def points_of(fold: TableFold, players: Sequence[str]) -> list[int]:
    """Return the points of those who sit, or sat, in the seats."""
    if not is_substituted(fold):
        return fold.match.totals
    points = {one.player: one.points for one in points_by_player(fold)}
    return [points[player] for player in players]


def substitutes_points(fold: TableFold) -> list[PlayerPoints]:
    """Return the points by player where they differ from the totals of the seats; else nothing."""
    return points_by_player(fold) if is_substituted(fold) else []


def seat_titles(fold: TableFold) -> list[str]:
    """Return who sat in each seat, one after the other, e.g. `Baron → Zoë`: headings of totals by seat."""
    return [" → ".join(dict.fromkeys(names)) for names in zip(*_seatings(fold), strict=True)]


def _of_seats(players: Iterable[str], points: Iterable[int]) -> list[PlayerPoints]:
    return [PlayerPoints(player=player, points=gained) for player, gained in zip(players, points, strict=True)]


def _seatings(fold: TableFold) -> list[list[str]]:
    """Return who sat there in each deal, then who sits there now."""
    return [*(record.players for record in fold.deals), fold.players]
