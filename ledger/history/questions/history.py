"""The open read model, for statistics and SQL. Queries cannot change it, nor reach files or the network.

Statistics are ours and run in this process; SQL from users runs in the sandbox.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import date
from pathlib import Path
from threading import Event
from typing import Any, BinaryIO, Final

import msgspec
from duckdb import DuckDBPyConnection
from msgspec import Struct, structs

from ledger.errors import UnreadableError
from ledger.games import registered_games
from ledger.history.catalogue import phrase
from ledger.history.model.database import (
    READING_ONLY,
    WAIT_S,
    DamagedError,
    infrequent_gc,
    not_a_read_model,
    refused_by_system,
    translating_errors,
)
from ledger.history.model.integrity import open_sealed
from ledger.history.model.schema import HistoryHead, column_meaning, read_meta, read_persons, row_meaning
from ledger.history.questions.answers import Answer
from ledger.history.questions.filters import ALL, FILTERS, Filters, within_season
from ledger.history.questions.statistics import (
    POSTPROCESSORS,
    SQL_PARAMETERS,
    NamedQuery,
    check_parameters,
    statistic_named,
)
from ledger.history.sandbox.runner import DEFAULT_BOUNDS, Bounds, Source, run_query, run_query_to_parquet

_DESCRIPTION: Final = """
  WITH described AS (
    SELECT database_oid, table_oid, table_name, comment FROM duckdb_tables()
    UNION ALL
    SELECT database_oid, view_oid, view_name, comment FROM duckdb_views() WHERE NOT internal
  )
  SELECT table_name, described.comment, column_name, data_type, columns.comment
  FROM duckdb_columns() AS columns JOIN described USING (database_oid, table_oid, table_name)
  WHERE database_name = current_database() AND schema_name = current_schema()
  ORDER BY table_oid, column_index"""


_TEAMS: Final = "$teams"
"""The additional parameter of statistics about players who play together."""

_CALLS: Final = "$calls"
"""The additional parameter of statistics about contracts that can be called."""

_BOUNDS: Final = "bounds_of("
_BOUNDS_OF_DEALS: Final = "bounds_of_deals("
"""Calls of macros in SQL. Without `by` both return the same, and the second takes less time to plan."""


class StatisticAnswer(Struct, frozen=True, kw_only=True):
    """A statistic as of the last entry that it rests on; no digest if a service holds earlier entries back.

    `filters`: the active ones; `compared_filters`: those of the selection that it is compared with.
    """

    name: str
    position: int
    digest: str | None
    answer: Answer
    filters: Mapping[str, Any] = {}
    compared_filters: Mapping[str, Any] = {}


class StatisticRows(Struct, frozen=True, kw_only=True):
    """Answer of `stats NAME`: the rows as objects by their columns, which `stats NAME --explain` explains.

    `position`, `digest`: the last entry of the ledger that the statistic rests on. A service that holds earlier entries
    back gives no digest.
    """

    name: str
    position: int
    digest: str | None
    rows: list[dict[str, Any]]


class Column(Struct, frozen=True, kw_only=True):
    """A column, its type in SQL, and its meaning."""

    name: str
    type: str
    meaning: str


class TableDescription(Struct, frozen=True, kw_only=True):
    """A table or view of the read model and the meaning of one row."""

    table: str
    meaning: str
    columns: list[Column]


class History:
    """A read model, open for queries. `head` is the last log entry in it.

    Once `stop` is set, the sandbox ends its queries without an answer. `files`: those that its views read.
    """

    def __init__(
        self,
        connection: DuckDBPyConnection,
        path: Path,
        head: HistoryHead,
        stop: Event | None = None,
        files: Sequence[str] = (),
    ) -> None:
        self._connection = connection
        self._path = path
        self._stop = stop
        self._source = Source(path, files)
        self.head = head

    def query(self, sql: str, bounds: Bounds = DEFAULT_BOUNDS) -> Answer:
        """Return the answer to one reading SQL statement, as of `head`, with values as JSON has them.

        Every statement runs in the sandbox. Raise `QueryError` for one that does more than read, for faulty SQL, and
        for one that exceeds the bounds.
        """
        columns, types, rows = run_query(self._source, sql, bounds, self._stop)
        return Answer(_distinct_names(columns), types, rows)

    def query_to_parquet(self, sql: str, file: BinaryIO, bounds: Bounds = DEFAULT_BOUNDS) -> None:
        """Write the answer of `query` as a Parquet file, in the types that SQL gave it."""
        run_query_to_parquet(self._source, sql, bounds, file, self._stop)

    def statistic(self, name: str, filters: Filters = ALL) -> StatisticAnswer:
        """Return a statistic of one selection; `rules` as `read_league_rules` returns them.

        Raise `NotFoundError` for an unknown name, for a filter that the statistic does not accept, and for missing
        league rules.
        """
        statistic = statistic_named(name)
        with infrequent_gc():
            result = self.answer_to(statistic, filters)
            if name not in POSTPROCESSORS:
                return result
            return structs.replace(result, answer=POSTPROCESSORS[name](result.answer, filters))

    def answer_to(self, statistic: NamedQuery, filters: Filters = ALL) -> StatisticAnswer:
        """Return the answer of the statistic's SQL. Raise the errors of `check_parameters`."""
        check_parameters(statistic, filters)
        with translating_errors(self._path):
            sql = statistic.sql if filters.by is not None else statistic.sql.replace(_BOUNDS, _BOUNDS_OF_DEALS)
            answer = self._answer(sql, parameters_of(statistic, filters))
        return StatisticAnswer(
            name=statistic.name,
            position=self.head.position,
            digest=self.head.digest,
            answer=answer,
            filters={key: value for key, value in filters.given().items() if key in (*FILTERS, "seat")},
        )

    def persons(self) -> dict[str, str]:
        """Return the person of each linked spelling."""
        with translating_errors(self._path):
            return read_persons(self._connection)

    def tables(self, lang: str = "en") -> list[TableDescription]:
        """Return all tables and views with their columns and meanings in a language, in the order of the schema."""
        with translating_errors(self._path):
            return [with_meanings(table, lang) for table in described_tables(self._connection)]

    def _answer(self, sql: str, parameters: Mapping[str, Any] | None) -> Answer:
        cursor = self._connection.execute(sql, None if parameters is None else dict(parameters))
        described = cursor.description or ()
        columns, types = _distinct_names([name for name, *_ in described]), [str(kind) for _, kind, *_ in described]
        return Answer(columns, types, cursor.fetchall())


