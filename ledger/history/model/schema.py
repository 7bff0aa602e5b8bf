"""The tables of the read model as the .sql files define them, and the version that identifies their schema.

The catalogue has their meanings; the database has the English ones as comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import Final

import duckdb
from duckdb import DuckDBPyConnection
from msgspec import Struct, structs

from ledger.history.model.card_facts import card_facts
from ledger.history.model.projections import projections
from ledger.i18n import catalogue
from ledger.zones import UTC

_SCHEMA_FILES: Final = tuple(
    f"schema/{name}.sql"
    for name in ("ledger", "sittings", "deals", "actions", "cards", "judgements", "intervals", "functions")
)
"""The files in the order of their execution and of the tables in lists."""

_OF_CUT: Final = "schema/held_back.sql"
"""The additional tables of a read model that leaves out the entries of open deals."""

_CREATED: Final = re.compile(r"^CREATE (TABLE|VIEW) (\w+)", re.MULTILINE)

_TABLE: Final = re.compile(r"^CREATE TABLE (?P<name>\w+) \(.*?^\);\n", re.MULTILINE | re.DOTALL)

ROWS_VERSION: Final = 6
"""To be raised when the same log makes other rows with unchanged .sql files."""


class HistoryHead(Struct, frozen=True):
    """The last log entry in a read model: its position and digest (64 hexadecimal digits).

    The digest is None if earlier entries are held back, because it would depend on them.
    """

    position: int
    digest: str | None


class HeldBack(Struct, frozen=True):
    """By stream, the first position that a read model leaves out; `last_id`: the id of its last entry."""

    since: Mapping[str, int]
    last_id: str | None


class Meta(Struct, frozen=True):
    """The row of `meta`, with the held-back positions if the read model has a cut, `persons` (the person of each linked
    spelling) and `zone` (the time zone of tables without a session).
    """

    schema_version: str
    ledger_id: str | None
    head: HistoryHead
    held_back: HeldBack | None = None
    persons: Mapping[str, str] = {}
    zone: str = UTC


def sql(name: str) -> str:
    """Return the text of a file under `sql/`."""
    return _read("sql", name)


def _read(*path: str) -> str:
    return files("ledger.history").joinpath(*path).read_text(encoding="utf-8")


@cache
def schema_version() -> str:
    """Return the version of the schema that this program builds.

    Another schema, other words, another program version or another order of the cards makes another version.
    """
    stated = [table_statements(), _read("model", "messages", "en.toml"), repr(card_facts())]
    fingerprint = sha256("".join(stated).encode()).hexdigest()[:12]
    try:
        program = version("trickledger")  # its rules may score the same log differently
    except PackageNotFoundError:
        program = "0"
    return f"{ROWS_VERSION}-{fingerprint}-{program}"


def table_statements() -> str:
    """Return the SQL that creates all tables, views and functions, those of further kinds of stream included."""
    return "".join((*map(sql, _SCHEMA_FILES), *(one.schema for one in projections())))


def bare_tables() -> str:
    """Return the SQL that creates all tables, without the views and functions, which take twice as long.

    Those of further kinds of stream may have any form, so with them it is the SQL of everything.
    """
    statements = table_statements()
    if any(one.schema for one in projections()):
        return statements
    return "".join(table[0] for table in _TABLE.finditer(statements))


@cache
def cut_version() -> str:
    """Return the schema version of a read model that leaves out the entries of open deals."""
    return f"{schema_version()}-{sha256(sql(_OF_CUT).encode()).hexdigest()[:12]}"


def create_tables(
    connection: DuckDBPyConnection, *, is_cut: bool = False, views: Mapping[str, str] | None = None
) -> None:
    """Create all tables, views and functions, empty; in one transaction, to avoid a commit for each comment.

    `views`: by table, the query of a view to create in its place.
    """
    connection.execute("BEGIN")
    statements = table_statements() + (sql(_OF_CUT) if is_cut else "")
    if views:
        statements = _TABLE.sub(lambda table: _view_or_table(table, views), statements)
    connection.execute(statements)
    connection.execute("PRAGMA disable_optimizer")  # saves a tenth: it would inspect each comment
    connection.execute("".join(_comments(connection, statements)))
    connection.execute("PRAGMA enable_optimizer")
    _write_card_facts(connection)
    connection.execute("COMMIT")


def _view_or_table(table: re.Match[str], views: Mapping[str, str]) -> str:
    query = views.get(table["name"])
    return table[0] if query is None else f"CREATE VIEW {table['name']} AS {query};\n"


def _write_card_facts(connection: DuckDBPyConnection) -> None:
    columns = [list(values) for values in zip(*map(structs.astuple, card_facts()), strict=True)]
    unnested = ", ".join(f"unnest(${number})" for number in range(1, len(columns) + 1))
    connection.execute(f"INSERT INTO card_facts SELECT {unnested}", columns)


def _comments(connection: DuckDBPyConnection, statements: str) -> Iterator[str]:
    """Yield the statements that store the meanings of all created tables and views as comments."""
    for kind, table in _CREATED.findall(statements):
        yield f"COMMENT ON {kind} {table} IS {_literal(row_meaning(table))};"
        for column in column_types(connection, table):
            yield f"COMMENT ON COLUMN {table}.{column} IS {_literal(column_meaning(table, column))};"


def _literal(text: str | None) -> str:
    return "NULL" if text is None else "'" + text.replace("'", "''") + "'"


def column_types(connection: DuckDBPyConnection, table: str) -> dict[str, str]:
    """Return the columns of a table with their types. A query of `duckdb_columns()` would take 15 ms."""
    relation = connection.table(table)
    return dict(zip(relation.columns, map(str, relation.types), strict=True))


def has_tables(connection: DuckDBPyConnection) -> bool:
    """Return whether the database has any table, ours or not."""
    query = "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() LIMIT 1"
    return connection.execute(query).fetchone() is not None


def read_meta(connection: DuckDBPyConnection) -> Meta | None:
    """Return the read model's metadata; None if the database is no read model."""
    try:
        row = connection.execute("SELECT schema_version, ledger_id, log_position, digest FROM meta").fetchone()
    except (duckdb.CatalogException, duckdb.BinderException):
        return None
    if row is None:
        return None
    make, ledger_id, position, digest = row
    held_back = _read_held_back(connection) if make == cut_version() else None
    head = HistoryHead(position, digest)
    if make not in (schema_version(), cut_version()):
        return Meta(make, ledger_id, head)
    return Meta(make, ledger_id, head, held_back, read_persons(connection), read_zone(connection))


