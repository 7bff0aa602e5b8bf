"""The statements of queries: their SQL with the conditions of the given filters only.

DuckDB plans a statement over some thousand deals longer than it runs it, by the size of what is written there. So
filters that are not given are left out, and each statement is parsed once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from typing import Any, Final

import msgspec
from duckdb import DuckDBPyConnection, Statement
from msgspec import structs

from ledger.games import registered_games
from ledger.history.questions.filters import Filters, within_season
from ledger.history.questions.statistics import SQL_PARAMETERS, NamedQuery

_TEAMS: Final = "teams"
"""The additional parameter of statistics about players who play together."""

_CALLS: Final = "calls"
"""The additional parameter of statistics about contracts that can be called."""

_CACHED: Final = 1_000

_OF_DEALS: Final = ("game", "session", "since", "until", "weekday")

_FILTERED: Final = re.compile(
    r"\b(chosen_deals|complete_deals|scored_deals|counted_points)"
    r"\(([^()]*), \$option, \$place, \$weekday(?:, (\$seat))?\)"
)
"""A call of one of the macros with filters, with the arguments that `with_filters` writes."""

_CONDITIONS: Final[Mapping[str, str]] = {
    "game": "game = {}",
    "session": "session = {}",
    "since": "played_on >= {}::DATE",
    "until": "played_on <= {}::DATE",
    "weekday": "isodow(played_on) = list_position(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], {})",
    "seat": "seat = {}",
}
"""The condition of each filter, as in the macros."""

_OPTIONAL: Final = re.compile(
    r"\(\$(?P<within>\w+)::\w+ IS NULL OR (?P<all>(?:[^()]|\([^()]*\))+)\)"
    r"|(?<=WHERE )\$(?P<line>\w+)::\w+ IS NULL OR (?P<rest>.+)"
)
"""A condition that holds if the filter is not given: in parentheses, or the whole line after WHERE."""

_WITHOUT_BY: Final = {
    "bounds_of(": "bounds_of_deals(",
    ", table_name, $by)": ")",
    ", deals.table_name, $by)": ")",
}
"""Parts of calls of macros. Without `by` both return the same, and the second takes less time to plan."""

_INTERVALS: Final = re.compile(r",\s+(?:amounts_of|bounds_of|round\(bounds\[).* AS (?:amounts|bounds|mean_\w+)")
"""The columns of a statistic that only the intervals of its means need."""

_HEAD: Final = re.compile(r"\A(?:--.*\n)+")
_PARTS_OF_SQL: Final = re.compile(r"--[^\n]*|'(?:[^']|'')*'|\$(?P<name>[a-z_]+)")


def statement_of(query: NamedQuery, filters: Filters) -> tuple[str, dict[str, Any]]:
    """Return the SQL of a query for these filters, and the values of its parameters."""
    within = within_season(filters)
    values = {name: getattr(within, name) for name in SQL_PARAMETERS}
    sql = _specialised(query.sql, frozenset(name for name, value in values.items() if value is not None))
    if values["option"] is not None:
        values["option"] = msgspec.json.encode(values["option"]).decode()
    parameters = {name: value for name, value in values.items() if f"${name}" in sql}
    if f"${_TEAMS}" in sql:
        parameters[_TEAMS] = _fixed_teams()
    if f"${_CALLS}" in sql:
        parameters[_CALLS] = _contract_calls()
    return sql, parameters


def without_intervals(query: NamedQuery) -> NamedQuery:
    """Return the query without the intervals of its means, which take a third of its time to plan."""
    return structs.replace(query, sql=_INTERVALS.sub("", query.sql))


def filled_sql(query: NamedQuery, filters: Filters) -> str:
    """Return the SQL of a query with these filters as literals: a complete statement."""
    sql, parameters = statement_of(query, filters)

    def filled(part: re.Match[str]) -> str:
        return part[0] if part["name"] is None else _literal(parameters[part["name"]])

    return _PARTS_OF_SQL.sub(filled, sql)


def parsed(connection: DuckDBPyConnection, sql: str) -> Statement:
    """Return the statement in a text; any connection of the process can execute it, any number of times."""
    statement = _parsed.get(sql)
    if statement is None:
        (statement,) = connection.extract_statements(sql)
        if len(_parsed) >= _CACHED:
            _parsed.clear()
        _parsed[sql] = statement
    return statement


_parsed: Final[dict[str, Statement]] = {}


@lru_cache(maxsize=_CACHED)
def _specialised(sql: str, given: frozenset[str]) -> str:
    """Return the SQL with the conditions of these filters, without the head of its file."""

    def chosen(call: re.Match[str]) -> str:
        macro, days, seat = call.groups()
        arguments = dict(zip(_OF_DEALS, (*days.split(", "), "$weekday"), strict=True)) | {"seat": seat or ""}
        conditions = [
            _CONDITIONS[name].format(argument)
            for name, argument in arguments.items()
            if argument.startswith("'") or argument.removeprefix("$") in given
        ]
        if not given.isdisjoint(("option", "place")):
            conditions.append("table_name IN (FROM tables_with($option, $place))")
        if not conditions:
            return f"{macro}()"
        return f"(SELECT * FROM {macro}() WHERE {' AND '.join(conditions)})"

    def optional(condition: re.Match[str]) -> str:
        if condition["within"] is None:
            return condition["rest"] if condition["line"] in given else "true"
        return f"({condition['all'] if condition['within'] in given else 'true'})"

    text = _FILTERED.sub(chosen, _HEAD.sub("", sql).strip())
    if "by" not in given:
        for general, special in _WITHOUT_BY.items():
            text = text.replace(general, special)
    return _OPTIONAL.sub(optional, text)


def _literal(value: object) -> str:
    """Return a filter's value as a literal of SQL."""
    match value:
        case None:
            return "NULL"
        case int():
            return str(value)
        case date():
            return f"DATE '{value.isoformat()}'"
    return "'" + str(value).replace("'", "''") + "'"


def _fixed_teams() -> str:
    """Return the number of fixed teams of each game that has them, by name, as JSON."""
    teams = {name: game.teams for name, game in registered_games().items() if game.teams}
    return msgspec.json.encode(teams).decode()


def _contract_calls() -> str:
    """Return the calls of each game, named by the contract that they bid for, by name of the game, as JSON."""
    games = registered_games()
    calls = {name: {call.removesuffix("_favour") for call in game.calls} for name, game in games.items()}
    return msgspec.json.encode(calls).decode()
