"""The filters of statistics and plots: their values, their SQL, and their description in words.

A new filter is a field of `Filters`, its parameter in `_ARGUMENTS`, and a condition of the macros with these arguments
(`sql/schema/functions.sql`) and of `statements.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta, Struct, structs

from ledger.errors import MalformedError, NotFoundError
from ledger.games import registered_games
from ledger.games.kernel.protocol import Game
from ledger.history.catalogue import phrase
from ledger.history.questions.league import LeagueRules
from ledger.i18n import labels
from ledger.names import hint
from ledger.streams import SESSION
from ledger.validation import converted

SeasonFrom: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^(?!02-29|02-3|0[469]-31|11-31)(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(?!\n)$",
        description="MM-DD, a day that every year has",
        extra={"expected": phrase("statistic.season_from")},
    ),
]

SeasonName: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^(?!0000|9999)[0-9]{4}(/[0-9]{2})?(?!\n)$",
        description="the year in which a season begins, e.g. 2025, or both years, e.g. 2025/26",
        extra={"expected": phrase("statistic.season")},
    ),
]

Weekday: TypeAlias = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
WEEKDAYS: Final[tuple[str, ...]] = get_args(Weekday)


class Filters(Struct, frozen=True, kw_only=True):
    """The deals that a statistic or a plot counts; None leaves all. `since` and `until` are days, both included.

    `player`: the name in the record. `option`: values of the table's options, defaults included. `place`: where the
    session was held. `weekday`: of the day of a deal. `season`: the year in which it begins, e.g. `2025` or `2025/26`.
    `season_from`: the day of the year on which seasons begin, e.g. `09-01`; without it, calendar years.

    The others are for statistics only. `seat`: of the player of a row. `min_deals`: leave out rows with fewer deals.
    `by="table"`: make intervals of means hold even if the deals of a table depend on each other. `rules`: the rules of
    a league, or their file. `group_by`: the statistic once for each value of this filter, in the first column, `group`.
    `compare`: filters that are replaced in a second selection, for comparison with the first.
    """

    player: str | None = None
    game: str | None = None
    since: date | None = None
    until: date | None = None
    session: str | None = None
    option: dict[str, Any] | None = None
    place: str | None = None
    weekday: Weekday | None = None
    season: str | None = None
    season_from: str | None = None
    seat: int | None = None
    min_deals: Annotated[int, Meta(ge=1)] | None = None
    by: Literal["table"] | None = None
    rules: LeagueRules | str | Path | None = None
    group_by: Literal["season", "place", "weekday", "seat"] | None = None
    compare: Mapping[str, Any] | None = None

    def given(self) -> dict[str, Any]:
        """Return the parameters that have a value, by name."""
        return {name: value for name in PARAMETERS if (value := getattr(self, name)) is not None}


ALL: Final = Filters()
"""All deals."""

PARAMETERS: Final = Filters.__struct_fields__[: Filters.__struct_fields__.index("group_by")]
"""The parameters that the head of a statistic's file may name."""

FILTERS: Final = PARAMETERS[: PARAMETERS.index("seat")]
"""The parameters that plots accept, too."""

_KINDS: Final[Mapping[str, Any]] = {
    field.name: get_args(field.type)[0] for field in structs.fields(Filters) if field.name in PARAMETERS[:-1]
}
"""The type of each filter's value; the form of seasons is checked separately."""

_ARGUMENTS: Final = ("game", "session", "since", "until", "option", "place", "weekday")
"""The arguments of `chosen_deals` and of the macros that use it."""

_PLACEHOLDER: Final = re.compile(r"\{filters(?:\((\w+)=('\w+')\))?\}")


def with_filters(sql: str) -> str:
    """Return SQL with `{filters}` expanded to the arguments of macros, `$game, $session …`.

    `{filters(game='ombre')}` replaces a filter by a value.
    """

    def arguments(match: re.Match[str]) -> str:
        fixed, value = match.groups()
        return ", ".join(value if name == fixed else f"${name}" for name in _ARGUMENTS)

    return _PLACEHOLDER.sub(arguments, sql)


def with_filter_names(head: str) -> str:
    """Return the head of an SQL file with `{filters}` expanded to the names of filters, all but `player`."""
    return _PLACEHOLDER.sub(lambda match: " ".join(name for name in FILTERS[1:] if name != match[1]), head)


def checked_values(filters: Filters) -> Filters:
    """Return the filters with values of the right types: days as dates.

    Raise `MalformedError` for an impossible value.
    """
    values = {name: value for name, value in filters.given().items() if name in _KINDS}
    days = {name: value.date() for name, value in values.items() if isinstance(value, datetime)}
    return structs.replace(
        filters, **{name: converted(value, _KINDS[name], name) for name, value in (values | days).items()}
    )


def normalise_filters(filters: Filters) -> Filters:
    """Return the filters as queries need them: a session by its name alone, options as their game reads them.

    Raise the errors of `checked_values`, `SESSION.slug` and, for options, `_checked_options`.
    """
    filters = checked_values(filters)
    slug = None if filters.session is None else SESSION.slug(filters.session)
    return structs.replace(filters, session=slug, option=_checked_options(filters.option, filters.game))


