"""Comparison of a read model with a new one made from the ledger, table by table.

This finds even changes under a forged seal. Nothing is repaired.
"""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final

from duckdb import DuckDBPyConnection
from msgspec import UNSET, Struct, UnsetType, structs

from ledger.errors import UnreadableError
from ledger.history.catalogue import phrase
from ledger.history.model.catch_up import matches_log
from ledger.history.model.database import (
    NO_EXTENSIONS,
    DamagedError,
    connect_patiently,
    opened_file,
    translating_errors,
    unusable,
)
from ledger.history.model.projector import Progress, Task, advance, no_progress
from ledger.history.model.schema import HistoryHead, create_tables, read_meta
from ledger.i18n.library_errors import localised
from ledger.log.base import Head, LogStore
from ledger.log.bulk import Cut

_DEFINITIONS: Final = """
  WITH defined AS (
    SELECT database_name, table_name AS name, sql AS definition, comment FROM duckdb_tables()
    UNION ALL
    SELECT database_name, view_name, sql, comment FROM duckdb_views() WHERE NOT internal
    UNION ALL
    SELECT database_name, function_name, concat_ws(' ', parameters::VARCHAR, macro_definition), comment
    FROM duckdb_functions() WHERE NOT internal
    UNION ALL
    SELECT database_name, table_name, concat_ws(' ', column_index, column_name, data_type), comment
    FROM duckdb_columns() WHERE NOT internal
  )
  SELECT name, definition, comment FROM defined WHERE database_name = $database"""

_TABLES: Final = "SELECT table_name FROM duckdb_tables() WHERE database_name = 'fresh' ORDER BY table_oid"


class OtherDefinition(Struct, frozen=True):
    """A table, view or function whose definition or comment differs, or that is missing or not ours."""

    table: str


class OtherRows(Struct, frozen=True):
    """A table with `missing` rows too few and `surplus` rows too many; a changed row counts as both."""

    table: str
    missing: int
    surplus: int


class HistoryComparison(Struct, frozen=True, kw_only=True):
    """The number of compared tables, the last log entry in them, and the first difference, if any."""

    head: HistoryHead
    tables: int
    difference: OtherDefinition | OtherRows | None


class HistoryDifference(Struct, frozen=True, kw_only=True):
    """The first table that differs, with a sentence; if its rows differ, how many are missing and how many are too
    many.
    """

    table: str
    what: str
    missing: int | UnsetType = UNSET
    surplus: int | UnsetType = UNSET


class VerifyHistoryAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `verify --history`: whether the read model is what the ledger makes.

    `position`, `digest`: the last ledger entry in the read model. `tables`: the number of compared tables.
    """

    agrees: bool
    position: int
    digest: str
    tables: int
    difference: HistoryDifference | None


def compare(store: LogStore, path: Path, *, progress: Progress | None = None, workers: int = 1) -> HistoryComparison:
    """Compare the read model with one that is made in a temporary folder, up to the same entry.

    `workers` as in `catch_up`. Raise `UnreadableError` if the read model is missing, or of another ledger or program
    version, or if the disk has no room for another one, and `ConflictError` if another process uses it.
    """
    if not path.exists():
        raise UnreadableError("no_ledger", phrase("model.missing", file=path))
    try:
        with tempfile.TemporaryDirectory(prefix="trickledger-") as folder, translating_errors(path):
            fresh = Task(
                store=store, path=Path(folder) / "fresh.duckdb", progress=progress or no_progress, workers=workers
            )
            return _compared(path, fresh)
    except DamagedError as error:
        raise unusable(path, str(error)) from error
    except OSError as error:
        why = localised(error.strerror)
        raise UnreadableError("disk", phrase("model.cannot_be_made", file=tempfile.gettempdir(), why=why)) from error


def _compared(path: Path, task: Task) -> HistoryComparison:
    """Compare the read model with a new one, which follows if another process catches up the old one meanwhile."""
    made, fresh = HistoryHead(-1, ""), task.path
    while True:
        with closing(connect_patiently(path, NO_EXTENSIONS, readonly=True)) as connection:
            meta = read_meta(connection)
            if meta is None or not matches_log(meta, task.store):
                raise UnreadableError("no_ledger", phrase("model.of_another", file=path))
            if meta.head == made and (meta.persons, meta.zone) == (task.persons, task.zone):
                return _comparison(connection, fresh, made)
        with opened_file(fresh) as connection:
            if made.position < 0:
                create_tables(connection)
            until = Cut(Head(meta.head.position, bytes.fromhex(meta.head.digest or "")))
            task = structs.replace(task, cut=until, persons=meta.persons, zone=meta.zone)
            made = advance(connection, task, max(made.position, 0))


def _comparison(connection: DuckDBPyConnection, fresh: Path, head: HistoryHead) -> HistoryComparison:
    quoted = str(fresh).replace("'", "''")
    (stored,) = connection.execute("SELECT current_database()").fetchone() or ("",)
    connection.execute(f"ATTACH '{quoted}' AS fresh (READ_ONLY)")
    tables = [table for (table,) in connection.execute(_TABLES).fetchall()]
    difference = _first_definition(connection, stored) or _first_rows(connection, stored, tables)
    return HistoryComparison(head=head, tables=len(tables), difference=difference)


def _first_definition(connection: DuckDBPyConnection, stored: str) -> OtherDefinition | None:
    ours, made = (set(connection.execute(_DEFINITIONS, {"database": name}).fetchall()) for name in (stored, "fresh"))
    names = [name for name, *_ in ours ^ made]
    return OtherDefinition(min(names)) if names else None


def _first_rows(connection: DuckDBPyConnection, stored: str, tables: list[str]) -> OtherRows | None:
    """Return the first table whose rows differ; compare single rows only if the sums differ, to save memory."""
    for table in tables:
        ours, made = f'"{stored}".main.{table}', f"fresh.main.{table}"
        if _sum(connection, ours) != _sum(connection, made):
            return OtherRows(table, _count_without(connection, made, ours), _count_without(connection, ours, made))
    return None


def _sum(connection: DuckDBPyConnection, table: str) -> tuple[int, int | None]:
    """Return the number of rows and the sum of their hashes."""
    row = connection.execute(f"SELECT count(*), sum(hash(row)) FROM {table} AS row").fetchone()
    assert row is not None, "an aggregate answers one row"
    count, hashes = row
    return count, hashes


def _count_without(connection: DuckDBPyConnection, table: str, other: str) -> int:
    """Return how many rows of a table the other one lacks."""
    row = connection.execute(f"SELECT count(*) FROM (FROM {table} EXCEPT ALL FROM {other})").fetchone()
    assert row is not None, "an aggregate answers one row"
    count: int = row[0]
    return count
