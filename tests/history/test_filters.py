"""Filters: the same from Python, the command line and HTTP; each value as counted by hand, and `min_deals`."""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Iterator
from datetime import date
from itertools import groupby
from math import sqrt
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import duckdb
import pytest
from pytest import approx

import ledger
from ledger import api
from ledger.errors import MalformedError, NotFoundError
from ledger.events import SessionOpened
from ledger.history import Filters, History, statistics
from ledger.history.questions.selections import (
    NAMING,
    compare_statistics,
    difference_bounds,
    group_statistic,
    intervals,
)
from ledger.history.questions.statistics import POSTPROCESSORS
from ledger.i18n import LANGUAGES
from ledger.plots.charts import plot_spec
from ledger.text.history import json_rows
from tests.cli.commands import CommandLine
from tests.covering import covering, sample
from tests.history.helpers import record, table_events
from tests.history.naive import Figures, Rows, expected_columns
from tests.history.naive_points import deals_of, totals
from tests.history.season import PLACES, Season, rows
from tests.history.test_statistics_by_hand import CAREFUL, EXPECTED, STATISTICS, assert_rows_agree
from tests.web.serving import Served, serving

DAYS = {"thursday": ("2026-01-01", "Kraków"), "friday": ("2026-01-02", "Kraków"), "saturday": ("2026-01-03", "Łódź")}
TABLES: tuple[tuple[str, str, str, int, dict[str, Any]], ...] = (
    ("a", "thursday", "ombre", 3, {}),
    ("b", "friday", "ombre", 3, {"ante": 10}),
    ("c", "friday", "kop", 4, {}),
    ("d", "saturday", "ombre", 3, {"ante": 5, "all_pass": "spadille_forced"}),
    ("e", "saturday", "couillon", 4, {"form": "mit4"}),
)

