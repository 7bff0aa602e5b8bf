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
from ledger.history.words import phrase
from ledger.i18n import catalogue
from ledger.names import hint

ASKED: Final = tuple(name for name in PARAMETERS if name not in ("season", "rules"))
"""What SQL may name, be it told as a parameter or not: a plot of a statistic takes fewer than the statistic. A season
comes as its days.
"""

Finish: TypeAlias = Callable[[Answer, Filters], Answer]
"""The rows of a statistic from what its SQL answers and the filters given."""


def _league(placings: Answer, filters: Filters) -> Answer:
    assert isinstance(filters.rules, LeagueRules), "the rules were read before"
    return league(placings, filters.rules)


FINISHED: Final[Mapping[str, Finish]] = {"league": _league, "rating-history": rating_history, "ratings": ratings}
"""Statistics that SQL only begins."""

_HEAD: Final = re.compile(r"(?:--.*\n)*")
_WORDS: Final = "ledger.history.questions"


class Question(Struct, frozen=True, kw_only=True):
    """SQL that the program asks: which filters it takes, and which columns it answers with, where that is told."""

    name: str
    parameters: tuple[str, ...]
    column_names: tuple[str, ...]
    sql: str


class Statistic(Question, frozen=True, kw_only=True):
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
    return {name: _told(question, name, lang) for name, question in _questions("statistics").items()}


def plot_questions(lang: str = "en") -> dict[str, Statistic]:
    """What is asked for plots alone, by name, in the same form; each is one .sql file under `sql/plots/`."""
    return {name: _told(question, f"plot-{name}", lang) for name, question in _questions("plots").items()}


def report_questions() -> dict[str, Question]:
    """What is asked for session reports alone, by name; each is one .sql file under `sql/reports/`."""
    return _questions("reports")


def list_questions() -> dict[str, Question]:
    """What is asked for lists of sessions, players and where they sat, by name; each is a file under `sql/lists/`."""
    return _questions("lists")


def filter_questions() -> dict[str, Question]:
    """What a filter may name, by the filter; each is one .sql file under `sql/filters/`. Other values are rejected."""
    return _questions("filters")


def group_questions() -> dict[str, Question]:
    """The values of a filter by which rows can be grouped; those of `sql/groups/` are not looked up to be rejected."""
    return filter_questions() | _questions("groups")


def statistic_named(name: str, lang: str = "en") -> Statistic:
    """The statistic of that name, told in a language; raises `NotFoundError` naming those that there are."""
    known = _questions("statistics")
    if name not in known:
        told = hint(name, known, phrase("statistic.there_are", known=tuple(known)))
        raise NotFoundError("not_found", phrase("statistic.no_such", text=name, hint=told), known=tuple(known))
    return _told(known[name], name, lang)


def check_parameters(statistic: Question, filters: Filters) -> None:
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


def check_takes(statistic: Question, name: str) -> None:
    """Raises `NotFoundError` for a filter that the statistic does not take."""
    known = statistic.parameters
    if name not in known:
        takes = phrase("statistic.takes_no", statistic=statistic.name, text=name, known=known)
        raise NotFoundError("unknown_parameter", takes)


@cache
def _questions(folder_name: str) -> dict[str, Question]:
    folder = files("ledger.history").joinpath("sql", folder_name)
    names = sorted(file.name.removesuffix(".sql") for file in folder.iterdir() if file.name.endswith(".sql"))
    return {name: _read(name, folder.joinpath(f"{name}.sql").read_text(encoding="utf-8")) for name in names}


def _read(name: str, sql: str) -> Question:
    """A file as its head tells it; what stands there before the filters is for those who read the file."""
    head = _HEAD.match(sql)[0]  # type: ignore[index]  # a head may be empty
    named = with_filter_names(head)
    _, has_parameters, told = named.replace("--", "").partition("parameters:")
    assert has_parameters, f"{name}.sql: its head tells the parameters"
    parameters, _, columns = told.partition("columns:")
    names = tuple(parameters.split())
    assert set(names) <= {*PARAMETERS}, f"{name}.sql: unknown parameters"
    expanded = named + with_filters(sql.removeprefix(head))
    return Question(name=name, parameters=names, column_names=tuple(columns.split()), sql=expanded)


def _told(question: Question, table: str, lang: str) -> Statistic:
    """The question with its words, from a table of the catalogue; a column that it does not tell has the words that
    the columns of this name have.
    """
    words = catalogue(_WORDS, lang)
    return Statistic(
        name=question.name,
        parameters=question.parameters,
        column_names=question.column_names,
        sql=question.sql,
        sentence=words[f"{table}.sentence"].format(),
        row=_row(words, question, table),
        columns={name: _word(words, f"{table}.{name}", f"column.{name}") for name in question.column_names},
        heads={name: _word(words, f"{table}.head_{name}", f"head.{name}") for name in question.column_names},
    )


def _row(words: Mapping[str, str], question: Question, table: str) -> str:
    """What one row is, and what is said of the rows of every statistic of this kind."""
    row = words[f"{table}.row"].format()
    notes: list[str] = [parameter for parameter in ("by", "min_deals") if parameter in question.parameters]
    if "is_match" in question.sql:
        notes.append("matches")
    if "decided" in question.column_names:
        notes.append("rulings")
    if any(column == "low" or column.endswith("_low") for column in question.column_names):
        notes.append("intervals")
    for note in notes:
        row = words[f"note.{note}"].format(row=row)
    return row


def _word(words: Mapping[str, str], own: str, common: str) -> str:
    return (words[own] if own in words else words[common]).format()
