"""A statistic for each value of a filter, and the comparison of two selections of deals."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import hypot
from typing import Any, Final, TypeAlias

from msgspec import structs

from ledger.errors import MalformedError, NotFoundError
from ledger.history.catalogue import phrase
from ledger.history.questions.answers import Answer
from ledger.history.questions.filters import FILTERS, WEEKDAYS, Filters, season_named
from ledger.history.questions.history import History, StatisticAnswer
from ledger.history.questions.statistics import NamedQuery, check_parameters, check_takes, group_queries
from ledger.names import hint

GROUPS: Final = ("season", "place", "weekday", "seat")
"""The filters whose values can group rows."""

GROUP: Final = "group"
"""The first column of grouped rows: the value of the filter."""

NAMING: Final = frozenset((
    GROUP, "player", "partner_player", "opponent_player", "game", "table_name", "contract", "role", "place_from_dealer",
    "trump", "card", "exchanged", "called_card", "step", "word", "losing_side", "factor",
))  # fmt: skip
"""The columns that identify a row with an interval in its statistic."""

_COUNTS: Final = ("deals", "played", "led", "plays", "tables")
"""Columns with the number of observations: the first of these that a statistic has."""

_DIGITS: Final = 3

Interval: TypeAlias = tuple[float, float, float]
"""An estimate with its lower and upper bound."""


def check_selections(statistic: NamedQuery, filters: Filters) -> None:
    """Raise the errors of `check_parameters`, and `NotFoundError` for an impossible grouping or comparison.

    A comparison needs intervals, and another filter than the one that groups the rows.
    """
    check_parameters(statistic, filters)
    group_by, replaced = filters.group_by, filters.compare
    if group_by is not None and group_by not in GROUPS:
        raise NotFoundError("not_found", phrase("statistic.no_group", text=group_by, known=GROUPS), known=GROUPS)
    if group_by is not None:
        check_takes(statistic, group_by)
    if not replaced:
        return
    for name, value in replaced.items():
        if value is not None:
            check_takes(statistic, name)
    check_parameters(statistic, structs.replace(filters, **replaced))
    estimates = intervals(statistic.column_names)
    if not estimates:
        raise NotFoundError("unknown_parameter", phrase("statistic.no_intervals", statistic=statistic.name))
    games = filters.game, replaced.get("game")
    if None not in games and games[0] != games[1] and not _shares(estimates):
        raise NotFoundError("unknown_parameter", phrase("statistic.points_of_games", one=games[0], other=games[1]))
    if group_by in replaced:
        raise NotFoundError("unknown_parameter", phrase("statistic.grouped", text=group_by))


def typed_filters(words: Iterable[str]) -> dict[str, list[str]]:
    """Return the values of filters that were typed as FILTER=VALUE, by filter; only `option` may have several.

    Raise `MalformedError` for other words and a filter named twice, `NotFoundError` for an unknown filter.
    """
    typed: dict[str, list[str]] = {}
    for word in words:
        name, is_pair, value = word.partition("=")
        if not is_pair or not value:
            raise MalformedError(phrase("statistic.no_pair"), phrase("statistic.pair"), word, field="compare")
        if name not in COMPARABLE:
            there_are = hint(name, COMPARABLE, phrase("statistic.there_are", known=COMPARABLE))
            raise NotFoundError("not_found", phrase("statistic.no_filter", text=name, hint=there_are), known=COMPARABLE)
        if name in typed and name != "option":
            raise MalformedError(phrase("filter.twice"), text=word, field="compare")
        typed.setdefault(name, []).append(value)
    return typed


COMPARABLE: Final = (*FILTERS, "seat")
"""The filters that may differ between two selections."""


def group_statistic(history: History, name: str, filters: Filters) -> StatisticAnswer:
    """Return a statistic; with `group_by` once for each value of that filter, in the first column."""
    group_by = filters.group_by
    if group_by is None:
        return history.statistic(name, filters)
    values = list(_values(history, filters, group_by))
    answers = [history.statistic(name, structs.replace(filters, **{group_by: value})) for value in values or [None]]
    first = answers[0]
    answer = Answer(
        [GROUP, *first.answer.columns],
        ["INTEGER" if group_by == "seat" else "VARCHAR", *first.answer.types],
        [(value, *row) for value, one in zip(values, answers, strict=False) for row in one.answer.rows],
    )
    held = {key: value for key, value in first.filters.items() if getattr(filters, key) is not None}
    return structs.replace(first, answer=answer, filters=held)


def _values(history: History, filters: Filters, group_by: str) -> Iterator[Any]:
    """Yield the values of the filter; only the given one, if there is one."""
    given = getattr(filters, group_by)
    if given is not None:
        yield season_named(given, filters.season_from) if group_by == "season" else given
    elif group_by == "weekday":
        yield from WEEKDAYS
    else:
        query = group_queries()[group_by]
        query_filters = Filters(**{key: getattr(filters, key) for key in query.parameters})
        yield from (value for (value,) in history.answer_to(query, query_filters).answer.rows)


def compare_statistics(first: StatisticAnswer, second: StatisticAnswer) -> StatisticAnswer:
    """Return both estimates of each column with an interval, their difference and its interval, row by row.

    Rows are matched by the columns that identify them, except filters that differ between the selections. For two games
    only shares are compared: a point of one game is not a point of the other.
    """
    columns, types = first.answer.columns, dict(zip(first.answer.columns, first.answer.types, strict=True))
    own = {key for key in ("player", "game") if first.filters.get(key) != second.filters.get(key)}
    own = {key for key in own if key in first.filters and key in second.filters}
    named = [column for column in columns if column in NAMING - own]
    count = next((column for column in _COUNTS if column in columns), None)
    estimates = _shares(intervals(columns)) if "game" in own else intervals(columns)
    rows, others = (_by_name(one.answer, named) for one in (first, second))
    compared_rows: list[tuple[Any, ...]] = []
    for key in dict.fromkeys((*rows, *others)):
        row, other = rows.get(key, {}), others.get(key, {})
        counted = [row.get(count, 0), other.get(count, 0)] if count else []
        figures = [_difference(_interval(row, one), _interval(other, one)) for one in estimates]
        compared_rows.append((*key, *counted, *(figure for figures_of_one in figures for figure in figures_of_one)))
    answer = Answer(
        [*named, *_columns_of(count, estimates)],
        [types[column] for column in named] + (["BIGINT"] * 2 if count else []) + ["DOUBLE"] * 5 * len(estimates),
        compared_rows,
    )
    return structs.replace(first, answer=answer, compared_filters=second.filters)


def _columns_of(count: str | None, estimates: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    if count:
        yield from (count, f"{count}_compared")
    for estimate, _, _ in estimates:
        yield estimate
        yield from (f"{estimate}_{ending}" for ending in ENDINGS)


ENDINGS: Final = ("compared", "difference", "difference_low", "difference_high")
"""Endings of the columns that a comparison adds to an estimate."""


def intervals(columns: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return the columns of estimates with those of their bounds, which follow them: `low`, `high` or names that end
    so.
    """
    columns_of_estimates = []
    for at, low in enumerate(columns):
        if low == "low" or low.endswith("_low"):
            estimate = columns[at - 2] if columns[at - 1] == "uncertainty" else columns[at - 1]
            columns_of_estimates.append((estimate, low, columns[at + 1]))
    return columns_of_estimates


