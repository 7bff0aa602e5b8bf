"""`min_deals` leaves out players and pairs with fewer deals, before places are given."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import pytest

from ledger.history import History, statistics
from tests.history.naive_points import deals_of, totals
from tests.history.season import Season, rows

TAKING = {name for name, statistic in statistics().items() if "min_deals" in statistic.parameters}

COUNTED = {
    "standings": "deals", "season-standings": "deals", "session-standings": "deals", "streaks": "deals",
    "partners": "deals", "couillon-makers": "deals", "forced-spadille": "deals", "raisers": "deals",
    "player-contracts": "played", "table-points": "deals", "roles": "deals",
}  # fmt: skip
"""Statistics that tell in a column how many deals a row has."""

RATED = ("ratings", "rating-history")
OF_PLAYER = ("standings-by-day", "player-findings", *RATED)
"""Those that list a player by all deals that the player has; who is rated, at tables that are over."""


def without_place(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key != "place"} for row in found]


def test_every_statistic_that_takes_it_is_tried() -> None:
    assert {*COUNTED, *OF_PLAYER, "head-to-head"} == TAKING


def test_every_statistic_per_player_or_pair_takes_it() -> None:
    of_single_deals_or_tables = {"course", "cumulative", "placings", "swings"}
    has_rules_of_its_own = {"league"}
    per_player = {name for name, one in statistics().items() if "player" in one.columns}
    assert per_player - of_single_deals_or_tables - has_rules_of_its_own == per_player & TAKING


@pytest.mark.parametrize("name", COUNTED)
def test_rows_of_fewer_deals_are_left_out(season_history: History, name: str) -> None:
    everything = rows(season_history, name)
    counts = sorted(row[COUNTED[name]] for row in everything)
    least = counts[len(counts) // 2]
    kept = [row for row in everything if row[COUNTED[name]] >= least]
    assert without_place(rows(season_history, name, min_deals=least)) == without_place(kept)
    assert rows(season_history, name, min_deals=counts[-1] + 1) == []


@pytest.mark.parametrize("name", OF_PLAYER)
def test_players_of_fewer_deals_are_left_out(season: Season, season_history: History, name: str) -> None:
    tables = season.finished if name in RATED else season.tables
    deals = {player: len(deals_of(tables, player)) for player in totals(tables)}
    if name == "player-findings":  # whatever became of them
        deals = {player: sum(player in deal.players for deal in season.deals) for player in deals}
    least = sorted(deals.values())[len(deals) // 2]
    found = rows(season_history, name, min_deals=least)
    assert {row["player"] for row in found} == {player for player, count in deals.items() if count >= least}
    kept = [row for row in rows(season_history, name) if deals[row["player"]] >= least]
    assert without_place(found) == without_place(kept)


def test_opponents_who_shared_fewer_deals_are_left_out(season: Season, season_history: History) -> None:
    shared: dict[tuple[str, str], int] = {}
    for table in season.finished:
        for mine, theirs in table.opponents:
            fewer = min(len(deals_of([table], name)) for name in (mine, theirs))
            shared[mine, theirs] = shared.get((mine, theirs), 0) + fewer
    least = sorted(shared.values())[len(shared) // 2]
    everybody = rows(season_history, "head-to-head")
    kept = [row for row in everybody if shared[row["player"], row["opponent_player"]] >= least]
    assert rows(season_history, "head-to-head", min_deals=least) == kept
    assert 0 < len(kept) < len(everybody)


RANKED = {
    "standings": (("game",), "points"), "season-standings": (("season", "game"), "points"),
    "session-standings": (("played_on", "session", "game"), "points"),
    "standings-by-day": (("game", "played_on"), "points"), "table-points": ((), "table_points"),
    "ratings": ((), "cautious"),
}  # fmt: skip
"""By which columns places are given, and by which figure."""


@pytest.mark.parametrize("name", RANKED)
def test_places_are_given_among_those_who_are_left(season_history: History, name: str) -> None:
    group, by = RANKED[name]
    deals = sorted(row["deals"] for row in rows(season_history, "table-points"))
    found = rows(season_history, name, min_deals=9 if group else deals[1])
    assert found
    for _, listed in groupby(found, lambda row: [row[column] for column in group]):
        places = [(row["place"], row[by]) for row in listed]
        assert [place for place, _ in places] == [1 + sum(other > own for _, other in places) for _, own in places]
