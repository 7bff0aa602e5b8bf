"""The commands with a third-party game, which works like a built-in one once it is installed.

One ledger is used in separate processes, the other in this one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from ledger.games import game_named
from ledger.games.kernel.protocol import Game
from ledger.history import Filters, History, LeagueRules, catch_up, open_history, statistics
from ledger.log import MemoryStore
from ledger.recording.simulate import simulate
from ledger.text.site import rulebook
from tests.cli.commands import CommandLine
from tests.cli.commands import lines as lines_of
from tests.cli.transcripts import Transcript, play, transcripts
from tests.history.helpers import record
from tests.history.quick_sandbox import forked_answers, quick_sandbox  # noqa: F401 - pytest finds them here
from tests.quick_history import quick_history  # noqa: F401 - pytest finds it here
from tests.thirdparty.conftest import ROOT, WHIST, Installed
from tests.web.pages.forms import shown
from tests.web.serving import Served, serving


def evening(cli: CommandLine) -> None:
    """Make a ledger with the evening of Whist."""
    cli.ok("init")
    cli.ok("import", WHIST / "evening.toml")


@pytest.fixture
def club(whist: Game, tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path).made_by(evening)


@pytest.mark.usefixtures("quick_sandbox")
@pytest.mark.parametrize("one", list(transcripts(Path(__file__).with_name("commands.txt"))), ids=lambda one: one.name)
def test_commands_are_answered(club: CommandLine, monkeypatch: pytest.MonkeyPatch, one: Transcript) -> None:
    monkeypatch.chdir(club.folder)
    play(club, one)


def test_without_the_package_there_is_no_such_game(tmp_path: Path) -> None:
    bare = Installed(tmp_path, [])
    refused = bare.run("check", WHIST / "evening.toml")
    assert refused.returncode == 3
    assert "line 4: no game of that name: 'whist'; expected baska or" in refused.stderr


def test_an_installed_game_is_recorded_and_its_deals_are_scored_by_its_rules(site: Path, tmp_path: Path) -> None:
    club = Installed(tmp_path, [site])
    club.ok("init")
    output = club.ok("import", WHIST / "evening.toml")
    assert output.endswith(
        "1 table, 3 deals, 115 events recorded; 1 finding against the rules, see trickledger audit\n"
    )
    assert club.json("score", "whist-1")["deals"][0]["deltas"] == [3, 0, 3, 0]


NOTE: Final = "ホイストの規則の本文は、まだ英語だけです。"


@pytest.fixture
def pages(club: CommandLine) -> Iterator[Served]:
    """Serve the ledger, with the rulebooks of the games that are installed now."""
    with serving(club.ledger) as served:
        for cached in (rulebook.books, rulebook.sections_of, rulebook._places):
            cached.cache_clear()
        yield served
        for cached in (rulebook.books, rulebook.sections_of, rulebook._places):
            cached.cache_clear()


def test_a_page_says_that_its_rules_are_in_english(pages: Served) -> None:
    page = shown(pages, "/rules/whist", who=None, headers={"accept-language": "ja"})
    assert page.count(NOTE) == 1 and '<div lang="en">' in page
    page = shown(pages, "/rules?q=OMB-6.3", who=None, headers={"accept-language": "ja"})
    assert NOTE not in page and '<li lang="ja">' in page


def test_a_director_may_give_points_that_nobody_pays(club: CommandLine) -> None:
    """Follow WHI-11.4: for a revoke the other side usually gets three points."""
    lines = club.ok("simulate", "whist", "--players", 4, "--deals", 1, "--slug", "ruled")
    opened, *deal, _ = (json.loads(line) for line in lines.splitlines())
    ruling = {"type": "ruling_given", "deal": 1, "text": "revoke", "kind": "adjust", "deltas": [3, 0, 3, 0]}
    events = [*(line["event"] for line in (opened, *deal)), ruling]
    club.ok("import", "-", stdin=lines_of(*events, table="ruled"))
    score = club.json("score", "ruled")
    assert score["totals"] == [a + b for a, b in zip(score["deals"][0]["deltas"], [3, 0, 3, 0], strict=True)]


def test_its_schemas_are_written_to_the_given_folder(site: Path, tmp_path: Path) -> None:
    club = Installed(tmp_path, [site])
    club.ok("whist", "whist-schemas", module="ledger.schemas")
    written = sorted(path.name for path in (club.folder / "whist-schemas").iterdir())
    assert written == ["whist-options.json", "whist-outcome.json", "whist-sheet.json"]
    assert not list((ROOT / "schemas").glob("whist-*"))


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
