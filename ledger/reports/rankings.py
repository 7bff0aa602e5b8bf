"""Rankings across tables: by the points of one game, and by the places at finished tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final, Literal

from msgspec import Struct, structs

from ledger.history import Filters, History, plot_queries
from ledger.history.questions.display_names import DisplayNames
from ledger.history.questions.filters import ALL

TABLE_POINTS: Final = "table_points"
"""The rule by places: points of different games are never added up."""


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
    if len(by_points) > 1:
        return [by_places, *by_points] if by_places.rows else by_points
    return [*by_points, by_places] if by_places.rows else by_points


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
