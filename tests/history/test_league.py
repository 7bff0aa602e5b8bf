"""League tables and ratings follow from places at tables; a file of rules with a mistake is rejected with a message."""

import tomllib
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest
from openskill.models import PlackettLuce

from ledger.errors import MalformedError
from ledger.history import Answer, Filters, History, LeagueRules, read_league_rules
from ledger.history.questions.league import Season as LeagueSeason
from ledger.history.questions.league import league, table_points
from ledger.history.questions.ratings import rating_history, ratings
from tests.history.naive import places
from tests.history.season import Season
from tests.japanese import assert_speaks_japanese

Table = dict[str, int]
"""The points of all players at one table."""


def placings(*tables: Table, days: list[date] | None = None) -> Answer:
    columns = ["table_name", "session", "game", "played_on", "player", "place", "score", "standardised"]
    rows = [
        (f"t{number}", None, "ombre", day, player, place, table[player], table[player] - mean(table.values()))
        for number, (table, day) in enumerate(zip(tables, days or [date(2026, 1, 1)] * len(tables), strict=True))
        for player, place in places(table).items()
    ]
    return Answer(columns, [""] * 8, rows)


def rules(**fields: Any) -> LeagueRules:
    return LeagueRules(**{"title": "Club league", "points": (5, 3, 1, 0), **fields})


def standings(*tables: Table, **fields: Any) -> list[tuple[Any, ...]]:
    """Return place, player and deciding criterion, in the order of the league."""
    listed = league(placings(*tables), rules(**fields)).objects()
    return [(row["place"], row["player"], row["decided_by"]) for row in listed]


def points(*tables: Table, **fields: Any) -> dict[str, float]:
    listed = league(placings(*tables), rules(**fields)).objects()
    return {row["player"]: row["points"] for row in listed}


@pytest.mark.parametrize(
    ("shared", "first_two", "last_three"), [("average", 4, Fraction(4, 3)), ("higher", 5, 3), ("lower", 3, 0)]
)
def test_who_shares_a_place_gets_what_the_rules_say(shared: Any, first_two: int, last_three: Any) -> None:
    chosen = rules(shared=shared)
    assert table_points([1, 1, 3], chosen)[:2] == [first_two, first_two]
    assert table_points([1, 2, 2, 2], chosen)[1:] == [last_three] * 3


def test_only_the_best_tables_count() -> None:
    tables = [{"Ann": 2, "Bob": 1}, {"Ann": 2, "Bob": 1}, {"Ann": 0, "Bob": 9}]
    assert points(*tables, best=1) == {"Ann": 5, "Bob": 5}
    listed = {row["player"]: row for row in league(placings(*tables), rules(best=1)).objects()}
    counts = [(listed[name]["tables"], listed[name]["counted"], listed[name]["score"]) for name in ("Ann", "Bob")]
    assert counts == [(3, 1, 2), (3, 1, 9)]