def read_head(connection: DuckDBPyConnection) -> HistoryHead:
    """Return the last log entry in a read model, without the rest of its metadata, which takes five times as long."""
    row = connection.execute("SELECT log_position, digest FROM meta").fetchone()
    assert row is not None, "the file was opened as a read model"
    return HistoryHead(*row)


def read_persons(connection: DuckDBPyConnection) -> dict[str, str]:
    """Return the person of each linked spelling, as the read model has it."""
    return dict(connection.execute("SELECT spelling, player FROM player_links").fetchall())


def read_zone(connection: DuckDBPyConnection) -> str:
    """Return the time zone by which the read model counts days; UTC if it has no entry yet."""
    row = connection.execute("SELECT zone FROM meta").fetchone()
    return UTC if row is None else str(row[0])


def _read_held_back(connection: DuckDBPyConnection) -> HeldBack:
    since = connection.execute("SELECT stream, log_position FROM held_back").fetchall()
    last = connection.execute("SELECT id FROM last_entry").fetchone()
    return HeldBack(dict(since), None if last is None else last[0])


def write_meta(connection: DuckDBPyConnection, meta: Meta) -> None:
    """Replace the read model's metadata."""
    connection.execute("DELETE FROM meta")
    connection.execute(
        "INSERT INTO meta VALUES ($1, $2, $3, $4, $5)",
        [meta.schema_version, meta.ledger_id, meta.head.position, meta.head.digest, meta.zone],
    )
    if read_persons(connection) != meta.persons:
        connection.execute("DELETE FROM player_links")
        for link in meta.persons.items():
            connection.execute("INSERT INTO player_links VALUES ($1, $2)", list(link))
    if meta.held_back is None:
        return
    connection.execute("DELETE FROM held_back")
    for stream, position in sorted(meta.held_back.since.items()):
        connection.execute("INSERT INTO held_back VALUES ($1, $2)", [stream, position])
    connection.execute("DELETE FROM last_entry")
    connection.execute("INSERT INTO last_entry VALUES ($1)", [meta.held_back.last_id])


_PACKAGE: Final = "ledger.history.model"


def row_meaning(table: str, lang: str = "en") -> str | None:
    """Return the meaning of one row of the table; None if the catalogue does not have the table."""
    return _text(lang, f"{table}.row")


def column_meaning(table: str, column: str, lang: str = "en") -> str | None:
    """Return the meaning of the column in its table, else of columns with that name; None without either."""
    return _text(lang, f"{table}.{column}", f"column.{column}")


def column_unit(column: str, kind: str, lang: str = "en") -> str | None:
    """Return the unit of the column by its name, else by its SQL type; None if it has none."""
    return _text(lang, f"unit.{column}", f"unit.{kind.lower()}")


def _text(lang: str, *keys: str) -> str | None:
    words = catalogue(_PACKAGE, lang)
    return next((words[key].format() for key in keys if key in words), None)