def options_by_name(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    """Return options that were given one by one. Raise `MalformedError` for one that is named twice."""
    options: dict[str, object] = {}
    for name, value in pairs:
        if name in options:
            raise MalformedError(phrase("filter.option_twice"), text=name, field="option")
        options[name] = value
    return options


def _checked_options(options: Mapping[str, Any] | None, game: str | None) -> dict[str, Any] | None:
    """Return the options as the game reads their values; without a game, as any game with such options does.

    Return None if no options are given. Raise `NotFoundError` for an unknown option, and `MalformedError` for an
    impossible value.
    """
    games = registered_games()
    if not options or (game is not None and game not in games):  # which `check_filters` rejects
        return None
    candidates = list(games.values()) if game is None else [games[game]]
    return {name: _converted_option(name, value, candidates, game) for name, value in options.items()}


def _converted_option(name: str, value: Any, games: Sequence[Game], game: str | None) -> Any:
    """Return the value as the first of the games reads it."""
    having = [one for one in games if name in _option_fields(one)]
    if not having:
        known = tuple(sorted({field for one in games for field in _option_fields(one)}))
        there_are = phrase("filter.options", known=known)
        message = phrase("filter.no_option", text=name, hint=hint(name, known, there_are))
        if game is not None:
            message = phrase("filter.no_option_of", text=name, game=game, hint=hint(name, known, there_are))
        raise NotFoundError("not_found", message, known=known)
    refusals: list[MalformedError] = []
    for one in having:
        try:
            return getattr(converted({name: value}, one.option_type, "option"), _option_fields(one)[name])
        except MalformedError as error:
            refusals.append(error)
    raise refusals[0]


def _option_fields(game: Game) -> dict[str, str]:
    """Return the names of a game's options, each with that of its field."""
    return {field.encode_name: field.name for field in structs.fields(game.option_type)}


_NEW_YEAR: Final = "01-01"


def check_season(filters: Filters) -> None:
    """Raise `MalformedError` for an impossible season, and for seasons that begin on no day of the year."""
    season_from, season = filters.season_from, filters.season
    if season_from is not None:
        converted(season_from, SeasonFrom, "season_from")
    if season is None:
        return
    named = season_named(converted(season, SeasonName, "season"), season_from)
    if "/" in season and season != named:
        raise MalformedError(phrase("statistic.no_season"), named, season, field="season")


def season_named(season: str, season_from: str | None) -> str:
    """Return the name of the season that begins in that year: 2025, or 2025/26 if it is no calendar year."""
    year = _year(season)
    return f"{year:04}" if season_from in (None, _NEW_YEAR) else f"{year:04}/{(year + 1) % 100:02}"


def within_season(filters: Filters) -> Filters:
    """Return the filters with their days limited to those of their season."""
    if filters.season is None:
        return filters
    first, last = season_days(filters.season, filters.season_from)
    since, until = _day(filters.since), _day(filters.until)
    return structs.replace(
        filters,
        since=first if since is None else max(first, since),
        until=last if until is None else min(last, until),
    )


def season_of(day: date, season_from: str | None) -> str:
    """Return the season of a day, by the year in which it begins."""
    return str(day.year - (f"{day:%m-%d}" < (season_from or _NEW_YEAR)))


def season_days(season: str, season_from: str | None) -> tuple[date, date]:
    """Return the first and the last day of a season."""
    year, (month, day) = _year(season), map(int, (season_from or _NEW_YEAR).split("-"))
    return date(year, month, day), date(year + 1, month, day) - timedelta(days=1)


def _year(season: str) -> int:
    return int(season.partition("/")[0])


def _day(day: date | str | None) -> date | None:
    return date.fromisoformat(day) if isinstance(day, str) else day


_label: Final = labels("ledger.history")


def describe_filters(filters: Mapping[str, Any], names: Mapping[str, str], lang: str) -> str:
    """Return the active filters in few words; empty without any. `names`: displayed names of players."""
    held = _with_season_named(filters)
    descriptions = [words for key, value in held.items() for words in _describe(key, value, names, lang)]
    return _label(lang, "filter.and").join(descriptions)


def _with_season_named(filters: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the filters with the season's own name; the start of seasons alone filters nothing."""
    held = {key: value for key, value in filters.items() if key != "season_from"}
    return held | {key: season_named(held[key], filters.get("season_from")) for key in ("season",) if key in held}


def _describe(key: str, value: Any, names: Mapping[str, str], lang: str) -> Iterator[str]:
    match key:
        case "since" | "until" | "place" | "season" | "seat":
            yield _label(lang, f"filter.{key}", **{key: value})
        case "player":
            yield names.get(value, value)
        case "weekday":
            yield _label(lang, f"filter.{value}")
        case "game":
            known = registered_games().get(value)
            yield value if known is None else known.called.in_words(lang)
        case "option":
            yield from (f"{name}={_option_value(chosen)}" for name, chosen in value.items())
        case _:
            yield str(value)


def _option_value(value: Any) -> str:
    """Return the value as it is typed after `--option NAME=`."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