CASES = tomllib.loads(Path(__file__).with_name("league_rules.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES["listed"].values(), ids=CASES["listed"])
def test_players_are_listed_by_the_points_of_the_rules(case: dict[str, Any]) -> None:
    fields = {key: tuple(value) if isinstance(value, list) else value for key, value in case.get("rules", {}).items()}
    made = points(*case["tables"], **fields)
    assert {player: made[player] for player in case.get("points", {})} == case.get("points", {})
    listed = [[place or 0, player, by or ""] for place, player, by in standings(*case["tables"], **fields)]
    assert listed[: len(case["standings"])] == case["standings"]


@pytest.mark.parametrize("word", CASES["level_but_for"])
def test_a_tie_break_decides_between_equal_points(word: str) -> None:
    tables, fields = CASES["level_but_for"][word].values()
    made = points(*tables, **fields)
    assert made["Ann"] == made["Bob"]
    undecided = [row for row in standings(*tables, tie_breaks=(), **fields) if row[1] in ("Ann", "Bob")]
    assert undecided[0][0] == undecided[1][0]
    decided = [row for row in standings(*tables, tie_breaks=(word,), **fields) if row[1] in ("Ann", "Bob")]
    assert [name for _, name, _ in decided] == ["Ann", "Bob"]
    assert decided[0][0] < decided[1][0]
    assert {by for _, _, by in decided} == {word}


def test_each_season_has_a_table_of_its_own() -> None:
    days = [date(2026, 6, 30), date(2026, 7, 1)]
    halves = (LeagueSeason(name="first", until=days[0]), LeagueSeason(name="second", since=days[1]))
    answer = placings({"Ann": 1, "Bob": 0}, {"Ann": 0, "Bob": 1}, days=days)
    listed = league(answer, rules(seasons=halves)).objects()
    assert [(row["season"], row["place"], row["player"]) for row in listed] == [
        ("first", 1, "Ann"), ("first", 2, "Bob"), ("second", 1, "Bob"), ("second", 2, "Ann"),
    ]  # fmt: skip


@pytest.mark.parametrize("best", [None, 2, 5])
@pytest.mark.parametrize("games", [None, ("ombre", "couillon")])
def test_a_league_is_what_counting_by_hand_comes_to(
    season: Season, season_history: History, games: tuple[str, ...] | None, best: int | None
) -> None:
    worth = [Fraction(value) for value in (5, 3, 1, 0, 0, 0)]
    made: dict[str, list[Fraction]] = {}
    for table in season.finished:
        if games is None or table.game in games:
            for name, place in places(table.points).items():
                level = sum(other == place for other in places(table.points).values())
                made.setdefault(name, []).append(sum(worth[place - 1 : place - 1 + level], Fraction(0)) / level)
    totals = {name: sum(sorted(results, reverse=True)[:best], Fraction(0)) for name, results in made.items()}
    chosen = rules(games=games, best=best, tie_breaks=())
    answered = season_history.statistic("league", Filters(rules=chosen)).answer.objects()
    assert {row["player"]: row["points"] for row in answered} == {
        name: pytest.approx(float(total), abs=0.0051) for name, total in totals.items()
    }
    assert {row["player"]: row["place"] for row in answered} == places(totals)
    assert {row["player"]: row["tables"] for row in answered} == {name: len(results) for name, results in made.items()}


def test_scores_of_several_games_are_compared_in_the_measure_of_each(season: Season, season_history: History) -> None:
    tables = season.finished
    off_mean = [
        (table.game, name, points - mean(table.points.values()))
        for table in tables
        for name, points in table.points.items()
    ]
    spread = {game: stdev(off for of, _, off in off_mean if of == game) for game in {one.game for one in tables}}
    made: dict[str, float] = {}
    for game, name, off in off_mean:
        made[name] = made.get(name, 0.0) + off / spread[game]
    answered = season_history.statistic(
        "league", Filters(rules=rules(points=(0,), tie_breaks=("score",)))
    ).answer.objects()
    assert {row["player"]: row["standardised"] for row in answered} == {
        name: pytest.approx(off, abs=0.00051) for name, off in made.items()
    }
    assert [row["player"] for row in answered] == sorted(made, key=lambda name: (-round(made[name], 3), name))
    for row in answered:
        own = [table for table in tables if row["player"] in table.points]
        is_one_game = len({table.game for table in own}) == 1
        assert row["score"] == (sum(table.points[row["player"]] for table in own) if is_one_game else None)
    assert any(row["score"] is None for row in answered)


def written(folder: Path, text: str) -> Path:
    path = folder / "league.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_of_rules_is_read() -> None:
    assert read_league_rules(Path(__file__).with_name("league.toml")) == LeagueRules(
        title="Club league", points=(5, 3, 1, 0), shared="higher", best=10, min_tables=3,
        tie_breaks=("wins", "countback", "head_to_head", "score"), games=("ombre", "quadrille"), sessions=("spring",),
        seasons=(LeagueSeason(name="2026", since=date(2026, 1, 1), until=date(2026, 12, 31)),),
    )  # fmt: skip


def test_the_example_of_the_documentation_is_read(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "league.md").read_text(encoding="utf-8")
    example = page.split("```toml\n")[1].split("```")[0]
    assert read_league_rules(written(tmp_path, example)).best == 10


TOO_DEEP = {
    ".".join("a" * 20_000) + " = 1": "this is not TOML: Too many parts of a key (at line 1, column 1)",
    "title = " + "[" * 20_000: "these are not league rules: the file is nested too deeply",
}


@pytest.mark.parametrize(("text", "message"), [*(mistake.values() for mistake in CASES["mistakes"]), *TOO_DEEP.items()])
def test_a_mistake_in_the_rules_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(MalformedError) as refused:
        read_league_rules(path)
    assert str(refused.value).startswith(f"{path}: {message}")
    assert_speaks_japanese(refused.value, "since")


def test_a_file_that_is_missing_too_long_or_no_text_is_said_so(tmp_path: Path) -> None:
    path = tmp_path / "league.toml"
    with pytest.raises(FileNotFoundError):
        read_league_rules(path)
    path.write_text("#" * 100_001, encoding="utf-8")
    with pytest.raises(MalformedError) as refused:
        read_league_rules(path)
    standings = "the file of league rules is too long: 100,001 characters; expected at most 100,000 characters"
    assert str(refused.value) == f"{path}: {standings}"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(MalformedError, match="this is not a text file") as refused:
        read_league_rules(path)
    assert_speaks_japanese(refused.value)


def places_at_tables(*tables: tuple[str, dict[str, int]]) -> Answer:
    """Return tables of a game with the place of each player by seat."""
    columns = ["table_name", "played_on", "game", "seat", "player", "place", "deals"]
    rows = [
        (f"t{number}", date(2026, 1, 1) + timedelta(number), game, seat, player, place, 4)
        for number, (game, places) in enumerate(tables)
        for seat, (player, place) in enumerate(places.items())
    ]
    return Answer(columns, ["VARCHAR"] * 7, rows)


def rated(*tables: tuple[str, dict[str, int]]) -> dict[str, dict[str, Any]]:
    return {row["player"]: row for row in ratings(places_at_tables(*tables), Filters()).objects()}


def test_who_wins_more_is_rated_higher_and_the_doubt_shrinks() -> None:
    once = rated(("ombre", {"Ann": 1, "Bob": 2, "Cleo": 3}))
    often = rated(*[("ombre", {"Ann": 1, "Bob": 2, "Cleo": 3})] * 10)
    assert [often[name]["place"] for name in ("Ann", "Bob", "Cleo")] == [1, 2, 3]
    assert often["Ann"]["rating"] > once["Ann"]["rating"] > 25 > once["Cleo"]["rating"]
    assert often["Ann"]["uncertainty"] < once["Ann"]["uncertainty"] < 8.34
    assert often["Ann"]["tables"] == 10


def test_bounds_and_caution_follow_from_the_uncertainty() -> None:
    row = rated(("kop", {"Ann": 1, "Bob": 2, "Cleo": 2, "Dirk": 4}))["Ann"]
    assert row["low"] == pytest.approx(row["rating"] - 1.96 * row["uncertainty"], abs=0.02)
    assert row["high"] == pytest.approx(row["rating"] + 1.96 * row["uncertainty"], abs=0.02)
    assert row["cautious"] == pytest.approx(row["rating"] - 3 * row["uncertainty"], abs=0.03)


def test_who_shares_a_place_is_rated_alike() -> None:
    by_player = rated(("ombre", {"Ann": 1, "Bob": 1, "Cleo": 3}))
    assert by_player["Ann"]["rating"] == pytest.approx(by_player["Bob"]["rating"], abs=0.01)
    assert by_player["Ann"]["place"] == by_player["Bob"]["place"] == 1


def test_a_table_without_an_opponent_rates_nobody() -> None:
    assert rated(("ombre", {"Ann": 1})) == {}


def test_a_named_player_is_rated_by_all_tables() -> None:
    answer = places_at_tables(("ombre", {"Ann": 1, "Bob": 2}), ("ombre", {"Ann": 2, "Bob": 1}))
    everyone = ratings(answer, Filters()).objects()
    assert ratings(answer, Filters(player="Bob")).objects() == [row for row in everyone if row["player"] == "Bob"]
    assert [row["number"] for row in rating_history(answer, Filters(player="Bob")).objects()] == [1, 2]


@pytest.mark.parametrize("game", [None, "couillon", "kop"])
def test_ratings_follow_the_tables_in_order_of_play(season: Season, season_history: History, game: str | None) -> None:
    model, current, tables = PlackettLuce(), {}, {}
    for table in season.chosen(game, None, None, None).finished:
        names = sorted(table.points, key=lambda name: table.seats[name])
        teams = [[name] for name in names]
        if table.game == "couillon":
            teams = [[name for name in names if table.seats[name] % 2 == side] for side in (0, 1)]
        best = [max(table.points[name] for name in team) for team in teams]
        ranks = [float(sum(other > own for other in best)) for own in best]
        after = model.rate([[current.get(name) or model.rating() for name in team] for team in teams], ranks=ranks)
        for team, rated_team in zip(teams, after, strict=True):
            current.update(zip(team, rated_team, strict=True))
        tables.update({name: tables.get(name, 0) + 1 for name in names})
    answered = season_history.statistic("ratings", Filters(game=game)).answer.objects()
    assert {row["player"]: row["tables"] for row in answered} == tables
    for row in answered:
        rating = current[row["player"]]
        assert (row["rating"], row["uncertainty"]) == pytest.approx((rating.mu, rating.sigma), abs=0.0051)
    course = season_history.statistic("rating-history", Filters(game=game)).answer.objects()
    last = {row["player"]: (row["number"], row["rating"]) for row in course}
    assert last == {row["player"]: (row["tables"], row["rating"]) for row in answered}
