"""The statistics by name. Each is one .sql file under `sql/statistics/`; a new file there is a new statistic.

A file begins with the filters that it takes (`-- parameters: player game …`), which its SQL names `$player`, `$game`
and so on; None where a filter is not given. Then it names the columns of the answer (`-- columns: place player …`).
What it tells, what one row is and what each column says stands in `messages/` under its name, in every language.
What SQL cannot do is finished in Python (`FINISHED`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from ledger.errors import NotFoundError
from ledger.events import MAX_SEATS
from ledger.history.questions.answer import Answer
from ledger.history.questions.league import league
from ledger.history.questions.ratings import rating_history, ratings
from ledger.history.questions.seasons import SEASON, SEASON_FROM, check_season
from ledger.history.words import phrase
from ledger.i18n import catalogue
from ledger.names import hint
from ledger.validation import converted

FILTERS: Final = ("player", "game", "since", "until", "session", "option", "place", "weekday", SEASON, SEASON_FROM)
"""Which deals count: the filters that plots take, too. `option` is a mapping of names to values; when seasons begin is
said for `season`, and for what tells seasons."""

OPTION: Final = "option"
WEEKDAY: Final = "weekday"

Weekday: TypeAlias = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
WEEKDAYS: Final[tuple[str, ...]] = get_args(Weekday)

SEAT: Final = "seat"
"""The filter for the seat of the player that a row is about, which plots do not take."""

MIN_DEALS: Final = "min_deals"
"""The parameter that lists nobody with fewer deals."""

BY: Final = "by"
"""The parameter for what intervals of means take as independent of each other: single deals, or a `Unit`."""

Unit: TypeAlias = Literal["table"]

RULES: Final = "rules"
"""The parameter for `LeagueRules`, which is no filter: what takes it cannot do without."""

_KINDS: Final[Mapping[str, Any]] = {
    "player": str,
    "game": str,
    "since": date,
    "until": date,
    "session": str,
    OPTION: dict[str, Any],
    "place": str,
    WEEKDAY: Weekday,
    SEASON: str,
    SEASON_FROM: str,
    SEAT: int,
    MIN_DEALS: Annotated[int, Meta(ge=1)],
    BY: Unit,
}
"""What kind of value each filter has; the form of seasons is checked apart."""

_PARAMETERS: Final = (*FILTERS, SEAT, MIN_DEALS, BY, RULES)

ASKED: Final = tuple(name for name in _PARAMETERS if name not in (SEASON, RULES))
"""What SQL may name, be it told as a parameter or not: a plot of a statistic takes fewer than the statistic. A season
comes as its days.
"""

Finish: TypeAlias = Callable[[Answer, Mapping[str, Any]], Answer]
"""The rows of a statistic from what its SQL answers and the filters given."""

FINISHED: Final[Mapping[str, Finish]] = {"league": league, "rating-history": rating_history, "ratings": ratings}
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
    """What a filter may name, by the filter; each is one .sql file under `sql/filters/`."""
    return _questions("filters")


def statistic_named(name: str, lang: str = "en") -> Statistic:
    """The statistic of that name, told in a language; raises `NotFoundError` naming those that there are."""
    known = _questions("statistics")
    if name not in known:
        told = hint(name, known, phrase("statistic.there_are", known=tuple(known)))
        raise NotFoundError("not_found", phrase("statistic.no_such", text=name, hint=told), known=tuple(known))
    return _told(known[name], name, lang)


def checked_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the filters with values of their kinds: days as dates. What is None is not given.

    Raises `MalformedError` for a value that a filter cannot have.
    """
    values = {key: value.date() if isinstance(value, datetime) else value for key, value in given.items()}
    return {
        key: value if value is None or key not in _KINDS else converted(value, _KINDS[key], key)
        for key, value in values.items()
    }


def check_parameters(statistic: Question, given: Mapping[str, Any]) -> None:
    """Raises `NotFoundError` for a filter that the statistic does not take, for a seat that does not exist, and for
    rules that it cannot do without; `MalformedError` for a value that a filter cannot have. What is None is not given.
    """
    name, known = statistic.name, statistic.parameters
    for key, value in given.items():
        if value is not None and key not in known:
            takes = phrase("statistic.takes_no", statistic=name, text=key, known=tuple(known))
            raise NotFoundError("unknown_parameter", takes)
    checked_values(given)
    if given.get(SEAT) is not None and given[SEAT] not in range(MAX_SEATS):
        raise NotFoundError("not_found", phrase("statistic.no_seat", text=str(given[SEAT]), last=MAX_SEATS - 1))
    check_season(given)
    if RULES in known and given.get(RULES) is None:
        raise NotFoundError("usage", phrase("statistic.needs_rules", statistic=name, text=RULES))


@cache
def _questions(folder_name: str) -> dict[str, Question]:
    folder = files("ledger.history").joinpath("sql", folder_name)
    names = sorted(file.name.removesuffix(".sql") for file in folder.iterdir() if file.name.endswith(".sql"))
    return {name: _read(name, folder.joinpath(f"{name}.sql").read_text(encoding="utf-8")) for name in names}


def _read(name: str, sql: str) -> Question:
    """A file as its head tells it; what stands there before the filters is for those who read the file."""
    head = _HEAD.match(sql)[0].replace("--", "")  # type: ignore[index]  # a head may be empty
    _, has_parameters, told = head.partition("parameters:")
    assert has_parameters, f"{name}.sql: its head tells the parameters"
    parameters, _, columns = told.partition("columns:")
    names = tuple(parameters.split())
    assert set(names) <= {*_PARAMETERS}, f"{name}.sql: unknown parameters"
    return Question(name=name, parameters=names, column_names=tuple(columns.split()), sql=sql)


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
    notes: list[str] = [parameter for parameter in (BY, MIN_DEALS) if parameter in question.parameters]
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
