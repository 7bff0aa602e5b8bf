"""Every statistic equals its computation in plain Python over the folded tables and the answers of the API."""

import tomllib
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pytest
from msgspec import structs

from ledger.events import DealStarted, ResultRecorded, TableClosed, TableOpened
from ledger.games import registered_games
from ledger.history import Filters, History, LeagueRules, catch_up, plot_queries, statistics
from ledger.history.questions.display_names import DisplayNames
from ledger.history.questions.statistics import POSTPROCESSORS, list_queries
from ledger.log import MemoryStore
from ledger.reports.rankings import rankings_of
from tests.covering import IS_SOAK, covering, sample, wider_in_soak
from tests.history import naive_deals as deals
from tests.history import naive_games as games
from tests.history import naive_points as points
from tests.history.helpers import opened_history, record
from tests.history.naive import KINDS, Figures, Mean, Rows, Units, documented_minima, expected_columns
from tests.history.season import SESSIONS, Season, make_season, rows

STATISTICS: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("statistics.toml").read_text(encoding="utf-8")
)
CHOICES = STATISTICS["choices"]


def by_hand(name: str) -> Callable[[Season, str | None], Rows]:
    """Return the function with that name, which counts by hand."""
    function = name.replace("-", "_")
    counting: Callable[[Season, str | None], Rows] = next(
        getattr(module, function) for module in (points, deals, games) if hasattr(module, function)
    )
    return counting


EXPECTED = {name: (tuple(keys.split()), by_hand(name)) for name, keys in STATISTICS["keys"].items()}
"""For each statistic, the columns that identify its rows, and its computation by hand."""

CAREFUL, LENIENT = Units(documented_minima()), dict.fromkeys(KINDS, dict.fromkeys(registered_games(), 2))
"""The least numbers of deals for an interval, by kind of mean and game: as documented, and two everywhere."""

WITH_INTERVALS = [name for name, statistic in statistics().items() if "by" in statistic.parameters]


@pytest.fixture(scope="session")
def lenient(season: Season, tmp_path_factory: pytest.TempPathFactory) -> Iterator[History]:
    """Return the season where two deals or two tables are enough for an interval, which makes more intervals."""
    path = tmp_path_factory.mktemp("lenient") / "h.duckdb"
    head = catch_up(season.store, path).head
    with duckdb.connect(path) as connection:
        connection.execute("CREATE OR REPLACE MACRO minimum_deals(game, mean) AS 2")
        connection.execute("CREATE OR REPLACE MACRO minimum_tables() AS 2")
        yield History(connection, path, head)


def assert_counted_rightly(
    season: Season, history: History, name: str, choice: dict[str, Any], units: Units = CAREFUL, by: str | None = None
) -> list[Figures]:
    filters = {key: value for key, value in choice.items() if key in statistics()[name].parameters}
    chosen = dict.fromkeys(("game", "session", "since", "until")) | filters
    player = chosen.pop("player", None)
    keys, count = EXPECTED[name]
    counted = rows(history, name, **filters, by=by)
    expected = count(season.chosen(**chosen), player)
    assert_rows_agree(counted, keys, {key: row for key, row in expected.items() if "" not in key}, units)
    return counted


def assert_rows_agree(answered: list[Figures], keys: tuple[str, ...], expected: Rows, units: Units = CAREFUL) -> None:
    assert len(answered) == len(expected)
    by_key = {tuple(row[key] for key in keys): row for row in answered}
    columns = {key: expected_columns(figures, units) for key, figures in expected.items()}
    assert {key: {name: row[name] for name in columns[key]} for key, row in by_key.items() if key in columns} == columns


ALONE = ("a session", "until", "an option by default", "a place", "a weekday", "a seat")
"""Filters of one kind each; `make test` takes two of them in turn, beside the one of the next test."""


@wider_in_soak
@pytest.mark.parametrize("name", EXPECTED)
def test_a_statistic_is_what_counting_by_hand_comes_to(season: Season, season_history: History, name: str) -> None:
    """All deals and some filters alone: every part of a statistic must apply the filter."""
    assert len(assert_counted_rightly(season, season_history, name, {})) > 1
    assert_counted_rightly(season, season_history, name, {"player": "Ann"})
    number = list(EXPECTED).index(name)
    for choice in ALONE if IS_SOAK else (ALONE[number % len(ALONE)], ALONE[(number + 2) % len(ALONE)]):
        assert_counted_rightly(season, season_history, name, CHOICES[choice])


