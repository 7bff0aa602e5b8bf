"""Every statistic accepts a third-party game and uses the teams that the game declares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ledger.games import game_named
from ledger.games.kernel.protocol import Game
from ledger.history import Filters, History, LeagueRules, catch_up, open_history, statistics
from ledger.log import MemoryStore
from ledger.recording.simulate import simulate
from tests.history.helpers import record

PLAYERS = ("Ann", "Ben", "Cleo", "Dan")
PARTNERS = {frozenset(("Ann", "Cleo")), frozenset(("Ben", "Dan"))}  # WHI-2.2, COU-2.7


@pytest.fixture(scope="module")
def history(whist: Game, tmp_path_factory: pytest.TempPathFactory) -> Iterator[History]:
    """Yield tables of Whist and Couillon with the same four players in the same seats, and one of Ombre."""
    store = MemoryStore()
    for game, players in ((whist, PLAYERS), (game_named("couillon"), PLAYERS), (game_named("ombre"), PLAYERS[:3])):
        for stream, event in simulate(game, players, {}, tables=3, deals=12, seed=7, slug=game.name):
            record(store, stream, event, happened_at="2026-02-01T18:00:00.000000Z")
    path = tmp_path_factory.mktemp("history") / "h.duckdb"
    catch_up(store, path)
    with open_history(path) as opened:
        yield opened


def rows(history: History, name: str, **filters: Any) -> list[dict[str, Any]]:
    answer = history.statistic(name, Filters(**filters)).answer
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]


@pytest.mark.parametrize("game", ["whist", "couillon"])
def test_every_statistic_answers_for_the_game(history: History, game: str) -> None:
    values = {"game": game, "rules": LeagueRules(title="spring", points=(3, 1))}
    for name, statistic in statistics().items():
        taken = {key: values[key] for key in statistic.parameters if key in values}
        assert history.statistic(name, Filters(**taken)).answer.columns == list(statistic.columns), name


@pytest.mark.parametrize("game", ["whist", "couillon"])
def test_partners_are_rated_as_one_team(history: History, game: str) -> None:
    by_player = {row["player"]: row["rating"] for row in rows(history, "ratings", game=game)}
    assert by_player["Ann"] == by_player["Cleo"] != by_player["Ben"] == by_player["Dan"]


def test_single_players_are_rated_alone(history: History) -> None:
    assert len({row["rating"] for row in rows(history, "ratings", game="ombre")}) == 3


@pytest.mark.parametrize("game", ["whist", "couillon"])
def test_partners_are_no_opponents(history: History, game: str) -> None:
    met = {frozenset((row["player"], row["opponent_player"])) for row in rows(history, "head-to-head", game=game)}
    assert len(met) == 4
    assert met.isdisjoint(PARTNERS)


@pytest.mark.parametrize("game", ["whist", "couillon"])
def test_partners_are_listed_with_their_wins(history: History, game: str) -> None:
    partners = rows(history, "partners", game=game)
    assert {frozenset((row["player"], row["partner_player"])) for row in partners} == PARTNERS
    (one, other) = partners
    assert (one["deals"], one["won"], one["lost"]) == (other["deals"], other["lost"], other["won"])
    assert 0 < one["won"] < one["deals"]