CASES = tomllib.loads(Path(__file__).with_name("filters.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("club") / "club.ledger"
    with ledger.create(path) as store:
        for session, (day, place) in DAYS.items():
            record(store, f"session/{session}", SessionOpened(title=session, date=day, place=place))
        for table, session, game, seats, options in TABLES:
            of_game = {"game": game, "seats": seats, "options": options}
            record(store, f"table/{table}", *table_events(table, 2, session=session, seed=1, **of_game))
        api.open_hands(store, recording=api.Recording(by="desk"))
    return path


@pytest.fixture(scope="module")
def served(club: Path) -> Iterator[Served]:
    with serving(club) as one:
        assert one.service.history.is_level_with(one.service.visible.head.position, within_s=60)
        yield one


def words(filters: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the filters as they are typed."""
    options = [("option", f"{name}={json.dumps(value)}") for name, value in filters.get("option", {}).items()]
    others = [("compare", f"{key}={value}") for key, value in filters.get("compare", {}).items()]
    single = {key: str(value) for key, value in filters.items() if key not in ("option", "compare")}
    return [*options, *others, *single.items()]


@pytest.mark.parametrize(("filters", "tables"), CASES["asked"])
def test_the_same_deals_count_in_each_adapter(club: Path, served: Served, filters: dict[str, Any], tables: str) -> None:
    days = {key: date.fromisoformat(filters[key]) for key in ("since", "until") if key in filters}
    placings = api.stats(club, "placings", api.Filters(**filters | days)).answer.objects()
    assert {row["table_name"] for row in placings} == set(tables.split())
    typed = [word for key, value in words(filters) for word in (f"--{key.replace('_', '-')}", value)]
    on_line = CommandLine(club.parent).ok("stats", "placings", *typed, "--format", "json")
    by_http = served.ok(f"/statistics/placings?{urlencode(words(filters))}")
    assert json.loads(on_line)["rows"] == by_http["rows"]
    assert {row["table_name"] for row in by_http["rows"]} == set(tables.split())


@pytest.mark.parametrize(("name", "filters"), CASES["selections"])
def test_grouped_and_compared_rows_agree(club: Path, served: Served, name: str, filters: dict[str, Any]) -> None:
    answer = api.stats(club, name, api.Filters(**filters)).answer
    typed = [word for key, value in words(filters) for word in (f"--{key.replace('_', '-')}", value)]
    cli = CommandLine(club.parent)
    on_line = json.loads(cli.ok("stats", name, *typed, "--format", "json"))["rows"]
    assert on_line == json_rows(answer) == served.ok(f"/statistics/{name}?{urlencode(words(filters))}")["rows"]
    assert on_line


@pytest.mark.parametrize("selection", sample(CASES["selections"], 1))
def test_grouped_and_compared_rows_have_the_same_columns_in_every_format(club: Path, selection: Any) -> None:
    name, filters = selection
    answer = api.stats(club, name, api.Filters(**filters)).answer
    typed = [word for key, value in words(filters) for word in (f"--{key.replace('_', '-')}", value)]
    cli = CommandLine(club.parent)
    assert cli.ok("stats", name, *typed, "--format", "csv").splitlines()[0] == ",".join(answer.columns)
    path = club.with_suffix(".parquet")
    cli.ok("stats", name, *typed, "--format", "parquet", "--output", path, "--overwrite")
    assert duckdb.read_parquet(str(path)).columns == answer.columns
    heads = [cli.ok("stats", name, *typed, lang=lang).splitlines()[0].split() for lang in LANGUAGES]
    assert heads[0] == answer.columns
    assert len(heads[1]) == len(answer.columns)
    assert not set(heads[1]) & set(heads[0])


def test_the_filters_that_hold_stand_below_a_table_and_above_a_plot(club: Path) -> None:
    typed = ("--option", "ante=5", "--option", "exchange_yield=true", "--place", "Łódź", "--weekday", "sat")
    cli = CommandLine(club.parent)
    printed = cli.ok("stats", "placings", *typed)
    assert "\nOnly ante=5, exchange_yield=true, at Łódź, on Saturdays.\nAs of entry" in printed
    in_japanese = cli.ok("stats", "placings", *typed, lang="ja")
    assert "\n絞り込み:ante=5、exchange_yield=true、場所:Łódź、土曜日\n" in in_japanese
    drawn = api.plot(club, "calendar", api.Filters(option={"ante": 5}, place="Łódź", weekday="sat"))
    assert plot_spec(drawn)["title"]["subtitle"][0] == "ante=5, at Łódź, on Saturdays"
    assert "Only" not in cli.ok("stats", "placings", "--season-from", "09-01")
    two = ("stats", "roles", "--player", "Ann", "--seat", "0", "--compare", "player=Bob", "--compare", "seat=1")
    assert "\nOnly Ann, at seat 0.\nCompared with Bob, at seat 1.\nAs of entry" in cli.ok(*two)
    assert "\n絞り込み:Ann、席0\n比較の相手:Bob、席1\n" in cli.ok(*two, lang="ja")
    seasonal = ("stats", "placings", "--season", "2025", "--season-from", "09-01")
    assert "\nOnly season 2025/26.\n" in cli.ok(*seasonal)
    assert "\n絞り込み:2025/26シーズン\n" in cli.ok(*seasonal, lang="ja")


def test_what_there_is_not_is_no_empty_answer(club: Path, served: Served) -> None:
    for filters, message in CASES["unknown"]:
        for function in (api.stats, api.plot):
            with pytest.raises(NotFoundError) as unknown:
                function(club, "placings" if function is api.stats else "calendar", api.Filters(**filters))
            said = str(unknown.value)
            assert said.startswith(message) if message.endswith(("_", " ")) else said == message
    with pytest.raises(NotFoundError, match="there is no seat 8"):
        api.stats(club, "placings", api.Filters(seat=8))
    for address, status, code in CASES["problems"]:
        served.problem(address, status, code)


@pytest.mark.parametrize(("filters", "message"), CASES["malformed"])
def test_impossible_values_are_rejected_with_field_and_hint(club: Path, filters: dict[str, Any], message: str) -> None:
    with pytest.raises(MalformedError) as wrong:
        api.stats(club, "standings", api.Filters(**filters))
    assert str(wrong.value) == message
    (name,) = filters
    assert (wrong.value.field or "").startswith(name) and wrong.value.text and wrong.value.expected


@pytest.mark.parametrize(("typed", "message"), CASES["refused"])
def test_impossible_filters_are_rejected_on_the_command_line(club: Path, typed: str, message: str) -> None:
    refused = CommandLine(club.parent).run("stats", "placings", *shlex.split(typed))
    assert refused.exit_code in (2, 3)
    assert message in refused.stderr


VALUES: dict[str, dict[Any, dict[str, Any]]] = {
    "season": {str(year): {"since": date(year, 1, 1), "until": date(year, 12, 31)} for year in (2023, 2025, 2026)},
    "place": {place: {"place": place} for place in sorted(PLACES.values())},
    "weekday": {day: {"weekday": day} for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")},
    "seat": {seat: {"seat": seat} for seat in range(6)},
}
"""The values of each filter in the season of the tests, and the filters with the same effect."""

NOTHING = dict.fromkeys(("game", "session", "since", "until"))


def counted(season: Season, name: str, player: str | None, filters: dict[str, Any]) -> Rows:
    expected = EXPECTED[name][1](season.chosen(**NOTHING | filters), player)
    return {key: row for key, row in expected.items() if "" not in key}


@pytest.mark.parametrize(
    ("name", "group_by"), covering(["roles", "standings", "player-contracts", "head-to-head"], list(VALUES))
)
def test_grouped_rows_equal_those_by_value(season: Season, season_history: History, name: str, group_by: str) -> None:
    answer = group_statistic(season_history, name, Filters(group_by=group_by)).answer
    assert answer.columns == ["group", *statistics()[name].columns]
    expected = {
        (value, *key): row
        for value, filters in VALUES[group_by].items()
        for key, row in counted(season, name, None, filters).items()
    }
    assert_rows_agree(answer.objects(), ("group", *EXPECTED[name][0]), expected)
    values = list(dict.fromkeys(row[0] for row in answer.rows))
    assert values == [value for value in VALUES[group_by] if value in values]


def test_every_statistic_per_player_is_grouped_by_every_filter() -> None:
    for name, statistic in statistics().items():
        if "player" in statistic.columns and name not in POSTPROCESSORS:
            assert set(VALUES) <= set(statistic.parameters), name


def newcombe(one: Figures, other: Figures, columns: tuple[str, str, str]) -> Any:
    """Return the difference and its bounds from the exact figures, as Newcombe writes them."""
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


@pytest.mark.parametrize(("name", "selections"), covering(WITH_INTERVALS, SELECTIONS))
def test_compared_rows_have_the_difference_of_what_is_counted(
    season: Season, season_history: History, name: str, selections: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    keys = EXPECTED[name][0]
    named = [column for column in keys if column not in selections[0]]
    filters = [{key: value for key, value in one.items() if key != "since"} for one in selections]
    answer = compare_statistics(*(group_statistic(season_history, name, Filters(**one)) for one in filters)).answer
    sides: list[dict[Any, Figures]] = []
    for one in selections:
        days = {"until": date(one["since"].year, 12, 31)} if "since" in one else {}
        left = {key: value for key, value in one.items() if key not in ("season", "player")} | days
        rows = counted(season, name, one.get("player"), left)
        sides.append({})
        for values, row in rows.items():
            key = tuple(value for column, value in zip(keys, values, strict=True) if column in named)
            sides[-1][key] = expected_columns(row, CAREFUL)
    rows = {tuple(row[column] for column in named): row for row in answer.objects()}
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
    answer = compare_statistics(
        *(group_statistic(season_history, "roles", Filters(game=game)) for game in ("kop", "ombre"))
    ).answer
    assert answer.columns == ["player", "role", "deals", "deals_compared", "share_won", *(
        f"share_won_{ending}" for ending in ("compared", "difference", "difference_low", "difference_high")
    )]  # fmt: skip


def test_rows_with_intervals_are_known_by_the_columns_that_name_them() -> None:
    for name, keys in STATISTICS["keys"].items():
        if name in WITH_INTERVALS:
            assert set(keys.split()) == NAMING & set(statistics()[name].columns), name


def test_the_difference_of_shares_is_that_of_newcombe() -> None:
    """Newcombe's example (a): 56/70 against 48/80."""
    one, other = (0.8, 0.69183, 0.87695), (0.6, 0.49045, 0.70038)
    assert difference_bounds(one, other) == approx((0.0524, 0.3339), abs=5e-5)


TAKING = {name for name, statistic in statistics().items() if "min_deals" in statistic.parameters}

COUNTED, RANKED = STATISTICS["counted"], STATISTICS["ranked"]
RATED = ("ratings", "rating-history")
OF_PLAYER = ("standings-by-day", "player-findings", *RATED)
"""Statistics that list players by all their deals; rated players by deals at finished tables."""


def without_place(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key != "place"} for row in listed]


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
    expected = [row for row in everything if row[COUNTED[name]] >= least]
    assert without_place(rows(season_history, name, min_deals=least)) == without_place(expected)
    assert rows(season_history, name, min_deals=counts[-1] + 1) == []


@pytest.mark.parametrize("name", OF_PLAYER)
def test_players_of_fewer_deals_are_left_out(season: Season, season_history: History, name: str) -> None:
    tables = season.finished if name in RATED else season.tables
    deals = {player: len(deals_of(tables, player)) for player in totals(tables)}
    if name == "player-findings":  # of any status
        deals = {player: sum(player in deal.players for deal in season.deals) for player in deals}
    least = sorted(deals.values())[len(deals) // 2]
    listed = rows(season_history, name, min_deals=least)
    assert {row["player"] for row in listed} == {player for player, count in deals.items() if count >= least}
    expected = [row for row in rows(season_history, name) if deals[row["player"]] >= least]
    assert without_place(listed) == without_place(expected)


def test_opponents_who_shared_fewer_deals_are_left_out(season: Season, season_history: History) -> None:
    shared: dict[tuple[str, str], int] = {}
    for table in season.finished:
        for mine, theirs in table.opponents:
            fewer = min(len(deals_of([table], name)) for name in (mine, theirs))
            shared[mine, theirs] = shared.get((mine, theirs), 0) + fewer
    least = sorted(shared.values())[len(shared) // 2]
    everybody = rows(season_history, "head-to-head")
    expected = [row for row in everybody if shared[row["player"], row["opponent_player"]] >= least]
    assert rows(season_history, "head-to-head", min_deals=least) == expected
    assert 0 < len(expected) < len(everybody)


@pytest.mark.parametrize("name", RANKED)
def test_places_are_given_among_those_who_are_left(season_history: History, name: str) -> None:
    group, by = RANKED[name]
    deals = sorted(row["deals"] for row in rows(season_history, "table-points"))
    ranked = rows(season_history, name, min_deals=9 if group else deals[1])
    assert ranked
    for _, listed in groupby(ranked, lambda row: [row[column] for column in group]):
        places = [(row["place"], row[by]) for row in listed]
        assert [place for place, _ in places] == [1 + sum(other > own for _, other in places) for _, own in places]
