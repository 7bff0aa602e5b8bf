"""Export of the read model as Parquet files, in Hive folders by game and year, for any other engine.

`dictionary.json` next to them describes each table and column: type, unit and meaning, in every language.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import duckdb
from duckdb import DuckDBPyConnection
from msgspec import Struct, json, structs

from ledger.errors import ConflictError, UnreadableError
from ledger.events import CONTRACT_VERSION
from ledger.history.catalogue import phrase
from ledger.history.model.database import NO_EXTENSIONS, not_a_read_model, translating_errors
from ledger.history.model.integrity import open_sealed
from ledger.history.model.schema import HistoryHead, Meta, column_meaning, column_unit, read_meta, row_meaning
from ledger.history.questions.history import Column, TableDescription, described_tables
from ledger.i18n import LANGUAGES

Progress: TypeAlias = Callable[[int, int], None]
"""Receives the number of written tables and their total."""

_KEY: Final = "table_name"
"""Tables with this column are partitioned, each row with its table; the others are one file each."""

_PARTITIONS: Final = {"game": "VARCHAR", "year": "BIGINT"}
"""The partition columns."""

_TAKEN_APART: Final = "deal_moves"
"""Left out, because views have all its content."""


class ParquetExport(Struct, frozen=True, kw_only=True):
    """The exported rows of each table, and the last log entry in them."""

    head: HistoryHead
    rows: dict[str, int]


def export_parquet(read_model: Path, folder: Path, *, progress: Progress | None = None) -> ParquetExport:
    """Write all tables and views into a new folder, which gets its name when it is complete.

    Rows of a table go to `NAME/game=…/year=…/*.parquet`, by that table's game and year; `sessions`, `players`,
    `player_links`, `card_facts` and `meta` to `NAME/data_0.parquet`. `dictionary.json` describes each column. Equal
    rows make equal files. Raise `ConflictError` if the folder exists or the read model is in use, `OSError` and
    `UnreadableError` if the folder cannot be written.
    """
    if folder.exists():
        raise ConflictError("exists", phrase("folder_exists", file=folder))
    folder = folder.resolve()
    draft = folder.with_name(f".{folder.name}.{os.getpid()}.new")
    try:
        draft.mkdir()
        with open_sealed(read_model, NO_EXTENSIONS) as connection:
            written = _write(connection, read_model, draft, progress or (lambda done, total: None))
        draft.rename(folder)
    except OSError as error:
        error.filename = str(folder)
        raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return written


def _write(connection: DuckDBPyConnection, read_model: Path, draft: Path, progress: Progress) -> ParquetExport:
    connection.execute("SET threads = 1")  # several would write rows in any order
    connection.execute("BEGIN")  # all tables as of one moment
    with translating_errors(read_model):
        meta = read_meta(connection)
        tables = [table for table in described_tables(connection) if table.table != _TAKEN_APART]
    if meta is None:
        raise not_a_read_model(read_model)
    dictionary = data_dictionary(meta, [_as_described(table) for table in tables])
    rows = {}
    for done, table in enumerate(tables):
        progress(done, len(tables))
        try:
            rows[table.table] = _write_table(connection, table, draft / table.table, dictionary.part(table.table))
        except duckdb.IOException as error:
            why = str(error).splitlines()[0]
            raise UnreadableError("disk", phrase("parquet_cannot_be_written", why=why)) from error
    (draft / FILE).write_bytes(dictionary.as_file())
    progress(len(tables), len(tables))
    return ParquetExport(head=meta.head, rows=rows)


def _as_described(table: TableDescription) -> DictionaryTable:
    """Return the table with the columns that its files have."""
    types = {column.name: "VARCHAR" if column.type == "JSON" else column.type for column in table.columns}
    partitions = _PARTITIONS if _KEY in types else {}
    own = [dictionary_column(table.table, name, kind) for name, kind in types.items() if name not in partitions]
    return DictionaryTable(
        table=table.table,
        meaning=meanings_of(table.table),
        partitioned_by=list(partitions),
        columns=own + [dictionary_column("partition", name, kind) for name, kind in partitions.items()],
    )


def _write_table(connection: DuckDBPyConnection, table: TableDescription, folder: Path, metadata: str) -> int:
    """Write one table or view, with `metadata` in its files; return the number of rows."""
    folder.mkdir()
    name = table.table
    columns = {column.name: _as_exported(name, column) for column in table.columns}
    chosen = f"SELECT {', '.join(columns.values())} FROM {name}"
    if _KEY in columns:
        own = ", ".join(expression for column, expression in columns.items() if column != "game")
        chosen = f"SELECT {own}, tables.game, year(tables.played_on) AS year FROM {name}" + (
            f" LEFT JOIN tables USING ({_KEY})" if name != "tables" else ""
        )
        count = _copied(connection, chosen, folder, metadata, f"PARTITION_BY ({', '.join(_PARTITIONS)})")
        if count:
            return count  # without rows there would be no file, and so no columns
    return _copied(connection, chosen, folder / "data_0.parquet", metadata)


def _as_exported(table: str, column: Column) -> str:
    """Return the column's SQL; JSON becomes text, because other programs do not know Parquet's JSON type."""
    qualified = f"{table}.{column.name}"
    return f"CAST({qualified} AS VARCHAR) AS {column.name}" if column.type == "JSON" else qualified


def _copied(connection: DuckDBPyConnection, chosen: str, target: Path, metadata: str, *more: str) -> int:
    """Write the rows of a SELECT, with the metadata in each file; return the number of rows."""
    path, text = str(target).replace("'", "''"), metadata.replace("'", "''")
    options = ", ".join(("FORMAT parquet", "COMPRESSION zstd", f"KV_METADATA {{{KEY}: '{text}'}}", *more))
    row = connection.execute(f"COPY ({chosen} ORDER BY ALL) TO '{path}' ({options})").fetchone()
    assert row is not None, "COPY answers the number of rows"
    count: int = row[0]
    return count


FILE: Final = "dictionary.json"
"""File name of the data dictionary in an export."""

KEY: Final = "trickledger"
"""Key of the table's part of the dictionary in the metadata of each Parquet file."""


