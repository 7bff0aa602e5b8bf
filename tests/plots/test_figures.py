"""Plots against their statistics: the data of a specification are the numbers of the history."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest

from ledger.events import SessionOpened, TableOpened
from ledger.history import FILTERS, Filters, History
from ledger.log import MemoryStore
from ledger.plots.charts import plot_spec
from ledger.plots.figures import OF_STATISTICS, figures, plots, shrunk_share
from ledger.plots.style import LINES_MAX
from tests.history.helpers import opened_history, record, table_events
from tests.history.season import rows
from tests.plots.scenes import rows_in
from tests.plots.seasons import BY_TURNS, results

DAYS = {"spring": "2026-03-20", "autumn": "2026-09-23"}


@pytest.fixture(scope="module")
def history() -> Iterator[History]:
    store = MemoryStore()
    for session, day in DAYS.items():
        record(store, f"session/{session}", SessionOpened(title=session, date=day))
    for number in range(10):
        seats, session = 3 + number % 2, list(DAYS)[number % 2]
        record(store, f"table/t{number}", *table_events(f"t{number}", 6, seats=seats, session=session, seed=number))
    with opened_history(store) as history:
        yield history


def drawn(history: History, name: str, **filters: Any) -> list[dict[str, Any]]:
    """Return the rows in the specification of a plot, each once."""
    drawn_rows = rows_in(plot_spec(figures(history, name, Filters(**filters), {})))
    assert drawn_rows
    return drawn_rows


def last_of(drawn_rows: list[dict[str, Any]], value: str) -> dict[str, Any]:
    """Return the last value by player."""
    return {row["player"]: row[value] for row in drawn_rows}


CHOICES: list[dict[str, Any]] = [{}, {"session": "spring"}, {"player": "Ann"}, {"game": "ombre", "session": "autumn"}]


@pytest.mark.parametrize("filters", CHOICES)
def test_cumulative_scores_end_at_the_points_of_the_standings(history: History, filters: dict[str, Any]) -> None:
    drawn_rows = drawn(history, "cumulative", **filters)
    assert last_of(drawn_rows, "points") == last_of(rows(history, "standings", **filters), "points")


def test_cumulative_scores_move_by_what_each_deal_brought(history: History) -> None:
    drawn_rows = [row for row in drawn(history, "cumulative", session="spring") if row["player"] == "Ann"]
    moved = history.query(
        "SELECT sum(amount) FROM points JOIN tables USING (table_name) "
        "WHERE player = 'Ann' AND points.session = 'spring' "
        "GROUP BY table_name, first_position, coalesce(deal, 6) ORDER BY first_position, coalesce(deal, 6)"
    )
    points, so_far = [], 0
    for (amount,) in moved.rows:
        so_far += amount
        points.append(so_far)
    assert [row["points"] for row in drawn_rows] == points
    assert [row["number"] for row in drawn_rows] == list(range(1, len(points) + 1))


@pytest.mark.parametrize(("filters", "unit", "moments"), [
    ({}, "day", ["2026-03-20", "2026-09-23"]),
    ({"session": "spring"}, "deal", ["1", "2", "3", "4", "5", "6"]),
])  # fmt: skip
def test_plots_end_at_the_standings(history: History, filters: dict[str, Any], unit: str, moments: list[str]) -> None:
    drawn_rows = drawn(history, "standings", **filters)
    assert {row["unit"] for row in drawn_rows} == {unit}
    assert list(dict.fromkeys(row["moment"] for row in drawn_rows)) == moments
    for value in ("place", "points"):
        assert last_of(drawn_rows, value) == last_of(rows(history, "standings", **filters), value)


def test_standings_of_the_first_day_are_those_until_then(history: History) -> None:
    first = [row for row in drawn(history, "standings") if row["moment"] == DAYS["spring"]]
    assert last_of(first, "place") == last_of(rows(history, "standings", until=DAYS["spring"]), "place")


@pytest.mark.parametrize("name", sorted(OF_STATISTICS))
def test_plots_of_statistics_show_their_rows_as_they_are(history: History, name: str) -> None:
    drawn_rows = drawn(history, name, session="spring")
    expected = rows(history, OF_STATISTICS[name], session="spring")
    if name == "pool":
        held = {row["table_name"] for row in expected if row["pool_after"]}
        expected = [row for row in expected if row["table_name"] in held]
    shown = [{key: str(row.get(key)) for key in expected[0]} for row in drawn_rows]
    assert all({key: str(value) for key, value in row.items()} in shown for row in expected)


def test_the_calendar_has_a_strip_for_each_season(history: History) -> None:
    def strips(**filters: Any) -> list[str]:
        drawn = plot_spec(figures(history, "calendar", Filters(**filters), {}))
        return [strip["title"]["text"] for strip in drawn["concat"]]

    days = {row["played_on"] for row in figures(history, "calendar", Filters(), {}).rows}
    assert strips() == sorted({day[:4] for day in days})
    begun = {int(day[:4]) - (day[5:] < "04-01") for day in days}
    assert strips(season_from="04-01") == [f"{year}/{year + 1 - 2000}" for year in sorted(begun)]
    latest = max(begun)
    assert strips(season=str(latest), season_from="04-01") == [f"{latest}/{latest + 1 - 2000}"]


def test_the_calendar_counts_the_deals_of_each_day(history: History) -> None:
    drawn_rows = drawn(history, "calendar")
    counted = history.query(
        "SELECT played_on::VARCHAR, count(DISTINCT table_name), count(*) FROM deals "
        "WHERE status = 'complete' GROUP BY played_on"
    )
    assert sorted((row["played_on"], row["tables"], row["deals"]) for row in drawn_rows) == sorted(counted.rows)
    ann = drawn(history, "calendar", player="Ann")
    assert sum(row["deals"] for row in ann) == rows(history, "standings", player="Ann")[0]["deals"]


def test_the_points_of_deals_are_those_of_all_players(history: History) -> None:
    drawn_rows = figures(history, "deal-points", Filters(session="spring"), {}).rows
    deltas = history.query("SELECT unnest(deltas) FROM deals WHERE status = 'complete' AND session = 'spring'").rows
    assert {row["points"]: row["times"] for row in drawn_rows} == Counter(points for (points,) in deltas)
    assert sum(row["share"] for row in drawn_rows) == pytest.approx(1)
    bars = drawn(history, "deal-points", session="spring")
    assert sum(bar["times"] for bar in bars) == len(deltas)


def test_standings_of_many_days_go_by_months() -> None:
    store = MemoryStore()
    days = [date(2026, 1, 1) + timedelta(days=number) for number in range(61)]
    for day in days:
        record(store, f"session/s{day}", SessionOpened(title=f"{day}", date=f"{day}"))
        opened = TableOpened(game="ombre", players=["Ann", "Bob", "Cleo"], session=f"s{day}")
        results(store, f"t{day}", opened, *BY_TURNS[: 1 + day.day % 2])
    with opened_history(store) as history:
        drawn_rows = drawn(history, "standings")
        assert list(dict.fromkeys(row["moment"] for row in drawn_rows)) == ["2026-01", "2026-02", "2026-03"]
        assert last_of(drawn_rows, "points") == last_of(rows(history, "standings"), "points")
        january = [row for row in drawn_rows if row["moment"] == "2026-01"]
        assert last_of(january, "place") == last_of(rows(history, "standings", until=date(2026, 1, 31)), "place")


def test_a_plot_names_the_entry_that_it_rests_on_and_its_filters(history: History) -> None:
    spec = plot_spec(figures(history, "contracts", Filters(session="spring", since=DAYS["spring"]), {}))
    head = history.head
    assert spec["usermeta"]["position"] == head.position
    assert spec["usermeta"]["digest"] == head.digest
    assert spec["title"]["subtitle"] == [
        "since 2026-03-20, spring",
        f"as of entry {head.position:,} of the ledger, digest {head.digest[:12]}…",
    ]


@pytest.mark.parametrize("name", sorted(plots()))
def test_every_plot_takes_the_filters_of_its_question(history: History, name: str) -> None:
    values: dict[str, Any] = {
        "player": "Ann", "game": "ombre", "since": "2020-01-01", "until": "2027-01-01", "session": "spring",
        "option": {"ante": 5}, "place": None, "weekday": "fri", "season": "2025", "season_from": "09-01",
    }  # fmt: skip
    question = plots()[name]
    assert question.sentence.endswith(".") and set(question.parameters) <= {*FILTERS}
    spec = plot_spec(figures(history, name, Filters(**{key: values[key] for key in question.parameters}), {}), "ja")
    assert '"mark"' in json.dumps(spec)


def test_names_to_show_take_the_place_of_those_in_the_record(history: History) -> None:
    plotted = figures(history, "head-to-head", Filters(), {"Ann": "愛子"})
    assert "愛子" in plotted.series and "Ann" not in plotted.series
    assert {"愛子"} <= {row["opponent_player"] for row in plotted.rows}


def test_players_beyond_the_number_of_distinct_lines_are_left_out_and_the_plot_says_so() -> None:
    store = MemoryStore()
    for number in range(4):
        names = [f"Player {number}{seat}" for seat in "abc"]
        record(store, f"table/t{number}", *table_events(f"t{number}", 3 + number, names=names, seed=number))
    with opened_history(store) as history:
        plotted = figures(history, "cumulative", Filters(), {})
        everybody = rows(history, "standings")
    assert len(plotted.series) == LINES_MAX < len(everybody)
    assert plotted.left_out == "8 of 12 players: those who played most"
    lines: dict[str, int] = defaultdict(int)
    for row in plotted.rows:
        lines[row["player"]] += 1
    assert lines.keys() == set(plotted.series) >= {"Player 3a", "Player 3b", "Player 3c", "Player 2a"}


def test_the_leader_is_shown_though_others_played_more() -> None:
    store = MemoryStore()
    won = [(0, [5, 2, 2]), (1, [2, 5, 2]), (2, [2, 2, 5])]
    for number in range(3):
        names = [f"Often {number}{seat}" for seat in "abc"]
        results(store, f"t{number}", TableOpened(game="ombre", players=names), *won, *won)
    results(store, "once", TableOpened(game="ombre", players=["Zoe", "Yan", "Xia"]), won[0], won[0], won[0])
    with opened_history(store) as history:
        plotted = figures(history, "cumulative", Filters(), {})
        assert rows(history, "standings")[0]["player"] == "Zoe"
    assert plotted.series[0] == "Zoe" and len(plotted.series) == LINES_MAX
    assert not {"Yan", "Xia"} & set(plotted.series)
    assert plotted.left_out == "8 of 12 players: the first of each game, and those who played most"


def test_the_leader_of_every_game_is_shown_in_the_standings() -> None:
    store = MemoryStore()
    for game in ("ombre", "kop", "couillon"):
        names = [f"{game} {number}" for number in range(4 if game != "ombre" else 3)]
        record(store, f"table/{game}", *table_events(game, game=game, seats=4, names=names, seed=1))
    with opened_history(store) as history:
        plotted = figures(history, "standings", Filters(), {})
        leaders = [rows(history, "standings", game=game)[0]["player"] for game in ("ombre", "kop", "couillon")]
    assert len(plotted.series) == LINES_MAX and set(leaders) <= set(plotted.series)


def test_rivals_are_ordered_by_a_share_shrunk_towards_half(history: History) -> None:
    shares: dict[str, list[float]] = defaultdict(lambda: [0, 0])
    for row in rows(history, "head-to-head"):
        shares[row["player"]][0] += row["ahead"] + row["level"] / 2
        shares[row["player"]][1] += row["tables"]
    series = figures(history, "head-to-head", Filters(), {}).series
    assert series == sorted(shares, key=lambda player: (-(shares[player][0] + 5) / (shares[player][1] + 10), player))
    assert shrunk_share(1, 1) < shrunk_share(70, 100)
