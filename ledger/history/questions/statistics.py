"""The statistics by name. Each is one .sql file under `sql/statistics/`; a new file there is a new statistic.

A file begins with the filters that it takes (`-- parameters: player {filters} …`), which its SQL names `$player` and so
on; None where a filter is not given. `{filters}` stands for those that every statistic takes, in the head and as
arguments of macros (`with_filters`). Then it names the columns of the answer (`-- columns: place player …`).
What it tells, what one row is and what each column says stands in `messages/` under its name, in every language.
What SQL cannot do is finished in Python (`FINISHED`).
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
"""What SQL may name, be it told as a parameter or not: a plot of a statistic takes fewer than the statistic. A season
comes as its days.
"""

PostProcessor: TypeAlias = Callable[[Answer, Filters], Answer]
"""The rows of a statistic from what its SQL answers and the filters given."""


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
    """SQL that the program asks: which filters it takes, and which columns it answers with, where that is told."""

    name: str
    parameters: tuple[str, ...]
    column_names: tuple[str, ...]
    sql: str


class Statistic(NamedQuery, frozen=True, kw_only=True):
    """One statistic, in a language: what it tells, what one row and each column is, and its SQL with its filters.

    `heads`: what stands above each column where people read it.
    """

    sentence: str
    row: str
    columns: dict[str, str]
    heads: dict[str, str]


class ListedQuestion(Struct, frozen=True, kw_only=True):
    """A statistic or plot in a list: its name, what it tells, and the filters that it takes, without their `--`."""

    name: str
    sentence: str
    parameters: tuple[str, ...]


class ExplainedColumn(Struct, frozen=True, kw_only=True):
    """A column of a statistic, and what it says."""

    name: str
    meaning: str


class Explanation(Struct, frozen=True, kw_only=True):
    """Answer of `stats NAME --explain`: what the statistic tells, what one row and each column is.

    `parameters`: the filters that it takes, without their `--`.
    """

    name: str
    sentence: str
    parameters: tuple[str, ...]
    row: str
    columns: list[ExplainedColumn]


def statistics(lang: str = "en") -> dict[str, Statistic]:
    """All statistics by name, told in a language."""
    return {name: _in_language(query, name, lang) for name, query in _read_queries("statistics").items()}


def plot_queries(lang: str = "en") -> dict[str, Statistic]:
    """What is asked for plots alone, by name, in the same form; each is one .sql file under `sql/plots/`."""
    return {name: _in_language(query, f"plot-{name}", lang) for name, query in _read_queries("plots").items()}


def report_queries() -> dict[str, NamedQuery]:
    """What is asked for session reports alone, by name; each is one .sql file under `sql/reports/`."""
    return _read_queries("reports")


def list_queries() -> dict[str, NamedQuery]:
    """What is asked for lists of sessions, players and where they sat, by name; each is a file under `sql/lists/`."""
    return _read_queries("lists")


def filter_queries() -> dict[str, NamedQuery]:
    """What a filter may name, by the filter; each is one .sql file under `sql/filters/`. Other values are rejected."""
    return _read_queries("filters")


def group_queries() -> dict[str, NamedQuery]:
    """The values of a filter by which rows can be grouped; those of `sql/groups/` are not looked up to be rejected."""
    return filter_queries() | _read_queries("groups")


def statistic_named(name: str, lang: str = "en") -> Statistic:
    """The statistic of that name, told in a language; raises `NotFoundError` naming those that there are."""
    known = _read_queries("statistics")
    if name not in known:
        suggestion = hint(name, known, phrase("statistic.there_are", known=tuple(known)))
        raise NotFoundError("not_found", phrase("statistic.no_such", text=name, hint=suggestion), known=tuple(known))
    return _in_language(known[name], name, lang)


def check_parameters(statistic: NamedQuery, filters: Filters) -> None:
    """Raises `NotFoundError` for a filter that the statistic does not take, for a seat that does not exist, and for
    rules that it cannot do without; `MalformedError` for a value that a filter cannot have.
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
    """Raises `NotFoundError` for a filter that the statistic does not take."""
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
    """A file as its head tells it; what stands there before the filters is for those who read the file."""
    head = _HEAD.match(sql)[0]  # type: ignore[index]  # a head may be empty
    named = with_filter_names(head)
    _, has_parameters, declared = named.replace("--", "").partition("parameters:")
    assert has_parameters, f"{name}.sql: its head tells the parameters"
    parameters, _, columns = declared.partition("columns:")
    names = tuple(parameters.split())
    assert set(names) <= {*PARAMETERS}, f"{name}.sql: unknown parameters"
    expanded = named + with_filters(sql.removeprefix(head))
    return NamedQuery(name=name, parameters=names, column_names=tuple(columns.split()), sql=expanded)


def _in_language(query: NamedQuery, table: str, lang: str) -> Statistic:
    """The question with its words, from a table of the catalogue; a column that it does not tell has the words that
    the columns of this name have.
    """
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
    """What one row is, and what is said of the rows of every statistic of this kind."""
    row = words[f"{table}.row"].format()
    notes: list[str] = [parameter for parameter in ("by", "min_deals") if parameter in query.parameters]
    if "is_match" in query.sql:
        notes.append("matches")
    if "decided" in query.column_names:
        notes.append("rulings")
    if any(column == "low" or column.endswith("_low") for column in query.column_names):
        notes.append("intervals")
    for note in notes:
        row = words[f"note.{note}"].format(row=row)
    return row


def _word(words: Mapping[str, str], own: str, common: str) -> str:
    return (words[own] if own in words else words[common]).format()
