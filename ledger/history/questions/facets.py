"""Facets: the values that occur of each filter, with the number of complete deals of each beside the other filters."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct

from ledger.history.questions.filters import WEEKDAYS, Filters, season_days, season_named, season_of
from ledger.history.questions.history import History
from ledger.history.questions.statistics import list_queries

FACETS: Final = ("game", "season", "place", "weekday", "session", "player", "seat")
"""The filters whose values are counted; options are counted one by one."""

_TESTED: Final = (*FACETS, "since", "until", "option")


class PlayedTogether(Struct, frozen=True):
    """A number of complete deals of the same players at a table. `options`: as JSON."""

    game: str
    session: str | None
    place: str | None
    played_on: date
    options: str
    players: Sequence[str]
    deals: int

    @property
    def weekday(self) -> str:
        return WEEKDAYS[self.played_on.weekday()]


class Facets(Struct, frozen=True):
    """`counts`: by filter, the deals of each value that the other filters leave. `without`: by filter that is set, the
    deals that all others leave. `options`: by option, the deals of each value as JSON, for the options that differ.
    """

    counts: Mapping[str, Mapping[str, int]]
    without: Mapping[str, int]
    options: Mapping[str, Mapping[str, int]]


def played_together(history: History) -> list[PlayedTogether]:
    """Return all complete deals; those that no filter can separate are one row."""
    return [PlayedTogether(*row) for row in history.answer_to(list_queries()["complete-deals"]).answer.rows]


def count_facets(played: Iterable[PlayedTogether], filters: Filters) -> Facets:
    """Return the facets under these filters, as `normalise_filters` returns them; their `player` is a person."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in FACETS}
    without: Counter[str] = Counter({name: 0 for name in _TESTED if getattr(filters, name) is not None})
    all_options: Counter[str] = Counter()
    valued = [(name, counts[name]) for name in FACETS]
    of_day: dict[date, tuple[str, str]] = {}
    for one in played:
        failed = tuple(_failed(one, filters)) if without else ()
        if len(failed) > 1:
            continue
        day, deals = one.played_on, one.deals
        if day not in of_day:
            of_day[day] = (
                WEEKDAYS[day.weekday()],
                season_named(season_of(day, filters.season_from), filters.season_from),
            )
        for name in failed or without:
            without[name] += deals
        for name, count in valued:
            if not failed or name == failed[0]:
                for value in _values(name, one, of_day[day], filters.player):
                    count[value] += deals
        if not failed:
            all_options[one.options] += deals
    return Facets(counts, without, _by_option(all_options))


def _by_option(counts: Mapping[str, int]) -> dict[str, Mapping[str, int]]:
    """Return the deals by option and value, for the options that differ, of the deals by all options together."""
    options: dict[str, Counter[str]] = {}
    for text, deals in counts.items():
        for option, value in _options(text).items():
            options.setdefault(option, Counter())[json.dumps(value)] += deals
    return {option: values for option, values in options.items() if len(values) > 1}


def _failed(one: PlayedTogether, filters: Filters) -> Iterator[str]:
    """Yield the filters that leave these deals out."""
    for name in ("game", "session", "place", "weekday"):
        if (wanted := getattr(filters, name)) is not None and wanted != getattr(one, name):
            yield name
    day, player, seat = one.played_on, filters.player, filters.seat
    if player is not None and player not in one.players:
        yield "player"
    elif seat is not None and str(seat) not in _seats(one, player):
        yield "seat"
    if filters.season is not None:
        first, last = season_days(filters.season, filters.season_from)
        if not first <= day <= last:
            yield "season"
    if filters.since is not None and day < filters.since:
        yield "since"
    if filters.until is not None and day > filters.until:
        yield "until"
    if filters.option is not None:
        options = _options(one.options)
        if any(name not in options or options[name] != value for name, value in filters.option.items()):
            yield "option"


def _values(name: str, one: PlayedTogether, of_day: tuple[str, str], player: str | None) -> Sequence[str]:
    """Return the values that these deals have for a filter. `of_day`: weekday and season; `player`: whose seat."""
    match name:
        case "player":
            return one.players
        case "seat":
            return _seats(one, player)
        case "weekday":
            return (of_day[0],)
        case "season":
            return (of_day[1],)
        case "game":
            return (one.game,)
        case "session":
            return () if one.session is None else (one.session,)
    return () if one.place is None else (one.place,)


def _seats(one: PlayedTogether, player: str | None) -> Sequence[str]:
    """Return the seats of a player, or all."""
    return [str(seat) for seat, name in enumerate(one.players) if player in (None, name)]


@lru_cache(maxsize=1_000)
def _options(text: str) -> Mapping[str, Any]:
    """Return the options of a table; most tables of a game have the same ones."""
    options: Mapping[str, Any] = json.loads(text)
    return options
