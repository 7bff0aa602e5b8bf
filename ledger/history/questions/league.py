"""League tables: placings at tables and the rules of a league in, the table of each season out.

The rules are one TOML file, checked strictly (docs/how-to/league.md shows one).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from math import fsum
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

from msgspec import Meta, Struct

from ledger.errors import MalformedError, in_file
from ledger.games import registered_games
from ledger.history.catalogue import phrase
from ledger.history.questions.answers import Answer
from ledger.i18n import one_of
from ledger.i18n.library_errors import localised
from ledger.limits import LEAGUE_RULES_CHARS
from ledger.outside import read_text_file
from ledger.toml import parse_toml
from ledger.validation import converted

TieBreak: TypeAlias = Literal["wins", "countback", "best_table", "score", "head_to_head", "tables"]
Shared: TypeAlias = Literal["average", "higher", "lower"]
PlacePoints: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)]

PLACES: Final = 8
"""More than the seats of the largest table of any game."""


class Season(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the year with its own table; both days are included."""

    name: Annotated[str, Meta(min_length=1, max_length=100)]
    since: date | None = None
    until: date | None = None


class LeagueRules(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The rules of a league: the file of `stats league --rules FILE`.

    `points`: league points for the first place at a table, the second, and so on; 0 below. `shared`: players who share
    a place get the average, the higher or the lower points of the places that they fill. `best`: how many of a player's
    tables count, the best ones. `min_tables`: players with fewer are listed without a place. `tie_breaks`: the criteria
    for equal points, in this order. `games` and `sessions`: only these.
    """

    title: Annotated[str, Meta(min_length=1, max_length=100)]
    points: Annotated[tuple[PlacePoints, ...], Meta(min_length=1, max_length=PLACES)]
    shared: Shared = "average"
    best: Annotated[int, Meta(ge=1)] | None = None
    min_tables: Annotated[int, Meta(ge=1)] = 1
    tie_breaks: tuple[TieBreak, ...] = ("wins", "score")
    games: tuple[str, ...] | None = None
    sessions: tuple[str, ...] | None = None
    seasons: Annotated[tuple[Season, ...], Meta(min_length=1)] | None = None


def read_league_rules(path: Path) -> LeagueRules:
    """Return the rules in a TOML file.

    Raise the errors of `outside.opened`, and `MalformedError` naming file, key, offending text and what was expected.
    """
    try:
        text = read_text_file(path, "league_rules", LEAGUE_RULES_CHARS)
    except UnicodeDecodeError:
        raise MalformedError(phrase("league.no_text"), phrase("league.toml"), where=in_file(path)) from None
    try:
        raw = parse_toml(text)
    except ValueError as error:  # tomllib.TOMLDecodeError, and numbers that int() rejects
        raise MalformedError(phrase("league.no_toml", why=localised(error)), where=in_file(path)) from None
    except RecursionError:
        raise MalformedError(phrase("league.too_deep"), where=in_file(path)) from None
    try:
        rules = converted(raw, LeagueRules, "")
        _check(rules)
    except MalformedError as error:
        raise error.at(in_file(path)) from None
    return rules


def _check(rules: LeagueRules) -> None:
    """Raise `MalformedError` for rules that the types alone cannot reject."""
    if list(rules.points) != sorted(rules.points, reverse=True):
        text = str(list(rules.points))
        raise MalformedError(phrase("league.rising", field="points"), phrase("league.not_rising"), text)
    for field in ("tie_breaks", "games", "sessions"):
        named = getattr(rules, field) or ()
        if twice := next((word for word in named if named.count(word) > 1), None):
            raise MalformedError(phrase("league.twice", field=field), phrase("league.once"), twice)
    if unknown := sorted(set(rules.games or ()) - registered_games().keys()):
        raise MalformedError("games", one_of(sorted(registered_games())), unknown[0])
    for number, season in enumerate(rules.seasons or ()):
        if season.since and season.until and season.since > season.until:
            what = phrase("league.before_since", field=f"seasons[{number}].until")
            raise MalformedError(what, phrase("league.or_later", day=season.since), str(season.until))


_COLUMNS: Final = {
    "season": "VARCHAR", "place": "BIGINT", "player": "VARCHAR", "points": "DOUBLE", "tables": "BIGINT",
    "counted": "BIGINT", "wins": "BIGINT", "score": "BIGINT", "standardised": "DOUBLE",
    "decided_by": "VARCHAR",
}  # fmt: skip


Points: TypeAlias = Fraction | int
"""League points, exact: whole numbers if possible, which are twenty times as fast."""


class LeaguePlacing(NamedTuple):
    """One player at one table: a row of `league.sql`, with its columns in order."""

    table_name: str
    session: str | None
    game: str
    played_on: date
    player: str
    place: int
    score: int
    standardised: float | None


class TableResult(Struct, frozen=True):
    """One player's result at one table: the place, the league points, the game's own points, and these standardised in
    the measure of the game (docs/reference/statistics.md); 0 if no points of the game differ yet.
    """

    table: str
    game: str
    place: int
    points: Points
    score: int
    standardised: float


class Entrant(Struct, frozen=True):
    """A player with the results that count."""

    player: str
    tables: int
    counted: tuple[TableResult, ...]

    @property
    def points(self) -> Points:
        """League points of the tables that count."""
        return sum(result.points for result in self.counted)

    @property
    def wins(self) -> int:
        """Tables won, alone or shared."""
        return sum(result.place == 1 for result in self.counted)

    @property
    def score(self) -> int | None:
        """The points of the game; None for several games, whose points are never added up."""
        games = {result.game for result in self.counted}
        return sum(result.score for result in self.counted) if len(games) == 1 else None

    @property
    def standardised(self) -> float:
        """The sum of standardised points, rounded as shown, so that no hidden digit decides."""
        return round(fsum(result.standardised for result in self.counted), 3)


Merit: TypeAlias = Callable[[Entrant, Sequence[Entrant]], Any]
"""The merit of an entrant among those still level, the entrant included; more is better."""


def league(placings: Answer, rules: LeagueRules) -> Answer:
    """Return the rows of the statistic `league`."""
    chosen = [placing for placing in map(LeaguePlacing._make, placings.rows) if _counts(placing, rules)]
    seasons = rules.seasons or (Season(name=rules.title),)
    rows = [row for season in seasons for row in _table(chosen, rules, season)]
    return Answer(list(_COLUMNS), list(_COLUMNS.values()), rows)


def table_points(places: Sequence[int], rules: LeagueRules) -> list[Points]:
    """Return the league points for the places of all players at one table."""
    return [_place_points(place, places.count(place), rules) for place in places]


def _place_points(place: int, sharing: int, rules: LeagueRules) -> Points:
    """Return the points for a place that `sharing` players share: they fill the places after it as well."""
    taken = [rules.points[at] if at < len(rules.points) else 0 for at in range(place - 1, place - 1 + sharing)]
    if rules.shared == "average" and sum(taken) % sharing:
        return Fraction(sum(taken), sharing)
    if rules.shared == "average":
        return sum(taken) // sharing
    return taken[0] if rules.shared == "higher" else taken[-1]


def _counts(placing: LeaguePlacing, rules: LeagueRules) -> bool:
    is_game = rules.games is None or placing.game in rules.games
    return is_game and (rules.sessions is None or placing.session in rules.sessions)


def _is_within(day: date, season: Season) -> bool:
    return (season.since is None or day >= season.since) and (season.until is None or day <= season.until)


def _table(placings: Iterable[LeaguePlacing], rules: LeagueRules, season: Season) -> list[tuple[Any, ...]]:
    """Return the rows of one season, best first, then the players with too few tables."""
    entrants = _entrants([placing for placing in placings if _is_within(placing.played_on, season)], rules)
    ranked = [entrant for entrant in entrants if entrant.tables >= rules.min_tables]
    others = [entrant for entrant in entrants if entrant.tables < rules.min_tables]
    rows: list[tuple[Any, ...]] = []
    place = 1
    for group, decided_by in _ranked(ranked, rules):
        rows += [_row(season, place, entrant, decided_by) for entrant in group]
        place += len(group)
    others.sort(key=lambda entrant: (-entrant.points, entrant.player))
    return rows + [_row(season, None, entrant, None) for entrant in others]


def _row(season: Season, place: int | None, entrant: Entrant, decided_by: str | None) -> tuple[Any, ...]:
    points = round(float(entrant.points), 2)
    figures = (points, entrant.tables, len(entrant.counted), entrant.wins, entrant.score, entrant.standardised)
    return (season.name, place, entrant.player, *figures, decided_by)


def _entrants(placings: Sequence[LeaguePlacing], rules: LeagueRules) -> list[Entrant]:
    """Return all players with the results that count, by name."""
    at_tables: dict[str, list[LeaguePlacing]] = defaultdict(list)
    for placing in placings:
        at_tables[placing.table_name].append(placing)
    results: dict[str, list[TableResult]] = defaultdict(list)
    known: dict[tuple[int, ...], list[Points]] = {}  # most tables end with places seen before
    for at_table in at_tables.values():
        places = tuple(placing.place for placing in at_table)
        if places not in known:
            known[places] = table_points(places, rules)
        for (table, _, game, _, player, place, score, standardised), points in zip(
            at_table, known[places], strict=True
        ):
            results[player].append(TableResult(table, game, place, points, score, standardised or 0.0))
    return [_entrant(player, own, rules.best) for player, own in sorted(results.items())]


def _entrant(player: str, results: list[TableResult], best: int | None) -> Entrant:
    """Return the player with the best results: by league points, then place, then standardised points."""

    # Floats are exact enough to compare the points of tables, ten times as fast as fractions.
    def worth(result: TableResult) -> tuple[float, int, float]:
        return float(result.points), -result.place, result.standardised

    by_worth = sorted(results, key=worth, reverse=True)
    return Entrant(player, len(results), tuple(by_worth[:best]))


def _ranked(entrants: Sequence[Entrant], rules: LeagueRules) -> list[tuple[list[Entrant], str | None]]:
    """Return groups of level entrants, best first, each with the criterion that separated it."""
    groups: list[tuple[list[Entrant], str | None]] = [(list(entrants), None)] if entrants else []
    for word in ("points", *rules.tie_breaks):
        groups = [part for group in groups for part in _split(group, word)]
    return groups


def _split(group: tuple[list[Entrant], str | None], word: str) -> list[tuple[list[Entrant], str | None]]:
    """Split a group by one merit; leave it unchanged if all are level."""
    entrants, _ = group
    parts: dict[Any, list[Entrant]] = defaultdict(list)
    for entrant in entrants:
        parts[_MERITS[word](entrant, entrants)].append(entrant)
    return [group] if len(parts) == 1 else [(parts[merit], word) for merit in sorted(parts, reverse=True)]


def _countback(entrant: Entrant, _: Sequence[Entrant]) -> tuple[int, ...]:
    """Return the number of first places, then of second ones, and so on."""
    places = [result.place for result in entrant.counted]
    return tuple(places.count(place) for place in range(1, 9))


def _head_to_head(entrant: Entrant, rivals: Sequence[Entrant]) -> int:
    """Return the tables at which the entrant was ahead of a rival, less those behind one; only tables that count for
    both.
    """
    places = {result.table: result.place for result in entrant.counted}
    met = [
        (places[result.table], result.place)
        for rival in rivals
        if rival is not entrant
        for result in rival.counted
        if result.table in places
    ]
    return sum((own < theirs) - (own > theirs) for own, theirs in met)


_MERITS: Final[Mapping[str, Merit]] = {
    "points": lambda entrant, _: entrant.points,
    "wins": lambda entrant, _: entrant.wins,
    "countback": _countback,
    "best_table": lambda entrant, _: max(result.points for result in entrant.counted),
    "score": lambda entrant, _: entrant.standardised,
    "head_to_head": _head_to_head,
    "tables": lambda entrant, _: entrant.tables,
}
