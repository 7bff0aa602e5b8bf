"""The rules of a league as a club writes them down: one TOML file, read strictly (docs/statistics.md shows one)."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from ledger.errors import MalformedError, in_file
from ledger.history.words import phrase
from ledger.i18n.foreign import retold
from ledger.limits import LEAGUE_RULES_CHARS
from ledger.outside import read_text_file
from ledger.toml import parse_toml
from ledger.validation import converted

TieBreak: TypeAlias = Literal["wins", "countback", "best_table", "score", "head_to_head", "tables"]
Shared: TypeAlias = Literal["average", "higher", "lower"]
PlacePoints: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)]

PLACES: Final = 8
"""The largest table of any game has fewer seats."""


class Season(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the year with a table of its own; both days are included."""

    name: Annotated[str, Meta(min_length=1, max_length=100)]
    since: date | None = None
    until: date | None = None


class LeagueRules(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What counts in a league: the file of `stats league --rules FILE`.

    `points`: league points for the first place at a table, the second, and so on; nothing below. `shared`: players on
    one place get the average of the points of the places that they take up, the higher or the lower ones. `best`: only
    so many tables of a player count, the best ones. `min_tables`: who has played fewer is listed without a place.
    `tie_breaks`: what decides between equal points, one after the other. `games` and `sessions`: only these.
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
    """The rules in a TOML file.

    Raises as `outside.opened` where it cannot be read, and `MalformedError` naming file, key, offending text and what
    was expected.
    """
    try:
        text = read_text_file(path, "league_rules", LEAGUE_RULES_CHARS)
    except UnicodeDecodeError:
        raise MalformedError(phrase("league.no_text"), phrase("league.toml"), where=in_file(path)) from None
    try:
        raw = parse_toml(text)
    except ValueError as error:  # tomllib.TOMLDecodeError, and whatever int() refuses
        raise MalformedError(phrase("league.no_toml", why=retold(error)), where=in_file(path)) from None
    except RecursionError:
        raise MalformedError(phrase("league.too_deep"), where=in_file(path)) from None
    try:
        rules = converted(raw, LeagueRules, "")
        _check(rules)
    except MalformedError as error:
        raise error.at(in_file(path)) from None
    return rules


def _check(rules: LeagueRules) -> None:
    """What the types cannot say."""
    if list(rules.points) != sorted(rules.points, reverse=True):
        text = str(list(rules.points))
        raise MalformedError(phrase("league.rising", field="points"), phrase("league.not_rising"), text)
    for field in ("tie_breaks", "games", "sessions"):
        named = getattr(rules, field) or ()
        if twice := next((word for word in named if named.count(word) > 1), None):
            raise MalformedError(phrase("league.twice", field=field), phrase("league.once"), twice)
    for number, season in enumerate(rules.seasons or ()):
        if season.since and season.until and season.since > season.until:
            what = phrase("league.before_since", field=f"seasons[{number}].until")
            raise MalformedError(what, phrase("league.or_later", day=season.since), str(season.until))