class DictionaryColumn(Struct, frozen=True, kw_only=True):
    """A column as exported. `unit` and `meaning` by language; `unit` is null for columns without one."""

    name: str
    type: str
    unit: dict[str, str] | None
    meaning: dict[str, str]


class DictionaryTable(Struct, frozen=True, kw_only=True):
    """A table or view. `partitioned_by`: the columns in the names of its folders."""

    table: str
    meaning: dict[str, str]
    partitioned_by: list[str]
    columns: list[DictionaryColumn]


class DataDictionary(Struct, frozen=True, kw_only=True):
    """The content of an export, and the last ledger entry in it.

    `contract`: version of the ledger's format; `read_model`: version of the tables. `zone`: the time zone of days.
    """

    position: int
    digest: str | None
    ledger_id: str | None
    contract: int
    read_model: str
    zone: str
    tables: list[DictionaryTable]

    def as_file(self) -> bytes:
        """Return the content of `dictionary.json`."""
        return json.format(json.encode(self), indent=2) + b"\n"

    def part(self, table: str) -> str:
        """Return the part of one table, with the same head, for the metadata of its Parquet files."""
        own = structs.replace(self, tables=[one for one in self.tables if one.table == table])
        return json.encode(own).decode()


def data_dictionary(meta: Meta, tables: Sequence[DictionaryTable]) -> DataDictionary:
    """Return the dictionary of these tables, as of the read model's last entry."""
    return DataDictionary(
        position=meta.head.position,
        digest=meta.head.digest,
        ledger_id=meta.ledger_id,
        contract=CONTRACT_VERSION,
        read_model=meta.schema_version,
        zone=meta.zone,
        tables=list(tables),
    )


def dictionary_column(table: str, name: str, kind: str) -> DictionaryColumn:
    """Return the catalogues' unit and meaning of a column, in all languages."""
    units = {lang: unit for lang in LANGUAGES if (unit := column_unit(name, kind, lang)) is not None}
    meanings = {lang: column_meaning(table, name, lang) or "" for lang in LANGUAGES}
    return DictionaryColumn(name=name, type=kind, unit=units or None, meaning=meanings)


def meanings_of(table: str) -> dict[str, str]:
    """Return the meaning of one row of the table, by language."""
    return {lang: row_meaning(table, lang) or "" for lang in LANGUAGES}
