"""The open read model, for statistics and SQL. Queries cannot change it, nor reach files or the network.

Statistics are ours and run in this process; SQL from users runs in the sandbox.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event
from typing import Any, BinaryIO, Final

from duckdb import DuckDBPyConnection
from msgspec import Struct, structs

from ledger.errors import UnreadableError
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
from ledger.history.questions.filters import ALL, FILTERS, Filters
from ledger.history.questions.statements import parsed, statement_of
from ledger.history.questions.statistics import (
    POSTPROCESSORS,
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
            answer = self._answer(*statement_of(statistic, filters))
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

    def _answer(self, sql: str, parameters: Mapping[str, Any]) -> Answer:
        cursor = self._connection.execute(parsed(self._connection, sql), dict(parameters))
        described = cursor.description or ()
        columns, types = _distinct_names([name for name, *_ in described]), [str(kind) for _, kind, *_ in described]
        return Answer(columns, types, cursor.fetchall())


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
