"""Ratings follow from the places at tables alone."""

from datetime import date, timedelta
from typing import Any

import pytest
from openskill.models import PlackettLuce

from ledger.history import Answer, Filters, History
from ledger.history.questions.ratings import rating_history, ratings
from tests.history.season import Season


def placings(*tables: tuple[str, dict[str, int]]) -> Answer:
    """Return tables of a game with the place of each player by seat."""
    columns = ["table_name", "played_on", "game", "seat", "player", "place", "deals"]
    rows = [
        (f"t{number}", date(2026, 1, 1) + timedelta(number), game, seat, player, place, 4)
        for number, (game, places) in enumerate(tables)
        for seat, (player, place) in enumerate(places.items())
    ]
    return Answer(columns, ["VARCHAR"] * 7, rows)


def rated(*tables: tuple[str, dict[str, int]]) -> dict[str, dict[str, Any]]:
    return {row["player"]: row for row in ratings(placings(*tables), Filters()).objects()}


def test_who_wins_more_is_rated_higher_and_the_doubt_shrinks() -> None:
    once = rated(("ombre", {"Ann": 1, "Bob": 2, "Cleo": 3}))
    often = rated(*[("ombre", {"Ann": 1, "Bob": 2, "Cleo": 3})] * 10)
    assert [often[name]["place"] for name in ("Ann", "Bob", "Cleo")] == [1, 2, 3]
    assert often["Ann"]["rating"] > once["Ann"]["rating"] > 25 > once["Cleo"]["rating"]
    assert often["Ann"]["uncertainty"] < once["Ann"]["uncertainty"] < 8.34
    assert often["Ann"]["tables"] == 10


def test_bounds_and_caution_follow_from_the_uncertainty() -> None:
    row = rated(("kop", {"Ann": 1, "Bob": 2, "Cleo": 2, "Dirk": 4}))["Ann"]
    assert row["low"] == pytest.approx(row["rating"] - 1.96 * row["uncertainty"], abs=0.02)
    assert row["high"] == pytest.approx(row["rating"] + 1.96 * row["uncertainty"], abs=0.02)
    assert row["cautious"] == pytest.approx(row["rating"] - 3 * row["uncertainty"], abs=0.03)


def test_who_shares_a_place_is_rated_alike() -> None:
    by_player = rated(("ombre", {"Ann": 1, "Bob": 1, "Cleo": 3}))
    assert by_player["Ann"]["rating"] == pytest.approx(by_player["Bob"]["rating"], abs=0.01)
    assert by_player["Ann"]["place"] == by_player["Bob"]["place"] == 1


def test_a_table_without_an_opponent_rates_nobody() -> None:
    assert rated(("ombre", {"Ann": 1})) == {}


def test_a_named_player_is_rated_by_all_tables() -> None:
    answer = placings(("ombre", {"Ann": 1, "Bob": 2}), ("ombre", {"Ann": 2, "Bob": 1}))
    everyone = ratings(answer, Filters()).objects()
    assert ratings(answer, Filters(player="Bob")).objects() == [row for row in everyone if row["player"] == "Bob"]
    assert [row["number"] for row in rating_history(answer, Filters(player="Bob")).objects()] == [1, 2]


@pytest.mark.parametrize("game", [None, "couillon", "kop"])
def test_ratings_follow_the_tables_in_order_of_play(season: Season, season_history: History, game: str | None) -> None:
    model, current, tables = PlackettLuce(), {}, {}
    for table in season.chosen(game, None, None, None).finished:
        names = sorted(table.points, key=lambda name: table.seats[name])
        teams = [[name] for name in names]
        if table.game == "couillon":
            teams = [[name for name in names if table.seats[name] % 2 == side] for side in (0, 1)]
        best = [max(table.points[name] for name in team) for team in teams]
        ranks = [float(sum(other > own for other in best)) for own in best]
        after = model.rate([[current.get(name) or model.rating() for name in team] for team in teams], ranks=ranks)
        for team, rated_team in zip(teams, after, strict=True):
            current.update(zip(team, rated_team, strict=True))
        tables.update({name: tables.get(name, 0) + 1 for name in names})
    answered = season_history.statistic("ratings", Filters(game=game)).answer.objects()
    assert {row["player"]: row["tables"] for row in answered} == tables
    for row in answered:
        rating = current[row["player"]]
        assert (row["rating"], row["uncertainty"]) == pytest.approx((rating.mu, rating.sigma), abs=0.0051)
    course = season_history.statistic("rating-history", Filters(game=game)).answer.objects()
    last = {row["player"]: (row["number"], row["rating"]) for row in course}
    assert last == {row["player"]: (row["tables"], row["rating"]) for row in answered}