RANKED = [
    *({"session": one} for one in SESSIONS),
    {"season": "2026"},
    {"season": "2026", "game": "kop", "min_deals": 9},
]


@pytest.mark.parametrize("chosen", RANKED, ids=str)
def test_the_rankings_of_an_evening_or_a_season_are_the_statistics(
    season_history: History, chosen: dict[str, Any]
) -> None:
    filters, courses = Filters(**chosen), dict[tuple[str, str], list[int]]()
    lines = season_history.answer_to(plot_queries()["cumulative"], structs.replace(filters, min_deals=None))
    for row in lines.answer.objects():
        courses.setdefault((row["game"], row["player"]), []).append(row["points"])
    kind = "session" if filters.session else "season"
    standings = season_history.statistic(f"{kind}-standings", filters).answer.objects()
    places = season_history.statistic("table-points", filters).answer.objects()
    figures = "place", "player", "points", "deals", "tables"
    expected = [(row["game"], *(row[one] for one in figures), courses[row["game"], row["player"]]) for row in standings]
    for row in places:
        row["points"] = row["table_points"]
        expected.append((None, *(row[one] for one in figures), ()))
    rankings = rankings_of(season_history, filters, DisplayNames({}, {}, {}))
    assert expected
    assert expected == [
        (one.game, *(getattr(rank, figure) for figure in figures), rank.course)
        for one in sorted(rankings, key=lambda one: one.game or "~")
        for rank in one.rows
    ]


@pytest.mark.parametrize(("name", "choice"), covering(list(EXPECTED), list(CHOICES)))
def test_a_statistic_of_some_deals_equals_hand(season: Season, season_history: History, name: str, choice: str) -> None:
    assert_counted_rightly(season, season_history, name, CHOICES[choice])


@pytest.mark.parametrize("name", sample(WITH_INTERVALS, 4))
def test_the_bounds_of_a_mean_equal_hand(season: Season, season_history: History, lenient: History, name: str) -> None:
    assert_counted_rightly(season, season_history, name, {}, CAREFUL._replace(tables=5), "table")
    for by, tables in ((None, None), ("table", 2)):
        assert_counted_rightly(season, lenient, name, {"since": date(2026, 1, 1)}, Units(LENIENT, tables), by)
        assert_counted_rightly(season, lenient, name, {"player": "Ann"}, Units(LENIENT, tables), by)
    for bounds in {column for column in statistics()[name].columns if column in ("mean_low", "cards_low", "calls_low")}:
        is_rare = name == "forced-spadille"  # nobody was forced often enough to show how far the points vary
        assert any(row[bounds] is not None for row in rows(lenient, name)) is not is_rare
        assert any(row[bounds] is None for row in rows(season_history, name)) or name == "standings"


def test_each_statistic_with_intervals_has_a_mean_that_was_reckoned_by_hand(season: Season) -> None:
    reckoned = {
        name
        for name, (_, count) in EXPECTED.items()
        if any(isinstance(figure, Mean) for row in count(season, None).values() for figure in row.values())
    }
    assert reckoned == set(WITH_INTERVALS)


def test_every_statistic_heeds_every_filter_that_it_takes() -> None:
    days = {"season": "since", "season_from": "since"}  # a season comes as its days
    for name, statistic in statistics().items():
        for parameter in {*statistic.parameters} - {"rules"}:
            assert f"${days.get(parameter, parameter)}" in statistic.sql or name in POSTPROCESSORS, (name, parameter)


@pytest.mark.parametrize("choice", sorted(CHOICES.keys() - {"a place on another day", "a seat", "a player at a seat"}))
def test_a_filter_leaves_some_deals_and_not_all(season: Season, choice: str) -> None:
    filters = dict.fromkeys(("game", "session", "since", "until")) | CHOICES[choice]
    filters.pop("player", None)
    assert 0 < len(season.chosen(**filters).tables) < len(season.tables)


def test_a_game_in_which_nothing_differs_yet_has_no_measure() -> None:
    store = MemoryStore()
    outcome = {"card_points": [15, 15], "tricks": [2, 3], "maker": 0, "trump": "H"}
    opened = TableOpened(game="couillon", players=["Ann", "Bob", "Cleo", "Dora"], options={"form": "mit4"})
    record(store, "table/t", opened, DealStarted(deal=1, dealer=3), ResultRecorded(outcome=outcome), TableClosed())
    with opened_history(store) as history:
        standings = rows(history, "table-points")
    assert [(row["place"], row["table_points"], row["standardised"]) for row in standings] == [(1, 1.5, None)] * 4


