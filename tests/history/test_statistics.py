"""Statistics come to what a plain computation over the folded tables comes to."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from ledger.history import Filters, History, LeagueRules, statistics
from tests.covering import sample
from tests.history.season import rows
from tools.reference import STATISTICS_PAGE, with_statistics


def needed(name: str) -> dict[str, LeagueRules]:
    return {"rules": LeagueRules(title="all", points=(3, 1))} if name == "league" else {}


def test_standings_are_listed_by_game_and_place_and_a_player_keeps_the_place_among_all(season_history: History) -> None:
    everyone = rows(season_history, "standings")
    assert everyone == sorted(everyone, key=lambda row: (row["game"], row["place"], row["player"]))
    for player in {row["player"] for row in everyone}:
        own = [row for row in everyone if row["player"] == player]
        assert rows(season_history, "standings", player=player) == own


@pytest.mark.parametrize("name", list(statistics()))
def test_every_statistic_says_what_it_is_and_answers_with_every_filter(season_history: History, name: str) -> None:
    values = {
        "player": "Ann", "game": "ombre", "since": date(2020, 1, 1), "until": None, "session": "spring",
        "min_deals": 3, "seat": 1, "by": "table", "season": "2025/26", "season_from": "09-01",
        "option": {"ante": 5}, "place": "Warszawa", "weekday": "fri", **needed(name),
    }  # fmt: skip
    statistic = statistics()[name]
    assert statistic.sentence.endswith(".")
    assert statistic.row.startswith("One row")
    answer = season_history.statistic(name, Filters(**{key: values[key] for key in statistic.parameters})).answer
    assert answer.columns == list(statistic.columns)
    assert len(answer.columns) == len(answer.types)


@pytest.mark.parametrize("name", ["standings", "season-standings", *sample(list(statistics()), 1)])
def test_a_season_of_a_statistic_is_what_its_days_leave(season_history: History, name: str) -> None:
    def answer(**filters: Any) -> list[dict[str, Any]]:
        return rows(season_history, name, **needed(name), **filters)

    begins = {} if name != "season-standings" else {"season_from": "09-01"}
    autumn = answer(**begins, since=date(2026, 9, 1), until=date(2027, 8, 31))
    assert answer(season="2026", season_from="09-01") == answer(season="2026/27", season_from="09-01") == autumn
    assert answer(season="2025") == answer(since=date(2025, 1, 1), until=date(2025, 12, 31))
    cut = answer(season="2026", since=date(2026, 4, 1))
    assert cut == answer(since=date(2026, 4, 1), until=date(2026, 12, 31))
    if name != "season-standings":
        assert answer(season_from="09-01") == answer()


def test_the_reference_of_the_statistics_is_that_of_their_files() -> None:
    page = STATISTICS_PAGE.read_text(encoding="utf-8")
    assert page == with_statistics(page, list(statistics().values())), "write it anew: make reference"
