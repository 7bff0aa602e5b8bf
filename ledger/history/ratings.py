"""Ratings across games, from the places at tables: Plackett–Luce by openskill. Pure: placings in, ratings out.

A table is one match. A player's rating is a mean and a standard deviation; the same tables in the same order give the
same ratings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ledger.history.answer import Answer

if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating

Placing: TypeAlias = dict[str, Any]
"""One player at one table: table_name, played_on, game, seat, player, place."""

_NORMAL_95: Final = 1.959964
_CAUTION: Final = 3
"""How many standard deviations the cautious rating is below the estimate, which is openskill's own ordinal."""


def ratings(placings: Answer, filters: Mapping[str, Any]) -> Answer:
    """The rows of the statistic `ratings`."""
    latest: dict[str, PlackettLuceRating] = {}
    tables: Counter[str] = Counter()
    for placing, rating in _rated(placings.objects()):
        latest[placing["player"]] = rating
        tables[placing["player"]] += 1
    cautious = {player: rating.ordinal(_CAUTION) for player, rating in latest.items()}
    rows: list[tuple[Any, ...]] = []
    for player in sorted(latest, key=lambda player: (-cautious[player], player)):
        place = 1 + sum(other > cautious[player] for other in cautious.values())
        figures = _figures(latest[player])
        rows.append((place, player, *figures, round(cautious[player], 2), tables[player]))
    columns = {
        "place": "BIGINT", "player": "VARCHAR", "rating": "DOUBLE", "uncertainty": "DOUBLE", "low": "DOUBLE",
        "high": "DOUBLE", "cautious": "DOUBLE", "tables": "BIGINT",
    }  # fmt: skip
    return _of_player(Answer(list(columns), list(columns.values()), rows), filters)


def rating_history(placings: Answer, filters: Mapping[str, Any]) -> Answer:
    """The rows of the statistic `rating-history`."""
    tables: Counter[str] = Counter()
    rows: list[tuple[Any, ...]] = []
    for placing, rating in _rated(placings.objects()):
        player = placing["player"]
        tables[player] += 1
        where = (placing["played_on"], placing["table_name"], placing["game"], placing["place"])
        rows.append((player, tables[player], *where, *_figures(rating)))
    columns = {
        "player": "VARCHAR", "number": "BIGINT", "played_on": "DATE", "table_name": "VARCHAR", "game": "VARCHAR",
        "place": "BIGINT", "rating": "DOUBLE", "uncertainty": "DOUBLE", "low": "DOUBLE", "high": "DOUBLE",
    }  # fmt: skip
    return _of_player(Answer(list(columns), list(columns.values()), rows), filters)


def _rated(placings: Sequence[Placing]) -> Iterator[tuple[Placing, PlackettLuceRating]]:
    """Each placing with its player's rating after that table; a table where nobody met anybody changes nothing."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    current: dict[str, PlackettLuceRating] = {}
    for _, at_table in groupby(placings, key=lambda placing: placing["table_name"]):
        found = list(at_table)
        teams = _teams(found)
        if len(teams) < 2:
            continue
        before = [[current.get(placing["player"]) or model.rating() for placing in team] for team in teams]
        ranks = [float(min(placing["place"] for placing in team)) for team in teams]
        after = model.rate(before, ranks=ranks)
        for team, rated in zip(teams, after, strict=True):
            current.update({placing["player"]: rating for placing, rating in zip(team, rated, strict=True)})
        yield from ((placing, current[placing["player"]]) for placing in found)


def _teams(at_table: Sequence[Placing]) -> list[list[Placing]]:
    """Who played together at a table: in Couillon the seats two apart (COU-2.7), elsewhere nobody."""
    if at_table[0]["game"] != "couillon":
        return [[placing] for placing in at_table]
    both = [[placing for placing in at_table if placing["seat"] % 2 == team] for team in (0, 1)]
    return [team for team in both if team]


def _figures(rating: PlackettLuceRating) -> tuple[float, float, float, float]:
    margin = _NORMAL_95 * rating.sigma
    found = (rating.mu, rating.sigma, rating.mu - margin, rating.mu + margin)
    return tuple(round(figure, 2) for figure in found)  # type: ignore[return-value]  # four in, four out


def _of_player(answer: Answer, filters: Mapping[str, Any]) -> Answer:
    """The rows of the player that was named, if one was; the ratings rest on all tables nevertheless."""
    player, place = filters.get("player"), answer.columns.index("player")
    rows = answer.rows if player is None else [row for row in answer.rows if row[place] == player]
    return Answer(answer.columns, answer.types, rows)
