"""Rankings across tables: by the points of one game, and by the places at finished tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from msgspec import Struct, structs

from ledger.history import Filters, History, plot_queries, report_queries
from ledger.history.questions.display_names import DisplayNames
from ledger.history.questions.filters import ALL

TABLE_POINTS: Final = "table_points"
"""The rule by places: points of different games are never added up."""

_WHOLE_COURSE: Final = 200
"""The most deals of which `cumulative.sql` leaves out none."""


class Rank(Struct, frozen=True, kw_only=True):
    """A player's place. `player`: as shown; `person`: the name in the record, None for a player shown by initials.
    `course`: the points after each of the player's deals; empty if they are table points.
    """

    place: int
    player: str
    person: str | None
    points: float
    deals: int
    tables: int
    course: Sequence[int] = ()


class Ranking(Struct, frozen=True, kw_only=True):
    """The players in order, level ones at the same place. `game`: its name in the record; None for table points."""

    game: str | None
    rows: Sequence[Rank]

    @property
    def rule(self) -> str:
        """The name of its rule in addresses: the game, or `table_points`."""
        return TABLE_POINTS if self.game is None else self.game


class Leaders(Struct, frozen=True, kw_only=True):
    """The first places of a session, and the number of all its players. `game`: as of `Ranking`."""

    game: str | None
    first: Sequence[Rank]
    players: int


def rankings_of(history: History, filters: Filters, shown: DisplayNames) -> list[Ranking]:
    """Return the rankings of a session or a season, the usual one first: by points of the only game, else by table
    points. Table points are left out until a table is over.

    One query and sums replace the statistics `session-standings`, `season-standings` and `table-points` and the plot
    `cumulative`, which took two thirds of the time of the page.
    """
    query, least = report_queries()["points-at-tables"], filters.min_deals or 0
    of_all = structs.replace(filters, min_deals=None)
    rows = [_AtTable._make(row) for row in history.answer_to(query, of_all).answer.rows]
    of_player: dict[tuple[str, str], list[_AtTable]] = defaultdict(list)
    for one in rows:
        of_player[one.game, one.player].append(one)
    totals: list[dict[str, Any]] = [
        {
            "game": game,
            "player": player,
            "points": sum(one.points for one in at_tables),
            "deals": sum(one.deals for one in at_tables),
            "tables": len({one.table for one in at_tables if one.is_match}),
        }
        for (game, player), at_tables in of_player.items()
    ]
    if any(row["deals"] > _WHOLE_COURSE for row in totals):
        courses = _thinned_courses(history, of_all)
    else:
        courses = {line: _course(at_tables) for line, at_tables in of_player.items()}
    listed = [row for row in totals if row["deals"] >= least]
    by_points = [
        Ranking(
            game=game,
            rows=[
                _rank(row, row["points"], shown, courses[game, row["player"]])
                for row in _placed([row for row in listed if row["game"] == game])
            ],
        )
        for game in sorted({row["game"] for row in listed})
    ]
    by_places = _placed([row for row in _table_points(rows) if row["deals"] >= least])
    return _usual_first(by_points, Ranking(game=None, rows=[_rank(row, row["points"], shown) for row in by_places]))


def _thinned_courses(history: History, filters: Filters) -> dict[tuple[str, str], list[int]]:
    """Return the courses by game and player with at most `_WHOLE_COURSE` points."""
    courses: dict[tuple[str, str], list[int]] = defaultdict(list)
    for game, player, _, _, points in history.answer_to(plot_queries()["cumulative"], filters).answer.rows:
        courses[game, player].append(points)
    return courses


def _usual_first(by_points: list[Ranking], by_places: Ranking) -> list[Ranking]:
    if not by_places.rows:
        return by_points
    return [by_places, *by_points] if len(by_points) > 1 else [*by_points, by_places]


class _AtTable(NamedTuple):
    """The points of a player at a table on a day: a row of points-at-tables.sql, with its columns in order."""

    table: str
    game: str
    is_over: bool
    is_match: bool
    player: str
    gains: Sequence[int]
    counts: Sequence[int]

    @property
    def points(self) -> int:
        return sum(self.gains)

    @property
    def deals(self) -> int:
        return sum(self.counts)


def _course(at_tables: Sequence[_AtTable]) -> list[int]:
    """Return the points of a player after each complete deal, with the amounts until the next one."""
    course, total, is_begun = [], 0, False
    for one in at_tables:
        for gain, deals in zip(one.gains, one.counts, strict=True):
            if deals and is_begun:
                course.append(total)
            total, is_begun = total + gain, True
    return [*course, total]


def _table_points(rows: Sequence[_AtTable]) -> list[dict[str, Any]]:
    """Return the table points of each player as the statistic `table-points` does: at each table the number of players
    behind, half a point for each level one.
    """
    tables: dict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
    for one in rows:
        if one.is_over and one.is_match:
            points, deals = tables[one.table].get(one.player, (0, 0))
            tables[one.table][one.player] = points + one.points, deals + one.deals
    totals: dict[str, dict[str, Any]] = {}
    for at_table in tables.values():
        of_all = [points for points, _ in at_table.values()]
        for player, (own, deals) in at_table.items():
            row = totals.setdefault(player, {"player": player, "points": 0.0, "deals": 0, "tables": 0})
            row["points"] += sum(other < own for other in of_all) + (of_all.count(own) - 1) / 2
            row["deals"] += deals
            row["tables"] += 1
    return list(totals.values())


def _placed(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows by place, then player; equal points share a place."""
    values = sorted((row["points"] for row in rows), reverse=True)
    places = {value: place for place, value in reversed([*enumerate(values, 1)])}
    placed = [{**row, "place": places[row["points"]]} for row in rows]
    return sorted(placed, key=lambda row: (row["place"], row["player"]))


def _rank(row: Mapping[str, Any], points: float, shown: DisplayNames, course: Sequence[int] = ()) -> Rank:
    return Rank(
        place=row["place"],
        player=shown.names.get(row["player"], row["player"]),
        person=None if row["player"] in shown.initials else row["player"],
        points=points,
        deals=row["deals"],
        tables=row["tables"],
        course=course,
    )


def choose_ranking(rankings: Sequence[Ranking], rule: str | None) -> Ranking | None:
    """Return the ranking by this rule; if there is none, the usual one."""
    return next((one for one in rankings if one.rule == rule), rankings[0] if rankings else None)


def leaders_of(history: History, sessions: Sequence[Mapping[str, Any]], shown: DisplayNames) -> dict[str, Leaders]:
    """Return those who lead or have won each of these sessions: by points of the only game, else by table points.

    `sessions`: rows of the list of sessions. Sessions without a result are left out.
    """
    if not sessions:
        return {}
    days = [row["date"] for row in sessions]
    is_dated = None not in days
    within = Filters(since=date.fromisoformat(min(days)), until=date.fromisoformat(max(days))) if is_dated else ALL
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in history.statistic("session-standings", within).answer.objects():
        rows[row["session"]].append(row)
    leaders = {}
    for session in (row["session"] for row in sessions if row["session"] in rows):
        ranks = [_rank(row, row["points"], shown) for row in rows[session]]
        games = {row["game"] for row in rows[session]}
        if len(games) > 1:
            places = history.statistic("table-points", Filters(session=session)).answer.objects()
            first = [_rank(row, row["table_points"], shown) for row in places if row["place"] == 1]
        else:
            first = [rank for rank in ranks if rank.place == 1]
        players = len({rank.player for rank in ranks})
        leaders[session] = Leaders(game=games.pop() if len(games) == 1 else None, first=first, players=players)
    return leaders