def parameters_of(query: NamedQuery, filters: Filters) -> dict[str, Any]:
    """Return the values of the parameters that the SQL of a query names."""
    within = within_season(filters)
    parameters = {key: getattr(within, key) for key in SQL_PARAMETERS if f"${key}" in query.sql}
    if parameters.get("option") is not None:
        parameters["option"] = msgspec.json.encode(parameters["option"]).decode()
    if _TEAMS in query.sql:
        parameters[_TEAMS.removeprefix("$")] = _fixed_teams()
    if _CALLS in query.sql:
        parameters[_CALLS.removeprefix("$")] = _contract_calls()
    return parameters


_PARTS_OF_SQL: Final = re.compile(r"--[^\n]*|'(?:[^']|'')*'|\$(?P<name>[a-z_]+)")
_HEAD: Final = re.compile(r"\A(?:--.*\n)+")


def filled_sql(query: NamedQuery, filters: Filters) -> str:
    """Return the SQL of a query with these filters as literals, without the head of its file: a complete statement."""
    literals = {name: _literal(value) for name, value in parameters_of(query, filters).items()}

    def filled(part: re.Match[str]) -> str:
        return part[0] if part["name"] is None else literals[part["name"]]

    return _PARTS_OF_SQL.sub(filled, _HEAD.sub("", query.sql)).strip()


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


def described_tables(connection: DuckDBPyConnection) -> list[TableDescription]:
    """Return all tables and views of a database with their columns, in the order of their creation."""
    described: dict[str, TableDescription] = {}
    for table, meaning, column, data_type, says in connection.execute(_DESCRIPTION).fetchall():
        if table not in described:
            described[table] = TableDescription(table=table, meaning=meaning or "", columns=[])
        described[table].columns.append(Column(name=column, type=data_type, meaning=says or ""))
    return list(described.values())


def with_meanings(table: TableDescription, lang: str) -> TableDescription:
    """Return the table with meanings in a language; keep those of the database that the catalogue lacks."""
    columns = [
        structs.replace(column, meaning=column_meaning(table.table, column.name, lang) or column.meaning)
        for column in table.columns
    ]
    return structs.replace(table, meaning=row_meaning(table.table, lang) or table.meaning, columns=columns)


@contextmanager
def open_history(path: Path, *, wait_s: float = WAIT_S) -> Iterator[History]:
    """Open a read model that was caught up; yield it for queries.

    Raise `ConflictError` if another process writes to it for longer than `wait_s`, and `UnreadableError` if it is
    missing, or if another program than catch-up wrote to it.
    """
    if not path.exists():
        raise UnreadableError("no_ledger", phrase("model.missing", file=path))
    with ExitStack() as stack:
        try:
            connection = stack.enter_context(open_sealed(path, READING_ONLY, wait_s=wait_s))
        except DamagedError as error:
            raise refused_by_system(path, str(error)) or not_a_read_model(path) from error
        with translating_errors(path):
            meta = read_meta(connection)
        if meta is None:
            raise not_a_read_model(path)
        yield History(connection, path, meta.head)


def _distinct_names(names: Sequence[str]) -> list[str]:
    """Return the column names; a repeated one gets a number, as in `deal_2`."""
    distinct: list[str] = []
    for name in names:
        number, candidate = 1, name
        while candidate in distinct:
            number += 1
            candidate = f"{name}_{number}"
        distinct.append(candidate)
    return distinct
