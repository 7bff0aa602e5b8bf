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
from tests.history.helpers import record
from tests.thirdparty.conftest import ROOT, WHIST, Installed
from tests.web.pages.forms import shown
from tests.web.serving import Served, serving


@pytest.fixture(scope="module")
def club(whist: Game, tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """Return a ledger with the evening of Whist."""
    commands = CommandLine(tmp_path_factory.mktemp("club"))
    commands.ok("init")
    commands.ok("import", WHIST / "evening.toml")
    return commands


def test_without_the_package_there_is_no_such_game(tmp_path: Path) -> None:
    bare = Installed(tmp_path, [])
    bare.ok("init")
    refused = bare.run("import", WHIST / "evening.toml")
    assert refused.returncode == 3
    assert "line 4: no game of that name: 'whist'; expected baska or" in refused.stderr


def test_an_installed_game_is_recorded_and_its_deals_are_scored_by_its_rules(site: Path, tmp_path: Path) -> None:
    club = Installed(tmp_path, [site])
    club.ok("init")
    output = club.ok("import", WHIST / "evening.toml")
    assert output.endswith(
        "1 table, 3 deals, 115 events recorded; 1 finding against the rules, see trickledger audit\n"
    )
    score = club.json("score", "whist-1")
    assert [deal["deltas"] for deal in score["deals"]] == [[3, 0, 3, 0], [0, 1, 0, 1], [2, 0, 2, 0]]
    assert score["deals"][0]["outcome"] == {"tricks": [9, 4], "trump": "H", "result": "SEATS_0_2"}
    assert score["deals"][0]["lines"][0] == {
        "rule": "WHI-7.2",
        "from": "board",
        "to": 0,
        "amount": 3,
        "text": "9 tricks, one point for each over six",
    }
    assert score["state"] == {"points": [5, 1]}
    assert score["match"] == {"over": True, "winners": [0, 2]}


def test_its_score_has_japanese_texts(club: CommandLine) -> None:
    assert "9トリック、6を超える1トリックにつき1点" in club.ok("score", "whist-1", lang="ja")


def test_a_revoke_is_detected_though_the_hand_was_not_recorded(club: CommandLine) -> None:
    assert club.run("audit", "whist-1").exit_code == 1
    finding = club.json("audit", "whist-1")["findings"][0]
    assert (finding["deal"], finding["code"], finding["rule"], finding["seat"]) == (2, "WHI-11.19", "WHI-6.3", 2)
    assert finding["message"] == "Cleo played ♠4; later cards show that Cleo could have followed suit"


def test_it_is_replayed_card_by_card(club: CommandLine) -> None:
    output = club.ok("replay", "whist-1", "--deal", "1")
    assert "trick 13   ♠A  Dan    ♣3  Ann    ♠4  Ben    ♦Q  Cleo   → Dan (highest of the suit led)" in output
    assert output.rstrip().endswith("result     SEATS_0_2: Ann +3, Ben 0, Cleo +3, Dan 0")
    state = club.json("replay", "whist-1", "--deal", "1", "--step", "8")
    assert state["turn"] == 1
    assert state["legal"] == {"card_played": ["S2", "S4", "S8", "ST"]}


def test_a_seat_is_shown_its_own_hand_and_the_card_turned_up(club: CommandLine) -> None:
    state = club.json("replay", "whist-1", "--deal", "1", "--step", "3", "--seat", "1")
    assert state["hands"][1].count("??") == 0
    assert state["hands"][0] == ["??"] * 13
    assert state["hands"][3] == ["HT", *["??"] * 12]
    assert state["legal"] == {}


def test_statistics_and_questions_know_it(club: CommandLine) -> None:
    standings = club.json("stats", "standings", "--game", "whist")
    assert [(row["player"], row["points"]) for row in standings["rows"]] == [
        ("Ann", 5),
        ("Cleo", 5),
        ("Ben", 1),
        ("Dan", 1),
    ]
    sql = "SELECT deal, trump, result FROM deals WHERE game = 'whist' ORDER BY deal"
    answer = club.json("query", sql)
    assert [list(row.values()) for row in answer] == [
        [1, "H", "SEATS_0_2"],
        [2, "C", "SEATS_1_3"],
        [3, "S", "SEATS_0_2"],
    ]


def test_its_rules_are_printed(club: CommandLine) -> None:
    assert "A seat that holds a card of the suit led plays one." in club.ok("rules", "WHI-6.3")
    assert "WHI-6.3" in club.ok("rules", "--search", "suit led plays")
    assert club.ok("rules", "whist").startswith("# WHIST")


NOTE: Final = "ホイストの規則の本文は、まだ英語だけです。"


def test_its_rules_are_in_english_where_it_has_no_japanese_text(club: CommandLine) -> None:
    assert club.ok("rules", "whist", lang="ja").startswith(f"{NOTE}\n\n# WHIST")
    rule = club.ok("rules", "WHI-6.3", lang="ja")
    assert rule.startswith(NOTE) and "A seat that holds a card of the suit led plays one." in rule
    assert club.run("audit", "whist-1", lang="ja").stdout.count(NOTE) == 1
    assert NOTE not in club.ok("rules", "OMB-6.3", lang="ja")
    club.ok("dispute", "whist-1", "a revoke", "--deal", 2)
    last = club.json("dispute", "whist-1")[-1]["version"]
    assert club.ok("dispute", "whist-1", "--case-sheet", last, lang="ja").count(NOTE) == 1


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


def test_random_tables_of_it_are_without_fault(club: CommandLine) -> None:
    lines = club.ok("simulate", "whist", "--players", 4, "--deals", 30, "--option", "game_points=9", "--slug", "random")
    assert json.loads(lines.splitlines()[0])["event"]["game"] == "whist"
    club.ok("import", "-", stdin=lines.encode())
    club.ok("audit", "random-1")
    assert club.json("score", "random-1")["match"]["over"]


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
