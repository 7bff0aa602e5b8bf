"""Rankings across tables: by the points of one game, and by the places at finished tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final, Literal, NamedTuple

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


def rankings_of(
    history: History,
    statistic: Literal["session-standings", "season-standings"],
    filters: Filters,
    shown: DisplayNames,
) -> list[Ranking]:
    """Return the rankings by this statistic, the usual one first: by points of the only game, else by table points.

    Table points are left out until a table is over.
    """
    courses: dict[tuple[str, str], list[int]] = defaultdict(list)
    lines = history.answer_to(plot_queries()["cumulative"], structs.replace(filters, min_deals=None))
    for row in lines.answer.objects():
        courses[row["game"], row["player"]].append(row["points"])
    by_game: dict[str, list[Rank]] = defaultdict(list)
    for row in history.statistic(statistic, filters).answer.objects():
        by_game[row["game"]].append(_rank(row, row["points"], shown, courses[row["game"], row["player"]]))
    by_points = [Ranking(game=game, rows=rows) for game, rows in by_game.items()]
    places = history.statistic("table-points", filters).answer.objects()
    by_places = Ranking(game=None, rows=[_rank(row, row["table_points"], shown) for row in places])
    return _usual_first(by_points, by_places)


def _usual_first(by_points: list[Ranking], by_places: Ranking) -> list[Ranking]:
    if not by_places.rows:
        return by_points
    return [by_places, *by_points] if len(by_points) > 1 else [*by_points, by_places]


class _AtTable(NamedTuple):
    """The points of a player at a table: a row of session-points.sql, with its columns in order."""

    table: str
    game: str
    is_over: bool
    is_match: bool
    player: str
    moves: Sequence[tuple[int | None, int, int]]

    @property
    def points(self) -> int:
        return sum(amount for _, amount, _ in self.moves)

    @property
    def deals(self) -> int:
        return sum(counted for _, _, counted in self.moves)


def session_rankings(history: History, session: str, shown: DisplayNames) -> list[Ranking]:
    """Return the rankings of a session, equal to those of `rankings_of`.

    One query and sums replace three statistics, which took two thirds of the time of the page.
    """
    query = report_queries()["session-points"]
    rows = [_AtTable._make(row) for row in history.answer_to(query, Filters(session=session)).answer.rows]
    of_player: dict[tuple[str, str], list[_AtTable]] = defaultdict(list)
    for one in rows:
        of_player[one.game, one.player].append(one)
    totals: list[dict[str, Any]] = [
        {
            "game": game,
            "player": player,
            "points": sum(one.points for one in at_tables),
            "deals": sum(one.deals for one in at_tables),
            "tables": sum(one.is_match for one in at_tables),
        }
        for (game, player), at_tables in of_player.items()
    ]
    if any(row["deals"] > _WHOLE_COURSE for row in totals):
        return rankings_of(history, "session-standings", Filters(session=session), shown)
    last_deals: dict[str, int] = defaultdict(int)
    for one in rows:
        last_deals[one.table] = max(last_deals[one.table], *(deal or 0 for deal, _, _ in one.moves))
    by_points = [
        Ranking(
            game=game,
            rows=[
                _rank(row, row["points"], shown, _course(of_player[game, row["player"]], last_deals))
                for row in _placed([row for row in totals if row["game"] == game])
            ],
        )
        for game in sorted({row["game"] for row in totals})
    ]
    by_places = Ranking(game=None, rows=[_rank(row, row["points"], shown) for row in _placed(_table_points(rows))])
    return _usual_first(by_points, by_places)


def _course(at_tables: Sequence[_AtTable], last_deals: Mapping[str, int]) -> list[int]:
    """Return the points of a player after each complete deal, with the amounts until the next one."""
    course, total, is_begun = [], 0, False
    for one in at_tables:
        changes: dict[int, tuple[int, int]] = {}
        for deal, amount, counted in one.moves:
            at = last_deals[one.table] if deal is None else deal
            before, deals = changes.get(at, (0, 0))
            changes[at] = before + amount, deals + counted
        for at in sorted(changes):
            amount, deals = changes[at]
            if deals and is_begun:
                course.append(total)
            total, is_begun = total + amount, True
    return [*course, total]


def _table_points(rows: Sequence[_AtTable]) -> list[dict[str, Any]]:
    """Return the table points of each player as the statistic `table-points` does: at each table the number of players
    behind, half a point for each level one.
    """
    tables: dict[str, list[_AtTable]] = defaultdict(list)
    for one in rows:
        if one.is_over and one.is_match:
            tables[one.table].append(one)
    totals: dict[str, dict[str, Any]] = {}
    for at_table in tables.values():
        points = [one.points for one in at_table]
        for one, own in zip(at_table, points, strict=True):
            row = totals.setdefault(one.player, {"player": one.player, "points": 0.0, "deals": 0, "tables": 0})
            row["points"] += sum(other < own for other in points) + (points.count(own) - 1) / 2
            row["deals"] += one.deals
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
