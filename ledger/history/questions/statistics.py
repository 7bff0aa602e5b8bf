"""The statistics by name. Each is one .sql file under `sql/statistics/`; a new file there is a new statistic.

A file begins with one sentence, then the filters that it takes (`-- parameters: player game …`), which its SQL names
`$player`, `$game` and so on; None where a filter is not given. Then it says in comments what one row is, and of each
column what it says (`--   place: 1 is the best`). What SQL cannot do is finished in Python (`FINISHED`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, TypeAlias

from msgspec import Struct

from ledger.errors import NotFoundError
from ledger.history.questions.answer import Answer
from ledger.history.questions.league import league
from ledger.history.questions.ratings import rating_history, ratings
from ledger.history.words import phrase

FILTERS: Final = ("player", "game", "since", "until", "session")
"""All filters that a statistic may take."""

RULES: Final = "rules"
"""The parameter for `LeagueRules`, which is no filter: what takes it cannot do without."""

Finish: TypeAlias = Callable[[Answer, Mapping[str, Any]], Answer]
"""The rows of a statistic from what its SQL answers and the filters given."""

FINISHED: Final[Mapping[str, Finish]] = {"league": league, "rating-history": rating_history, "ratings": ratings}
"""Statistics that SQL only begins."""

_PARAMETERS: Final = "parameters:"
_COLUMN: Final = re.compile(r"^--   (\w+): (.+)$")


class Statistic(Struct, frozen=True, kw_only=True):
    """One statistic: what it tells, which filters it takes, what one row and each column is, and its SQL."""

    name: str
    sentence: str
    parameters: tuple[str, ...]
    row: str
    columns: dict[str, str]
    sql: str


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


@cache
def statistics() -> dict[str, Statistic]:
    """All statistics by name."""
    return _questions("statistics")


@cache
def plot_questions() -> dict[str, Statistic]:
    """What is asked for plots alone, by name, in the same form; each is one .sql file under `sql/plots/`."""
    return _questions("plots")


@cache
def report_questions() -> dict[str, Statistic]:
    """What is asked for session reports alone, by name; each is one .sql file under `sql/reports/`."""
    return _questions("reports")


@cache
def filter_questions() -> dict[str, Statistic]:
    """What a filter may name, by the filter; each is one .sql file under `sql/filters/`."""
    return _questions("filters")


def _questions(folder_name: str) -> dict[str, Statistic]:
    folder = files("ledger.history").joinpath("sql", folder_name)
    found = [file for file in folder.iterdir() if file.name.endswith(".sql")]
    read = [_read(file.name.removesuffix(".sql"), file.read_text(encoding="utf-8")) for file in found]
    return {statistic.name: statistic for statistic in sorted(read, key=lambda statistic: statistic.name)}


def statistic_named(name: str) -> Statistic:
    """The statistic of that name; raises `NotFoundError` naming those that there are."""
    found = statistics().get(name)
    if found is None:
        raise NotFoundError("not_found", phrase("statistic.no_such", text=name, known=tuple(statistics())))
    return found


def check_parameters(statistic: Statistic, given: Mapping[str, Any]) -> None:
    """Raises `NotFoundError` for a filter that the statistic does not take, and for rules that it cannot do without.

    What is None is not given.
    """
    name, known = statistic.name, statistic.parameters
    for key, value in given.items():
        if value is not None and key not in known:
            takes = phrase("statistic.takes_no", statistic=name, text=key, known=tuple(known))
            raise NotFoundError("unknown_parameter", takes)
    if RULES in known and given.get(RULES) is None:
        raise NotFoundError("usage", phrase("statistic.needs_rules", statistic=name, text=RULES))


def _read(name: str, sql: str) -> Statistic:
    head = sql[: re.search(r"^(?!--)", sql, re.MULTILINE).start()].splitlines()  # type: ignore[union-attr]  # SQL follows
    sentence, parameters = (line.removeprefix("--").strip() for line in head[:2])
    assert parameters.startswith(_PARAMETERS), f"{name}.sql: the second line tells the parameters"
    names = tuple(parameters.removeprefix(_PARAMETERS).split())
    assert set(names) <= {*FILTERS, RULES}, f"{name}.sql: unknown parameters"
    columns = {match[1]: match[2] for line in head if (match := _COLUMN.match(line))}
    prose = [line.removeprefix("--").strip() for line in head[2:] if not _COLUMN.match(line)]
    row = " ".join(filter(None, prose))
    return Statistic(name=name, sentence=sentence, parameters=names, row=row, columns=columns, sql=sql)
