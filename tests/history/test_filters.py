"""Questions about tables of certain options, places and weekdays: the same from Python, the command line and HTTP."""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import duckdb
import pytest

import ledger
from ledger import api
from ledger.errors import MalformedError, NotFoundError
from ledger.events import SessionOpened
from ledger.i18n import LANGUAGES
from ledger.plots.charts import plot_spec
from ledger.text.history import json_rows
from tests.cli.commands import CommandLine
from tests.history.helpers import record, table_events
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
    """The filters as they are typed."""
    options = [("option", f"{name}={json.dumps(value)}") for name, value in filters.get("option", {}).items()]
    others = [("compare", f"{key}={value}") for key, value in filters.get("compare", {}).items()]
    single = {key: str(value) for key, value in filters.items() if key not in ("option", "compare")}
    return [*options, *others, *single.items()]


@pytest.mark.parametrize(("filters", "tables"), CASES["asked"])
def test_the_same_deals_count_however_it_is_asked(
    club: Path, served: Served, filters: dict[str, Any], tables: str
) -> None:
    days = {key: date.fromisoformat(filters[key]) for key in ("since", "until") if key in filters}
    found = api.stats(club, "placings", api.Filters(**filters | days)).answer.objects()
    assert {row["table_name"] for row in found} == set(tables.split())
    typed = [word for key, value in words(filters) for word in (f"--{key.replace('_', '-')}", value)]
    on_line = CommandLine(club.parent).ok("stats", "placings", *typed, "--format", "json")
    by_http = served.ok(f"/statistics/placings?{urlencode(words(filters))}")
    assert json.loads(on_line)["rows"] == by_http["rows"]
    assert {row["table_name"] for row in by_http["rows"]} == set(tables.split())


@pytest.mark.parametrize(("name", "filters"), CASES["selections"])
def test_grouped_and_compared_rows_are_the_same_however_it_is_asked(
    club: Path, served: Served, name: str, filters: dict[str, Any]
) -> None:
    answer = api.stats(club, name, api.Filters(**filters)).answer
    typed = [word for key, value in words(filters) for word in (f"--{key.replace('_', '-')}", value)]
    cli = CommandLine(club.parent)
    on_line = json.loads(cli.ok("stats", name, *typed, "--format", "json"))["rows"]
    assert on_line == json_rows(answer) == served.ok(f"/statistics/{name}?{urlencode(words(filters))}")["rows"]
    assert on_line
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
    told = cli.ok("stats", "placings", *typed)
    assert "\nOnly ante=5, exchange_yield=true, at Łódź, on Saturdays.\nAs of entry" in told
    in_japanese = cli.ok("stats", "placings", *typed, lang="ja")
    assert "\n絞り込み: ante=5、exchange_yield=true、場所: Łódź、土曜日\n" in in_japanese
    drawn = api.plot(club, "calendar", api.Filters(option={"ante": 5}, place="Łódź", weekday="sat"))
    assert plot_spec(drawn)["title"]["subtitle"][0] == "ante=5, at Łódź, on Saturdays"
    assert "Only" not in cli.ok("stats", "placings", "--season-from", "09-01")
    two = ("stats", "roles", "--player", "Ann", "--seat", "0", "--compare", "player=Bob", "--compare", "seat=1")
    assert "\nOnly Ann, at seat 0.\nCompared with Bob, at seat 1.\nAs of entry" in cli.ok(*two)
    assert "\n絞り込み: Ann、席0\n比較の相手: Bob、席1\n" in cli.ok(*two, lang="ja")
    seasonal = ("stats", "placings", "--season", "2025", "--season-from", "09-01")
    assert "\nOnly season 2025/26.\n" in cli.ok(*seasonal)
    assert "\n絞り込み: 2025/26シーズン\n" in cli.ok(*seasonal, lang="ja")


def test_what_there_is_not_is_no_empty_answer(club: Path, served: Served) -> None:
    for filters, told in CASES["unknown"]:
        for asked in (api.stats, api.plot):
            with pytest.raises(NotFoundError) as unknown:
                asked(club, "placings" if asked is api.stats else "calendar", api.Filters(**filters))
            said = str(unknown.value)
            assert said.startswith(told) if told.endswith(("_", " ")) else said == told
    for address, status, code in CASES["problems"]:
        served.problem(address, status, code)


@pytest.mark.parametrize(("filters", "told"), CASES["malformed"])
def test_a_value_that_a_filter_cannot_have_is_told_with_its_field_and_what_was_expected(
    club: Path, filters: dict[str, Any], told: str
) -> None:
    with pytest.raises(MalformedError) as wrong:
        api.stats(club, "standings", api.Filters(**filters))
    assert str(wrong.value) == told
    (name,) = filters
    assert (wrong.value.field or "").startswith(name) and wrong.value.text and wrong.value.expected


@pytest.mark.parametrize(("typed", "told"), CASES["refused"])
def test_what_cannot_be_a_filter_is_told_on_the_command_line(club: Path, typed: str, told: str) -> None:
    refused = CommandLine(club.parent).run("stats", "placings", *shlex.split(typed))
    assert refused.exit_code in (2, 3)
    assert told in refused.stderr
