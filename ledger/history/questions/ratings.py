"""Ratings across games from the places at tables: Plackett–Luce by openskill. Pure: placings in, ratings out.

Each table is one match. A player's rating is a mean and a standard deviation; the same tables in the same order make
the same ratings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ledger.extras import module_of_extra
from ledger.games import registered_games
from ledger.history.questions.answers import Answer

if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating

    from ledger.history.questions.filters import Filters


class RatingPlacing(NamedTuple):
    """One player at one table: a row of `ratings.sql`, with its columns in order."""

    table_name: str
    played_on: date
    game: str
    seat: int
    player: str
    place: int
    deals: int


class _Match(list["list[PlackettLuceRating]"]):
    """The teams of a match. openskill copies them before it rates, which is three quarters of its time; nothing else
    uses them, so they are not copied.
    """

    def __deepcopy__(self, memo: dict[int, Any]) -> list[list[PlackettLuceRating]]:
        return list(self)


_NORMAL_95: Final = 1.959964
_CAUTION: Final = 3
"""How many standard deviations the cautious rating is below the estimate, as openskill's own ordinal."""


def ratings(placings: Answer, filters: Filters) -> Answer:
    """Return the rows of the statistic `ratings`."""
    latest: dict[str, PlackettLuceRating] = {}
    tables: Counter[str] = Counter()
    for at_table, ratings_after in _rated(placings):
        latest |= ratings_after
        tables.update(placing.player for placing in at_table)
    listed = _listed(placings, filters)
    cautious = {player: rating.ordinal(_CAUTION) for player, rating in latest.items() if player in listed}
    places = {ordinal: place for place, ordinal in reversed([*enumerate(sorted(cautious.values(), reverse=True), 1)])}
    rows: list[tuple[Any, ...]] = []
    for player in sorted(cautious, key=lambda player: (-cautious[player], player)):
        place = places[cautious[player]]
        figures = _figures(latest[player])
        rows.append((place, player, *figures, round(cautious[player], 2), tables[player]))
    columns = {
        "place": "BIGINT", "player": "VARCHAR", "rating": "DOUBLE", "uncertainty": "DOUBLE", "low": "DOUBLE",
        "high": "DOUBLE", "cautious": "DOUBLE", "tables": "BIGINT",
    }  # fmt: skip
    return _of_player(Answer(list(columns), list(columns.values()), rows), filters)


def rating_history(placings: Answer, filters: Filters) -> Answer:
    """Return the rows of the statistic `rating-history`."""
    tables: Counter[str] = Counter()
    rows: list[tuple[Any, ...]] = []
    listed = _listed(placings, filters)
    for at_table, ratings_after in _rated(placings):
        for table_name, played_on, game, _, player, place, _ in at_table:
            tables[player] += 1
            figures = _figures(ratings_after[player])
            if player in listed:
                rows.append((player, tables[player], played_on, table_name, game, place, *figures))
    columns = {
        "player": "VARCHAR", "number": "BIGINT", "played_on": "DATE", "table_name": "VARCHAR", "game": "VARCHAR",
        "place": "BIGINT", "rating": "DOUBLE", "uncertainty": "DOUBLE", "low": "DOUBLE", "high": "DOUBLE",
    }  # fmt: skip
    return _of_player(Answer(list(columns), list(columns.values()), rows), filters)


def _rated(placings: Answer) -> Iterator[tuple[list[RatingPlacing], dict[str, PlackettLuceRating]]]:
    """Yield each table with its players' ratings after it; skip a table without opponents."""
    model = module_of_extra("ratings", "openskill.models").PlackettLuce()
    current: dict[str, PlackettLuceRating] = {}
    for _, group in groupby(map(RatingPlacing._make, placings.rows), key=attrgetter("table_name")):
        at_table = list(group)
        teams = _teams(at_table)
        if len(teams) < 2:
            continue
        before = _Match([[current.get(placing.player) or model.rating() for placing in team] for team in teams])
        ranks = [float(min(placing.place for placing in team)) for team in teams]
        after = {
            placing.player: rating
            for team, rated in zip(teams, model.rate(before, ranks=ranks), strict=True)
            for placing, rating in zip(team, rated, strict=True)
        }
        current |= after
        yield at_table, after


def _listed(placings: Answer, filters: Filters) -> set[str]:
    """Return the players with at least `min_deals` deals; all players are rated."""
    deals: dict[str, int] = defaultdict(int)
    for _, _, _, _, player, _, count in placings.rows:
        deals[player] += count
    return {player for player, count in deals.items() if count >= (filters.min_deals or 0)}


def _teams(at_table: Sequence[RatingPlacing]) -> list[list[RatingPlacing]]:
    """Return the teams at a table, as its game defines them; each player alone if the game is no longer installed."""
    game = registered_games().get(at_table[0].game)
    if game is None or not game.teams:
        return [[placing] for placing in at_table]
    teams = [[placing for placing in at_table if placing.seat % game.teams == team] for team in range(game.teams)]
    return [team for team in teams if team]


def _figures(rating: PlackettLuceRating) -> tuple[float, float, float, float]:
    mean, deviation = rating.mu, rating.sigma
    margin = _NORMAL_95 * deviation
    return round(mean, 2), round(deviation, 2), round(mean - margin, 2), round(mean + margin, 2)


def _of_player(answer: Answer, filters: Filters) -> Answer:
    """Return the rows of the named player, if one is named; ratings rest on all tables nevertheless."""
    player, place = filters.player, answer.columns.index("player")
    rows = answer.rows if player is None else [row for row in answer.rows if row[place] == player]
    return Answer(answer.columns, answer.types, rows)