def _shares(estimates: Sequence[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    return [columns for columns in estimates if columns[0].startswith("share")]


def _by_name(answer: Answer, named: Collection[str]) -> dict[tuple[Any, ...], dict[str, Any]]:
    return {tuple(row[column] for column in named): row for row in answer.objects()}


def _interval(row: Mapping[str, Any], columns: tuple[str, str, str]) -> tuple[float | None, ...]:
    return tuple(None if row.get(column) is None else float(row[column]) for column in columns)


def _difference(one: tuple[float | None, ...], other: tuple[float | None, ...]) -> tuple[float | None, ...]:
    """Return both estimates, the first less the second, and the bounds of that difference; unknown values are None."""
    first, second = one[0], other[0]
    if first is None or second is None:
        return first, second, None, None, None
    difference = round(first - second, _DIGITS)
    if None in (*one, *other):
        return first, second, difference, None, None
    low, high = difference_bounds(one, other)  # type: ignore[arg-type]  # none of them is None
    return first, second, difference, round(low, _DIGITS), round(high, _DIGITS)


def difference_bounds(one: Interval, other: Interval) -> tuple[float, float]:
    """Return the bounds of the difference of two estimates, recovered from their intervals.

    MOVER: R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890, method 10; G. Y. Zou and A. Donner, ibid. 27 (2008)
    1693-1702.
    """
    (first, low, high), (second, other_low, other_high) = one, other
    difference = first - second
    return difference - hypot(first - low, other_high - second), difference + hypot(high - first, second - other_low)
