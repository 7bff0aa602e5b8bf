"""The tables of the read model, as the .sql files state them, and how one of another make is recognised.

What they mean stands in the catalogue; the database says it in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import Final

import duckdb
from duckdb import DuckDBPyConnection
from msgspec import Struct

from ledger.history.model.meanings import column_meaning, row_meaning

_SCHEMA_FILES: Final = tuple(
    f"schema/{name}.sql" for name in ("ledger", "sittings", "deals", "actions", "judgements", "functions")
)
"""In the order in which they are run, and their tables listed."""

_CREATED: Final = re.compile(r"^CREATE (TABLE|VIEW) (\w+)", re.MULTILINE)

ROWS_VERSION: Final = 2
"""To be raised when the same log gives other rows though the .sql files are the same."""


class HistoryHead(Struct, frozen=True):
    """Up to where a read model tells: position and digest (64 hexadecimal digits) of the last entry in it."""

    position: int
    digest: str


class Meta(Struct, frozen=True):
    """The one row of `meta`."""

    schema_version: str
    ledger_id: str | None
    head: HistoryHead


def sql(name: str) -> str:
    """The text of a file under `sql/`."""
    return _read("sql", name)


def _read(*path: str) -> str:
    return files("ledger.history").joinpath(*path).read_text(encoding="utf-8")


@cache
def schema_version() -> str:
    """Which make of the read model this program builds; another schema, other words or another program make another."""
    stated = [*map(sql, _SCHEMA_FILES), _read("model", "messages", "en.toml")]
    fingerprint = sha256("".join(stated).encode()).hexdigest()[:12]
    try:
        program = version("trickledger")  # other rules may score the same log otherwise
    except PackageNotFoundError:
        program = "0"
    return f"{ROWS_VERSION}-{fingerprint}-{program}"


def create_tables(connection: DuckDBPyConnection) -> None:
    """Make all tables, views and functions, empty; in one transaction, as each comment by itself would be a commit."""
    connection.execute("BEGIN")
    statements = "".join(map(sql, _SCHEMA_FILES))
    connection.execute(statements)
    connection.execute("PRAGMA disable_optimizer")  # a tenth less: it would look at each comment
    connection.execute("".join(_comments(connection, statements)))
    connection.execute("PRAGMA enable_optimizer")
    connection.execute("COMMIT")


def _comments(connection: DuckDBPyConnection, statements: str) -> Iterator[str]:
    """What makes the database say what the tables and views mean that the statements have made."""
    for kind, table in _CREATED.findall(statements):
        yield f"COMMENT ON {kind} {table} IS {_literal(row_meaning(table))};"
        for column in column_types(connection, table):
            yield f"COMMENT ON COLUMN {table}.{column} IS {_literal(column_meaning(table, column))};"


def _literal(text: str | None) -> str:
    return "NULL" if text is None else "'" + text.replace("'", "''") + "'"


def column_types(connection: DuckDBPyConnection, table: str) -> dict[str, str]:
    """The columns of a table with their types. To look into `duckdb_columns()` would take 15 ms."""
    relation = connection.table(table)
    return dict(zip(relation.columns, map(str, relation.types), strict=True))


def has_tables(connection: DuckDBPyConnection) -> bool:
    """Whether there is any table, ours or not."""
    found = "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() LIMIT 1"
    return connection.execute(found).fetchone() is not None


def read_meta(connection: DuckDBPyConnection) -> Meta | None:
    """What the read model says of itself; None where it is none of ours."""
    try:
        found = connection.execute("SELECT schema_version, ledger_id, log_position, digest FROM meta").fetchone()
    except (duckdb.CatalogException, duckdb.BinderException):
        return None
    if found is None:
        return None
    make, ledger_id, position, digest = found
    return Meta(make, ledger_id, HistoryHead(position, digest))


def write_meta(connection: DuckDBPyConnection, meta: Meta) -> None:
    connection.execute("DELETE FROM meta")
    connection.execute(
        "INSERT INTO meta VALUES ($1, $2, $3, $4)",
        [meta.schema_version, meta.ledger_id, meta.head.position, meta.head.digest],
    )
