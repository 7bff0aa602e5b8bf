"""A player's year: each figure counted again from the answers about the tables, and the drawn page."""

from collections import defaultdict
from datetime import date
from typing import Any

import pytest
from msgspec.structs import replace

from ledger.errors import NotFoundError
from ledger.games import game_named
from ledger.history import Filters, History
from ledger.plots.charts import plot_spec
from ledger.plots.export import on_sheet, sized_in_points
from ledger.plots.figures import check_plot_filters, figures
from ledger.plots.rows import Figures
from tests.covering import covering
from tests.history.naive_points import season_named
from tests.history.season import Season
from tests.plots.scenes import labels, scene_of


def year_of(history: History, player: str = "Ann", **filters: Any) -> Figures:
    return figures(history, "year", Filters(player=player, **filters), {})


def counted(season: Season, player: str, begins: tuple[int, int] = (1, 1)) -> dict[str, dict[str, Any]]:
    """Count the evenings of the player's last season by game, from the answers of `score`, without SQL."""
    gained: dict[str, dict[date, int]] = defaultdict(lambda: defaultdict(int))
    complete: dict[str, set[date]] = defaultdict(set)
    last = max(table.day for table in season.tables if player in table.points)
    for table in season.tables:
        if season_named(table.day, begins) != season_named(last, begins):
            continue
        for amount in table.amounts:
            if amount.player == player:
                gained[table.game][table.day] += amount.amount
        if any(deal.score["status"] == "complete" and player in deal.players for deal in table.deals):
            complete[table.game].add(table.day)
    return {
        game: {
            "season": season_named(last, begins),
            "evenings": len(complete[game]),
            "best": max((points, -day.toordinal()) for day, points in days.items() if day in complete[game]),
            "worst": min((points, day.toordinal()) for day, points in days.items() if day in complete[game]),
            "points": sum(days.values()),
        }
        for game, days in gained.items()
        if complete[game]
    }


@pytest.fixture(scope="module")
def year(season_history: History) -> Figures:
    """Return Ann's year, as several tests draw it."""
    return year_of(season_history)


@pytest.fixture(scope="module")
def spec(year: Figures) -> dict[str, Any]:
    return plot_spec(year)


BEGINNINGS = [(None, (1, 1)), ("05-01", (5, 1)), ("09-01", (9, 1))]


@pytest.mark.parametrize(("player", "beginning"), covering(["Ann", "Cleo", "Ève"], BEGINNINGS))
def test_evenings_and_points_are_those_of_the_last_season(
    season_history: History, season: Season, player: str, beginning: tuple[str | None, tuple[int, int]]
) -> None:
    season_from, begins = beginning
    plotted = year_of(season_history, player, season_from=season_from)
    naive = counted(season, player, begins)
    results = {row["game"]: row["points"] for row in plotted.parts["results"]}
    assert naive and {row["game"] for row in plotted.rows} == naive.keys()
    for row in plotted.rows:
        of_game = naive[row["game"]]
        best, worst = (date.fromisoformat(row[f"{end}_day"]).toordinal() for end in ("best", "worst"))
        assert (row["season"], row["evenings"]) == (of_game["season"], of_game["evenings"])
        assert (row["best_points"], -best) == of_game["best"] and (row["worst_points"], worst) == of_game["worst"]
        assert results[row["game"]] == of_game["points"]


@pytest.mark.parametrize(("filters", "named", "days"), [
    ({"until": date(2025, 12, 31)}, "2025", ("2025-01-01", "2025-12-31")),
    ({"season": "2024/25", "season_from": "09-01"}, "2024/25", ("2024-09-01", "2025-08-31")),
])  # fmt: skip
def test_an_earlier_season_is_selected_by_its_days_or_its_name(
    year: Figures, season_history: History, filters: dict[str, Any], named: str, days: tuple[str, str]
) -> None:
    assert year.heading == {"player": "Ann", "season": "2026"}
    earlier = year_of(season_history, **filters)
    assert earlier.heading["season"] == named
    assert (earlier.filters["since"], earlier.filters["until"]) == days
    assert {row["played_on"] for row in earlier.parts["calendar"]} == {"2025-03-20"}


def test_days_beyond_the_filters_are_not_said_to_have_been_looked_at(season_history: History) -> None:
    cut = year_of(season_history, since=date(2026, 4, 1), until=date(2026, 6, 30), season_from="09-01")
    looked_at = cut.filters["since"], cut.filters["until"], cut.heading["season"]
    assert looked_at == ("2026-04-01", "2026-06-30", "2025/26")


def test_a_few_days_have_their_own_labels(season_history: History) -> None:
    few = year_of(season_history, since=date(2025, 3, 10), until=date(2025, 3, 25))
    texts = labels(scene_of(plot_spec(few)), "axis-label")
    assert {"Mar", "03-10", "03-25"} <= set(texts)


def test_a_band_of_pictures_for_each_game_and_nothing_added_across_games(year: Figures, spec: dict[str, Any]) -> None:
    games = [row["game"] for row in year.rows]
    bands = spec["vconcat"][2 : 2 + len(games)]
    assert len(games) > 3 and all(2 <= len(band["hconcat"]) <= 3 for band in bands)
    cells = spec["vconcat"][0]["data"]["values"]
    assert {cell["text"] for cell in cells if cell["x"] == 0} == {"game", *(game_named(game).title for game in games)}


def test_a_contract_without_an_interval_is_not_shown(year: Figures, spec: dict[str, Any]) -> None:
    left_out = [row for row in year.parts["contracts"] if row["mean_low"] is None]
    assert left_out
    for row in left_out:
        assert f"'{row['contract']}, {row['played']}'" not in str(spec)
    unknown = {**left_out[0], "played": 9}
    contracts = [unknown, unknown | {"mean_low": -1.5, "mean_high": 1.5}]
    rows = [row for row in year.rows if row["game"] == unknown["game"]]
    assert "1 of 2 contracts" in str(plot_spec(replace(year, rows=rows, parts={**year.parts, "contracts": contracts})))


def test_a_year_is_of_somebody() -> None:
    with pytest.raises(NotFoundError, match="the plot year needs a player"):
        check_plot_filters("year", Filters())
    with pytest.raises(NotFoundError, match="year has no filter group_by"):
        check_plot_filters("year", Filters(player="Ann", group_by=("game",)))


def test_who_is_shown_by_another_name_is_so_among_partners_and_opponents(season_history: History) -> None:
    plotted = figures(season_history, "year", Filters(player="Ann"), {"Cleo": "C.", "Ann": "Anna"})
    assert plotted.heading["player"] == "Anna"
    assert "C." in {row["opponent_player"] for row in plotted.parts["opponents"]}
    assert "C." in {row["partner_player"] for row in plotted.parts["partners"]}
    texts = str(plot_spec(plotted))
    assert "Cleo" not in texts and "'Ann'" not in texts


def test_a_page_is_a_sheet_of_paper_and_holds_all_that_is_drawn() -> None:
    drawn = '<svg width="420" height="100" viewBox="0 0 420 100"><rect width="420" height="100" fill="white"/></svg>'
    sheet = on_sheet(drawn)
    assert 'width="210mm" height="297mm"' in sheet and 'viewBox="-23.3 -23.3 466.7 660.0"' in sheet
    assert 'width="595.28" height="841.89"' in sized_in_points(sheet)
    assert 'width="315.00" height="75.00"' in sized_in_points(drawn)
