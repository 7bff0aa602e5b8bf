"""Statistics for each value of a filter, and of two selections compared, are what counting by hand comes to."""

from __future__ import annotations

from datetime import date
from math import sqrt
from typing import Any

import pytest
from pytest import approx

from ledger.history import Filters, History, statistics
from ledger.history.questions.selections import NAMING, compared, difference_bounds, grouped, intervals
from ledger.history.questions.statistics import FINISHED
from tests.history.naive import Figures, Rows, expected_columns
from tests.history.season import PLACES, Season
from tests.history.test_statistics_by_hand import CAREFUL, EXPECTED, TOLD, assert_rows_agree

VALUES: dict[str, dict[Any, dict[str, Any]]] = {
    "season": {str(year): {"since": date(year, 1, 1), "until": date(year, 12, 31)} for year in (2023, 2025, 2026)},
    "place": {place: {"place": place} for place in sorted(PLACES.values())},
    "weekday": {day: {"weekday": day} for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")},
    "seat": {seat: {"seat": seat} for seat in range(6)},
}
"""The values of each filter in the season of the tests, and what they leave."""

NOTHING = dict.fromkeys(("game", "session", "since", "until"))


def counted(season: Season, name: str, player: str | None, filters: dict[str, Any]) -> Rows:
    found = EXPECTED[name][1](season.chosen(**NOTHING | filters), player)
    return {key: row for key, row in found.items() if "" not in key}


@pytest.mark.parametrize("group_by", VALUES)
@pytest.mark.parametrize("name", ["roles", "standings", "player-contracts", "head-to-head"])
def test_grouped_rows_are_those_of_each_value(
    season: Season, season_history: History, name: str, group_by: str
) -> None:
    found = grouped(season_history, name, Filters(group_by=group_by)).answer
    assert found.columns == ["group", *statistics()[name].columns]
    expected = {
        (value, *key): row
        for value, filters in VALUES[group_by].items()
        for key, row in counted(season, name, None, filters).items()
    }
    assert_rows_agree(found.objects(), ("group", *EXPECTED[name][0]), expected)
    values = list(dict.fromkeys(row[0] for row in found.rows))
    assert values == [value for value in VALUES[group_by] if value in values]


def test_every_statistic_per_player_is_grouped_by_every_filter() -> None:
    for name, statistic in statistics().items():
        if "player" in statistic.columns and name not in FINISHED:
            assert set(VALUES) <= set(statistic.parameters), name


def newcombe(one: Figures, other: Figures, columns: tuple[str, str, str]) -> Any:
    """The difference and its bounds from the exact figures, as Newcombe writes them."""
    (p, l1, u1), (q, l2, u2) = ([getattr(row[column], "expected", None) for column in columns] for row in (one, other))
    if None in (p, q):
        return None, None, None
    bounds = [None, None]
    if None not in (l1, l2):
        delta, epsilon = sqrt((p - l1) ** 2 + (u2 - q) ** 2), sqrt((u1 - p) ** 2 + (q - l2) ** 2)
        bounds = [approx(p - q - delta, abs=0.02), approx(p - q + epsilon, abs=0.02)]
    return approx(p - q, abs=0.011), *bounds


SELECTIONS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"season": "2026", "since": date(2026, 1, 1)}, {"season": "2025", "since": date(2025, 1, 1)}),
    ({"player": "Ann"}, {"player": "Bob"}),
    ({"weekday": "thu"}, {"weekday": "wed"}),
]
WITH_INTERVALS = [name for name in EXPECTED if intervals(statistics()[name].column_names)]


@pytest.mark.parametrize(("first", "second"), SELECTIONS)
@pytest.mark.parametrize("name", WITH_INTERVALS)
def test_compared_rows_have_the_difference_of_what_is_counted(
    season: Season, season_history: History, name: str, first: dict[str, Any], second: dict[str, Any]
) -> None:
    keys = EXPECTED[name][0]
    named = [column for column in keys if column not in first]
    asked = [{key: value for key, value in one.items() if key != "since"} for one in (first, second)]
    found = compared(*(grouped(season_history, name, Filters(**one)) for one in asked)).answer
    sides: list[dict[Any, Figures]] = []
    for one in (first, second):
        days = {"until": date(one["since"].year, 12, 31)} if "since" in one else {}
        left = {key: value for key, value in one.items() if key not in ("season", "player")} | days
        rows = counted(season, name, one.get("player"), left)
        sides.append({})
        for values, row in rows.items():
            key = tuple(value for column, value in zip(keys, values, strict=True) if column in named)
            sides[-1][key] = expected_columns(row, CAREFUL)
    rows = {tuple(row[column] for column in named): row for row in found.objects()}
    assert rows.keys() == sides[0].keys() | sides[1].keys()
    for key, row in rows.items():
        for columns in intervals(statistics()[name].column_names):
            nothing = dict.fromkeys(columns)
            one, other = (side.get(key, nothing) for side in sides)
            estimate = columns[0]
            assert [row[estimate], row[f"{estimate}_compared"]] == [one[estimate], other[estimate]]
            endings = ("difference", "difference_low", "difference_high")
            assert tuple(row[f"{estimate}_{ending}"] for ending in endings) == newcombe(one, other, columns)


def test_of_two_games_only_shares_are_compared(season_history: History) -> None:
    found = compared(*(grouped(season_history, "roles", Filters(game=game)) for game in ("kop", "ombre"))).answer
    assert found.columns == ["player", "role", "deals", "deals_compared", "share_won", *(
        f"share_won_{ending}" for ending in ("compared", "difference", "difference_low", "difference_high")
    )]  # fmt: skip


def test_rows_with_intervals_are_known_by_the_columns_that_name_them() -> None:
    for name, keys in TOLD["keys"].items():
        if name in WITH_INTERVALS:
            assert set(keys.split()) == NAMING & set(statistics()[name].columns), name


def test_the_difference_of_shares_is_that_of_newcombe() -> None:
    """His example (a): 56/70 against 48/80."""
    one, other = (0.8, 0.69183, 0.87695), (0.6, 0.49045, 0.70038)
    assert difference_bounds(one, other) == approx((0.0524, 0.3339), abs=5e-5)