@pytest.mark.parametrize("begins", ["01-01", "03-20", "03-21", "12-31"])
def test_seasons_begin_on_the_day_that_is_named(season: Season, season_history: History, begins: str) -> None:
    standings = rows(season_history, "season-standings", season_from=begins)
    month, day = map(int, begins.split("-"))
    assert_rows_agree(standings, ("game", "season", "player"), points.season_standings(season, None, (month, day)))


def test_the_line_of_a_player_counts_complete_deals(season: Season, season_history: History) -> None:
    drawn = season_history.answer_to(plot_queries()["cumulative"]).answer.objects()
    assert {(row["game"], row["player"], row["number"]): row["points"] for row in drawn} == points.drawn_cumulative(
        season
    )
    last = {(row["game"], row["player"]): row["number"] for row in drawn}
    for game in {game for game, _ in last}:
        shown = {player: number for (of, player), number in last.items() if of == game}
        assert shown == {row["player"]: row["deals"] for row in rows(season_history, "standings", game=game)}


def test_lists_of_players_and_of_where_they_sat_count_complete_deals(season: Season, season_history: History) -> None:
    players = season_history.answer_to(list_queries()["players"]).answer.objects()
    assert {row["player"]: row["deals"] for row in players} == {
        name: len(points.deals_of(season.tables, name)) for name in points.totals(season.tables)
    }
    sittings = season_history.answer_to(list_queries()["sittings"]).answer.objects()
    complete = {table.name: sum(deal.score["status"] == "complete" for deal in table.deals) for table in season.tables}
    assert {row["table"]: row["deals"] for row in sittings} == complete


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 13))
def test_every_statistic_is_what_counting_by_hand_comes_to_in_other_seasons(seed: int) -> None:
    season = make_season(seed)
    with opened_history(season.store) as history:
        for name in EXPECTED:
            for choice in ({}, {"player": "Ann"}, *CHOICES.values()):
                assert_counted_rightly(season, history, name, choice)


def test_no_statistic_goes_unchecked() -> None:
    assert set(EXPECTED) | set(POSTPROCESSORS) == set(statistics())


def test_the_season_has_what_is_rare(season: Season, season_history: History) -> None:
    assert any(row["closing_and_rulings"] for row in rows(season_history, "standings"))
    bez = rows(season_history, "bez")
    assert {row["factor"] for row in bez} == {1, 2, 3}
    assert {"normal", "zolo"} <= {row["contract"] for row in bez} <= {"normal", "wesele", "cicha", "zolo", "grand"}
    assert {row["step"] for row in rows(season_history, "doublings", game="couillon")} == {0, 1, 2, 3}
    assert {deal.score["status"] for deal in season.deals} == {"complete", "open", "voided", "unscorable"}
    ruled = {(deal.table.game, deal.is_won) for deal in season.scored if deal.is_ruled}
    assert ruled >= {("couillon", True), ("couillon", False), *((game, None) for game in ("ombre", "quadrille", "kop"))}
    given = [(ruling["kind"], deal.is_ruled) for deal in season.scored for ruling in deal.score["rulings"]]
    assert {("adjust", True), ("adjust", False), ("replace", True), ("replace", False), ("award", False)} <= {*given}
    assert {table.name for table in season.tables if not table.is_match} == {"voided"}
    assert any(row["decided"] < row["played"] for row in rows(season_history, "contracts", game="ombre"))
    assert sum(row["voles_made"] for row in rows(season_history, "premiers-voles")) > 0
    assert sum(row["revokes"] for row in rows(season_history, "player-findings")) > 0
    assert sum(row["circles"] for row in rows(season_history, "couillon-makers")) > 0
    assert any(row["called"] is None for row in rows(season_history, "player-contracts", game="kop"))
    couillon = rows(season_history, "contracts", game="couillon")
    assert sum(row["declared"] for row in couillon) < sum(row["played"] for row in couillon)
    assert any(row["level"] for row in rows(season_history, "head-to-head"))
    assert {row["paid"] is None for row in rows(season_history, "head-to-head")} == {True, False}
    assert any(not row["is_over"] for row in rows(season_history, "placings"))
    assert any(row["known"] < row["led"] for row in rows(season_history, "opening-leads", game="kop"))
    assert {"none", None} < {row["called_card"] for row in rows(season_history, "called-kings")}
    assert sum(row["forced"] for row in rows(season_history, "forced-spadille")) > 1


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
