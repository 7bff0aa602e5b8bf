"""The seasons of a club: on which day of the year they begin, and from which day to which one lasts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta

from ledger.errors import MalformedError
from ledger.history.words import phrase
from ledger.validation import converted

SEASON: Final = "season"
"""The filter for one season, by the year in which it begins."""

SEASON_FROM: Final = "season_from"
"""The filter's companion, and a parameter of what tells seasons: that day; without it seasons are calendar years."""

SeasonFrom: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^(?!02-29|02-3|0[469]-31|11-31)(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(?!\n)$",
        description="MM-DD, a day that every year has",
        extra={"expected": phrase("statistic.season_from")},
    ),
]

SeasonTold: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^(?!0000|9999)[0-9]{4}(/[0-9]{2})?(?!\n)$",
        description="the year in which a season begins, as 2025, or both years, as 2025/26",
        extra={"expected": phrase("statistic.season")},
    ),
]

_NEW_YEAR: Final = "01-01"


def check_season(filters: Mapping[str, Any]) -> None:
    """Raises `MalformedError` for what can be no season, and for seasons that begin on no day of the year."""
    season_from, told = filters.get(SEASON_FROM), filters.get(SEASON)
    if season_from is not None:
        converted(season_from, SeasonFrom, SEASON_FROM)
    if told is None:
        return
    named = season_named(converted(told, SeasonTold, SEASON), season_from)
    if "/" in told and told != named:
        raise MalformedError(phrase("statistic.no_season"), named, told, field=SEASON)


def season_named(told: str, season_from: str | None) -> str:
    """How a season is called whose first year is told: 2025, or 2025/26 where it is no calendar year."""
    year = _year(told)
    return f"{year:04}" if season_from in (None, _NEW_YEAR) else f"{year:04}/{(year + 1) % 100:02}"


def within_season(filters: Mapping[str, Any]) -> Mapping[str, Any]:
    """The filters with the days that their season leaves of those that they leave."""
    told = filters.get(SEASON)
    if told is None:
        return filters
    first, last = season_days(told, filters.get(SEASON_FROM))
    since, until = _day(filters.get("since")), _day(filters.get("until"))
    return {
        **filters,
        "since": first if since is None else max(first, since),
        "until": last if until is None else min(last, until),
    }


def season_of(day: date, season_from: str | None) -> str:
    """The season of a day, by the year in which it begins."""
    return str(day.year - (f"{day:%m-%d}" < (season_from or _NEW_YEAR)))


def season_days(told: str, season_from: str | None) -> tuple[date, date]:
    """The first and the last day of a season."""
    year, (month, day) = _year(told), map(int, (season_from or _NEW_YEAR).split("-"))
    return date(year, month, day), date(year + 1, month, day) - timedelta(days=1)


def _year(told: str) -> int:
    return int(told.partition("/")[0])


def _day(told: date | str | None) -> date | None:
    return date.fromisoformat(told) if isinstance(told, str) else told
