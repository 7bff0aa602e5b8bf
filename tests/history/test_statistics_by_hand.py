"""Every statistic comes to what plain Python over the answers of `score`, `audit` and `replay` comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ledger.events import DealStarted, ResultRecorded, RulingGiven, TableClosed, TableOpened
from ledger.history import History, catch_up, open_history, plot_questions, statistics
from ledger.history.questions.statistics import FINISHED, list_questions
from ledger.log import MemoryStore
from tests.history import naive_deals as deals
from tests.history import naive_games as games
from tests.history import naive_points as points
from tests.history.helpers import record
from tests.history.naive import Figures, Mean, Rows, Share
from tests.history.season import SESSIONS, Season
from tests.history.season import season as make_season

EXPECTED: dict[str, tuple[tuple[str, ...], Callable[[Season, str | None], Rows]]] = {
    "standings": (("game", "player"), points.standings),
    "session-standings": (("game", "session", "played_on", "player"), points.session_standings),
    "season-standings": (("game", "season", "player"), points.season_standings),
    "standings-by-day": (("game", "played_on", "player"), points.standings_by_day),
    "table-points": (("player",), points.table_points),
    "cumulative": (("player", "table_name"), points.cumulative),
    "course": (("table_name", "deal", "cause", "player"), points.course),
    "placings": (("table_name", "player"), points.placings),
    "head-to-head": (("player", "opponent_player"), points.head_to_head),
    "swings": (("table_name", "deal", "player"), points.swings),
    "streaks": (("player",), points.streaks),
    "pool": (("table_name", "deal"), points.pool),
    "contracts": (("game", "contract"), deals.contracts),
    "player-contracts": (("player", "game", "contract"), deals.player_contracts),
    "declarer-seats": (("game", "contract", "place_from_dealer"), deals.declarer_seats),
    "partners": (("game", "player", "partner_player"), deals.partners),
    "trumps": (("game", "trump"), deals.trumps),
    "opening-leads": (("game", "card"), deals.opening_leads),
    "ombre-exchanges": (("contract", "exchanged"), games.ombre_exchanges),
    "forced-spadille": (("player",), games.forced_spadille),
    "called-kings": (("contract", "called_card"), games.called_kings),
    "premiers-voles": (("game", "contract"), games.premiers_voles),
    "couillon-makers": (("player",), games.couillon_makers),
    "doublings": (("game", "step"), games.doublings),
    "raisers": (("player", "game", "word"), games.raisers),
    "bez": (("game", "contract", "losing_side", "factor"), games.bez),
    "findings": (("game", "code", "rule", "severity"), deals.findings),
    "player-findings": (("player",), deals.player_findings),
    "deal-lengths": (("game", "contract"), deals.deal_lengths),
}
"""Each statistic: the columns by which its rows are known, and what they should come to."""

CHOICES: dict[str, dict[str, Any]] = {
    "all": {},
    "a player": {"player": "Ann"},
    "another": {"player": "Cleo", "since": date(2026, 1, 1)},
    "a session": {"session": "spring"},
    "until": {"until": SESSIONS["spring"]},
    "ombre": {"game": "ombre"},
    "quadrille": {"game": "quadrille"},
    "couillon": {"game": "couillon"},
    "kop": {"game": "kop", "since": SESSIONS["autumn"]},
    "baska": {"game": "baska"},
    "an option by default": {"option": {"ante": 5}},
    "options named and by default": {"option": {"form": "mit4", "bars_per_team": 5}},
    "an option of two games": {"option": {"bez_in_solo": True}, "weekday": "fri"},
    "a place": {"place": "Łódź"},
    "a weekday": {"weekday": "thu"},
    "all of them": {"option": {"match_deals": 0}, "place": "Warszawa", "weekday": "thu", "player": "Ann"},
    "a place on another day": {"place": "Warszawa", "weekday": "wed"},
}


@pytest.fixture(scope="module")
def season() -> Season:
    return make_season()


@pytest.fixture(scope="module")
def history(season: Season, tmp_path_factory: pytest.TempPathFactory) -> Iterator[History]:
    path = tmp_path_factory.mktemp("history") / "h.duckdb"
    catch_up(season.store, path)
    with open_history(path) as history:
        yield history


def rows(history: History, name: str, filters: dict[str, Any]) -> list[Figures]:
    return history.statistic(name, filters).answer.objects()


def expected_columns(figures: Figures) -> Figures:
    """Shares with their bounds; means as they are."""
    columns: Figures = {}
    for name, value in figures.items():
        columns |= value.columns(name) if isinstance(value, Share) else {name: value}
    return columns


def rounded_to_hundredths(row: Figures, name: str) -> bool:
    """Means and what is told per 1,000; shares are told to thousandths."""
    return name.startswith("mean") or "revokes" in row


def assert_agrees(row: Figures, figures: Figures) -> None:
    for name, value in expected_columns(figures).items():
        if isinstance(value, Mean):
            assert_is_mean(row, name, value.amounts)
        elif isinstance(value, float):
            assert row[name] == pytest.approx(value, abs=0.0051 if rounded_to_hundredths(row, name) else 0.00051), name
        else:
            assert row[name] == value, name


def assert_is_mean(row: Figures, name: str, amounts: Any) -> None:
    if not amounts:
        assert row[name] is None
    else:
        assert row[name] == pytest.approx(sum(amounts) / len(amounts), abs=0.0051)


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("name", EXPECTED)
def test_a_statistic_is_what_counting_by_hand_comes_to(
    season: Season, history: History, name: str, choice: str
) -> None:
    assert_counted_rightly(season, history, name, CHOICES[choice])


@pytest.mark.parametrize("choice", sorted(CHOICES.keys() - {"all", "a player", "a place on another day"}))
def test_a_filter_leaves_some_deals_and_not_all(season: Season, choice: str) -> None:
    filters = dict.fromkeys(("game", "session", "since", "until")) | CHOICES[choice]
    filters.pop("player", None)
    assert 0 < len(season.chosen(**filters).tables) < len(season.tables)


def test_points_are_those_of_deals_and_those_of_closings_and_rulings(history: History) -> None:
    found = rows(history, "standings", {})
    for row in found:
        of_deals = row["points"] - row["closing_and_rulings"]
        assert (of_deals / row["deals"] if row["deals"] else None) == pytest.approx(row["points_per_deal"], abs=0.0051)
    assert any(row["closing_and_rulings"] for row in found)


def test_table_points_of_a_table_are_those_of_its_places(season: Season, history: History) -> None:
    over = [table for table in season.tables if table.answer["match"]["over"]]
    given = sum(len(table.points) * (len(table.points) - 1) / 2 for table in over)
    assert sum(row["table_points"] for row in rows(history, "table-points", {})) == given


def test_a_game_in_which_nothing_differs_yet_has_no_measure(tmp_path: Path) -> None:
    store = MemoryStore()
    outcome = {"card_points": [18, 12], "tricks": [2, 3], "maker": 0, "trump": "H"}
    voided = ResultRecorded(outcome=outcome), RulingGiven(deal=1, text="misdealt", kind="void")
    opened = TableOpened(game="couillon", players=["Ann", "Bob", "Cleo", "Dora"], options={"form": "mit4"})
    record(store, "table/t", opened, DealStarted(deal=1, dealer=3), *voided, TableClosed())
    catch_up(store, tmp_path / "h.duckdb")
    with open_history(tmp_path / "h.duckdb") as history:
        found = rows(history, "table-points", {})
    assert [(row["place"], row["table_points"], row["standardised"]) for row in found] == [(1, 1.5, None)] * 4


@pytest.mark.parametrize("begins", ["01-01", "03-20", "03-21", "05-02", "09-23", "12-31"])
def test_seasons_begin_on_the_day_that_is_named(season: Season, history: History, begins: str) -> None:
    found = rows(history, "season-standings", {"season_from": begins})
    month, day = map(int, begins.split("-"))
    assert_rows_agree(found, ("game", "season", "player"), points.season_standings(season, None, (month, day)))


def test_the_line_of_a_player_counts_complete_deals(season: Season, history: History) -> None:
    asked = dict.fromkeys(("player", "game", "since", "until", "session"))
    found = history.answer_to(plot_questions()["cumulative"], asked).answer.objects()
    assert {(row["game"], row["player"], row["number"]): row["points"] for row in found} == points.drawn_cumulative(
        season
    )
    last = {(row["game"], row["player"]): row["number"] for row in found}
    for game in {game for game, _ in last}:
        shown = {player: number for (of, player), number in last.items() if of == game}
        assert shown == {row["player"]: row["deals"] for row in rows(history, "standings", {"game": game})}


def test_lists_of_players_and_of_where_they_sat_count_complete_deals(season: Season, history: History) -> None:
    players = history.answer_to(list_questions()["players"], {"player": None}).answer.objects()
    assert {row["player"]: row["deals"] for row in players} == {
        name: len(points.deals_of(season.tables, name)) for name in points.totals(season.tables)
    }
    sittings = history.answer_to(list_questions()["sittings"], {"player": None, "session": None}).answer.objects()
    complete = {table.name: sum(deal.score["status"] == "complete" for deal in table.deals) for table in season.tables}
    assert {row["table"]: row["deals"] for row in sittings} == complete


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 41))
def test_every_statistic_is_what_counting_by_hand_comes_to_in_other_seasons(tmp_path: Path, seed: int) -> None:
    season = make_season(seed)
    catch_up(season.store, tmp_path / "h.duckdb")
    with open_history(tmp_path / "h.duckdb") as history:
        for name in EXPECTED:
            for choice in CHOICES.values():
                assert_counted_rightly(season, history, name, choice)


def assert_counted_rightly(season: Season, history: History, name: str, choice: dict[str, Any]) -> None:
    filters = {key: value for key, value in choice.items() if key in statistics()[name].parameters}
    places = dict.fromkeys(("game", "session", "since", "until")) | filters
    player = places.pop("player", None)
    keys, by_hand = EXPECTED[name]
    assert_rows_agree(rows(history, name, filters), keys, by_hand(season.chosen(**places), player))


def assert_rows_agree(found: list[Figures], keys: tuple[str, ...], expected: Rows) -> None:
    assert {tuple(row[key] for key in keys) for row in found} == set(expected)
    assert len(found) == len(expected)
    for row in found:
        assert_agrees(row, expected[tuple(row[key] for key in keys)])


def test_no_statistic_goes_unchecked() -> None:
    assert set(EXPECTED) | set(FINISHED) == set(statistics())


@pytest.mark.parametrize("name", EXPECTED)
def test_the_season_has_something_to_say_on_every_statistic(history: History, name: str) -> None:
    assert len(rows(history, name, {})) > 1


def test_the_season_has_what_is_rare(season: Season, history: History) -> None:
    bez = rows(history, "bez", {})
    assert {row["factor"] for row in bez} == {1, 2, 3}
    assert {"normal", "zolo"} <= {row["contract"] for row in bez} <= {"normal", "wesele", "cicha", "zolo", "grand"}
    assert {row["step"] for row in rows(history, "doublings", {"game": "couillon"})} == {0, 1, 2, 3}
    assert {deal.score["status"] for deal in season.deals} == {"complete", "open", "voided", "unscorable"}
    assert any(row["decided"] < row["played"] for row in rows(history, "contracts", {"game": "ombre"}))
    assert sum(row["voles_made"] for row in rows(history, "premiers-voles", {})) > 0
    assert sum(row["revokes"] for row in rows(history, "player-findings", {})) > 0
    assert sum(row["circles"] for row in rows(history, "couillon-makers", {})) > 0
    assert any(row["called"] is None for row in rows(history, "player-contracts", {"game": "kop"}))
    couillon = rows(history, "contracts", {"game": "couillon"})
    assert sum(row["declared"] for row in couillon) < sum(row["played"] for row in couillon)
    assert any(row["level"] for row in rows(history, "head-to-head", {}))
    assert {row["paid"] is None for row in rows(history, "head-to-head", {})} == {True, False}
    assert any(not row["is_over"] for row in rows(history, "placings", {}))
    assert any(row["known"] < row["led"] for row in rows(history, "opening-leads", {"game": "kop"}))
    assert {"none", None} < {row["called_card"] for row in rows(history, "called-kings", {})}
    assert sum(row["forced"] for row in rows(history, "forced-spadille", {})) > 1
