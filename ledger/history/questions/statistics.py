"""The statistics by name. Each is one .sql file under `sql/statistics/`; a new file is a new statistic.

A file begins with its filters (`-- parameters: player {filters} …`), which its SQL names `$player` and so on; None if a
filter is not given. `{filters}` means those of every statistic, in the head and as arguments of macros
(`with_filters`). Then come the columns of the answer (`-- columns: place player …`). The descriptions of the statistic,
its rows and its columns are in `messages/` under its name, in every language. Python finishes what SQL cannot do
(`POSTPROCESSORS`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias

from msgspec import Struct

from ledger.errors import NotFoundError
from ledger.events import MAX_SEATS
from ledger.history.catalogue import phrase
from ledger.history.questions.answers import Answer
from ledger.history.questions.filters import (
    PARAMETERS,
    Filters,
    check_season,
    checked_values,
    with_filter_names,
    with_filters,
)
from ledger.history.questions.league import LeagueRules, league
from ledger.history.questions.ratings import rating_history, ratings
from ledger.i18n import catalogue
from ledger.names import hint

SQL_PARAMETERS: Final = tuple(name for name in PARAMETERS if name not in ("season", "rules"))
"""Parameters that SQL may name, declared or not: a plot of a statistic accepts fewer than the statistic. A season
becomes its days.
"""

PostProcessor: TypeAlias = Callable[[Answer, Filters], Answer]
"""Makes the rows of a statistic from the answer of its SQL and the given filters."""


def _league(placings: Answer, filters: Filters) -> Answer:
    assert isinstance(filters.rules, LeagueRules), "the rules were read before"
    return league(placings, filters.rules)


POSTPROCESSORS: Final[Mapping[str, PostProcessor]] = {
    "league": _league,
    "rating-history": rating_history,
    "ratings": ratings,
}
"""Statistics that SQL only begins."""

_HEAD: Final = re.compile(r"(?:--.*\n)*")
_WORDS: Final = "ledger.history.questions"


class NamedQuery(Struct, frozen=True, kw_only=True):
    """SQL of this program: the filters that it accepts, and its declared columns, if any."""

    name: str
    parameters: tuple[str, ...]
    column_names: tuple[str, ...]
    sql: str


class Statistic(NamedQuery, frozen=True, kw_only=True):
    """One statistic in a language: its description, the meaning of a row and of each column, its SQL and filters.

    `heads`: the headings of the columns in text.
    """

    sentence: str
    row: str
    columns: dict[str, str]
    heads: dict[str, str]


class ListedQuestion(Struct, frozen=True, kw_only=True):
    """A statistic or plot in a list: its name, its description, and its filters, without their `--`."""

    name: str
    sentence: str
    parameters: tuple[str, ...]


class ExplainedColumn(Struct, frozen=True, kw_only=True):
    """A column of a statistic, and its meaning."""

    name: str
    meaning: str


class Explanation(Struct, frozen=True, kw_only=True):
    """Answer of `stats NAME --explain`: the description of the statistic, the meaning of a row and of each column.

    `parameters`: the filters that it accepts, without their `--`.
    """

    name: str
    sentence: str
    parameters: tuple[str, ...]
    row: str
    columns: list[ExplainedColumn]


def statistics(lang: str = "en") -> dict[str, Statistic]:
    """Return all statistics by name, described in a language."""
    return {name: _in_language(query, name, lang) for name, query in _read_queries("statistics").items()}


def plot_queries(lang: str = "en") -> dict[str, Statistic]:
    """Return the queries of plots alone, by name, in the same form; each is one .sql file under `sql/plots/`."""
    return {name: _in_language(query, f"plot-{name}", lang) for name, query in _read_queries("plots").items()}


def report_queries() -> dict[str, NamedQuery]:
    """Return the queries of session reports, by name; each is one .sql file under `sql/reports/`."""
    return _read_queries("reports")


def list_queries() -> dict[str, NamedQuery]:
    """Return the queries of lists of sessions, players and their seats, by name; each is a file under `sql/lists/`."""
    return _read_queries("lists")


def filter_queries() -> dict[str, NamedQuery]:
    """Return the queries of known values, by filter; each is one .sql file under `sql/filters/`."""
    return _read_queries("filters")


def group_queries() -> dict[str, NamedQuery]:
    """Return the queries of the values that can group rows, by filter; those of `sql/groups/` reject no value."""
    return filter_queries() | _read_queries("groups")


def statistic_named(name: str, lang: str = "en") -> Statistic:
    """Return the statistic of that name, described in a language. Raise `NotFoundError` naming those that exist."""
    known = _read_queries("statistics")
    if name not in known:
        suggestion = hint(name, known, phrase("statistic.there_are", known=tuple(known)))
        raise NotFoundError("not_found", phrase("statistic.no_such", text=name, hint=suggestion), known=tuple(known))
    return _in_language(known[name], name, lang)


def check_parameters(statistic: NamedQuery, filters: Filters) -> None:
    """Raise `NotFoundError` for a filter that the statistic does not accept, an impossible seat or missing rules.

    Raise `MalformedError` for an impossible value of a filter.
    """
    for name in filters.given():
        check_takes(statistic, name)
    checked_values(filters)
    if filters.seat is not None and filters.seat not in range(MAX_SEATS):
        raise NotFoundError("not_found", phrase("statistic.no_seat", text=str(filters.seat), last=MAX_SEATS - 1))
    check_season(filters)
    if "rules" in statistic.parameters and filters.rules is None:
        raise NotFoundError("usage", phrase("statistic.needs_rules", statistic=statistic.name, text="rules"))


def check_takes(statistic: NamedQuery, name: str) -> None:
    """Raise `NotFoundError` for a filter that the statistic does not accept."""
    known = statistic.parameters
    if name not in known:
        takes = phrase("statistic.takes_no", statistic=statistic.name, text=name, known=known)
        raise NotFoundError("unknown_parameter", takes)


@cache
def _read_queries(folder_name: str) -> dict[str, NamedQuery]:
    folder = files("ledger.history").joinpath("sql", folder_name)
    names = sorted(file.name.removesuffix(".sql") for file in folder.iterdir() if file.name.endswith(".sql"))
    return {name: _read(name, folder.joinpath(f"{name}.sql").read_text(encoding="utf-8")) for name in names}


def _read(name: str, sql: str) -> NamedQuery:
    """Return the query in a file, as its head declares it; other comments in the head are for readers of the file."""
    head = _HEAD.match(sql)[0]  # type: ignore[index]  # a head may be empty
    named = with_filter_names(head)
    _, has_parameters, declared = named.replace("--", "").partition("parameters:")
    assert has_parameters, f"{name}.sql: its head tells the parameters"
    parameters, _, columns = declared.partition("columns:")
    names = tuple(parameters.split())
    assert set(names) <= {*PARAMETERS}, f"{name}.sql: unknown parameters"
    expanded = named + with_filters(sql.removeprefix(head))
    return NamedQuery(name=name, parameters=names, column_names=tuple(columns.split()), sql=expanded)


@cache
def _in_language(query: NamedQuery, table: str, lang: str) -> Statistic:
    """Return the query with its words from a table of the catalogue; columns without their own have the common ones."""
    words = catalogue(_WORDS, lang)
    return Statistic(
        name=query.name,
        parameters=query.parameters,
        column_names=query.column_names,
        sql=query.sql,
        sentence=words[f"{table}.sentence"].format(),
        row=_row(words, query, table),
        columns={name: _word(words, f"{table}.{name}", f"column.{name}") for name in query.column_names},
        heads={name: _word(words, f"{table}.head_{name}", f"head.{name}") for name in query.column_names},
    )


def _row(words: Mapping[str, str], query: NamedQuery, table: str) -> str:
    """Return the meaning of one row, with the notes that apply to every statistic of this kind."""
    row = words[f"{table}.row"].format()
    for note in notes_of(query):
        row = words[f"note.{note}"].format(row=row)
    return row


def notes_of(query: NamedQuery) -> list[str]:
    """Return the names of the notes that apply to every statistic of this kind; their texts are in `[note]`."""
    notes: list[str] = [parameter for parameter in ("by", "min_deals") if parameter in query.parameters]
    if "is_match" in query.sql:
        notes.append("matches")
    if "decided" in query.column_names:
        notes.append("rulings")
    if any(column == "low" or column.endswith("_low") for column in query.column_names):
        notes.append("intervals")
    return notes


def _word(words: Mapping[str, str], own: str, common: str) -> str:
    return (words[own] if own in words else words[common]).format()
