"""The bounds beside every mean are what plain Python comes to, for single deals and for whole tables."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ledger.games import registered_games
from ledger.history import History, catch_up, open_history, statistics
from tests.history import naive_means as means
from tests.history.season import Season
from tests.history.season import season as make_season
from tests.history.told_minima import told_minima

MEANS: dict[tuple[str, str], tuple[tuple[str, ...], means.Means, str]] = {
    ("standings", "mean"): (("game", "player"), means.standings, "points"),
    ("contracts", "mean"): (("game", "contract"), means.contracts, "points"),
    ("player-contracts", "mean"): (("player", "game", "contract"), means.player_contracts, "points"),
    ("ombre-exchanges", "mean"): (("contract", "exchanged"), means.ombre_exchanges, "points"),
    ("forced-spadille", "mean"): (("player",), means.forced_spadille, "points"),
    ("raisers", "mean"): (("player", "game", "word"), means.raisers, "points"),
    ("doublings", "mean"): (("game", "step"), means.doublings, "gain"),
    ("opening-leads", "mean"): (("game", "card"), means.opening_leads, "points"),
    ("partners", "mean"): (("game", "player", "partner_player"), means.partners, "points"),
    ("deal-lengths", "cards"): (("game", "contract"), means.cards, "cards"),
    ("deal-lengths", "calls"): (("game", "contract"), means.calls, "calls"),
}
"""Statistic and columns of the bounds: by which columns a row is known, what its mean rests on, and is of."""

CHOICES: dict[str, dict[str, Any]] = {
    "all": {},
    "a player": {"player": "Ann"},
    "since": {"since": date(2026, 1, 1)},
    "couillon": {"game": "couillon"},
    "baska": {"game": "baska"},
}


@pytest.fixture(scope="module")
def season() -> Season:
    return make_season()


@pytest.fixture(scope="module")
def path(season: Season, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("history") / "h.duckdb"
    catch_up(season.store, path)
    return path


@pytest.fixture(scope="module")
def history(path: Path) -> Iterator[History]:
    with open_history(path) as history:
        yield history


@pytest.fixture(scope="module")
def lenient(path: Path, history: History) -> Iterator[History]:
    """The same where two deals, or two tables, are enough for every interval, so that there are more of them."""
    copy = path.with_name("lenient.duckdb")
    shutil.copy(path, copy)
    with duckdb.connect(copy) as connection:
        connection.execute("CREATE OR REPLACE MACRO minimum_deals(game, mean) AS 2")
        connection.execute("CREATE OR REPLACE MACRO minimum_tables() AS 2")
        yield History(connection, copy, history.head)


@pytest.mark.parametrize("by", [None, "table"])
@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize(("name", "column"), MEANS)
def test_bounds_are_what_reckoning_by_hand_comes_to(
    season: Season, history: History, lenient: History, name: str, column: str, choice: str, by: str | None
) -> None:
    filters = {key: value for key, value in CHOICES[choice].items() if key in statistics()[name].parameters}
    places = dict.fromkeys(("game", "session", "since", "until")) | filters
    player = places.pop("player", None)
    keys, by_hand, kind = MEANS[name, column]
    told = ((history, told_minima()[kind], 5), (lenient, dict.fromkeys(registered_games(), 2), 2))
    for asked, least, tables in told:
        moved = by_hand(season.chosen(**places), player)
        expected = means.intervals(moved, least, None if by is None else tables)
        for row in asked.statistic(name, {**filters, "by": by}).answer.objects():
            bounds = row[f"{column}_low"], row[f"{column}_high"]
            reckoned = expected.get(tuple(row[key] for key in keys))
            assert bounds == (pytest.approx(reckoned, abs=0.0051, rel=2e-5) if reckoned else (None, None))


def test_every_mean_with_bounds_is_checked() -> None:
    taking = {name for name, statistic in statistics().items() if "by" in statistic.parameters}
    assert {name for name, _ in MEANS} == taking


@pytest.mark.parametrize(("name", "column"), MEANS)
def test_the_season_has_rows_with_bounds_and_without(
    history: History, lenient: History, name: str, column: str
) -> None:
    bounded, unbounded = (
        [row for row in asked.statistic(name, {}).answer.objects() if (row[f"{column}_low"] is None) is is_missing]
        for asked, is_missing in ((lenient, False), (history, True))
    )
    assert bounded
    assert unbounded or name == "standings"
