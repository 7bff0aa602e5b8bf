"""Brings rows into DuckDB in bulk: as typed NDJSON through `read_json`.

Measured for plays on two cores: 1.0 million rows/s this way, of which Python does a third (`msgspec` writes the lines);
the appender 0.9 million, all of it in Python; one JSON parameter 0.3 million; `executemany` two thousand.
"""

from __future__ import annotations

import shutil
from collections import defaultdict
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from duckdb import DuckDBPyConnection
from msgspec import Struct, json

from ledger.history.rows import ROW_TYPES, DealDocument, Rows
from ledger.history.schema import column_types, sql

CHUNK_ROWS: Final = 200_000
"""Rows collected before they are loaded: fewer, and DuckDB is slowed down by small files; more cost memory."""

_FIELDS: Final = {kind.TABLE: kind.__struct_fields__ for kind in ROW_TYPES}
_encode_lines = json.Encoder().encode_lines


class RowFiles(Struct, frozen=True):
    """Rows written as NDJSON: their number, and a file for each table that has some."""

    row_count: int
    files: dict[str, Path]


def write_rows(rows: Rows, folder: Path, name: str) -> RowFiles:
    """Write the rows to files whose names end with `name`."""
    files: dict[str, Path] = {}
    for kind, found in rows.items():
        if found:
            files[kind.TABLE] = file = folder / f"{kind.TABLE}-{name}.ndjson"
            file.write_bytes(_encode_lines(found))
    return RowFiles(sum(map(len, rows.values())), files)


class RowLoader:
    """Collects rows and loads them, chunk by chunk, in the connection's transaction. It empties its `folder`."""

    def __init__(self, connection: DuckDBPyConnection, folder: Path) -> None:
        self.rows: Rows = defaultdict(list)
        self.folder = folder
        self._connection = connection
        connection.execute(sql("deal_documents.sql"))
        self._types = column_types(connection)
        self._waiting: dict[str, list[Path]] = defaultdict(list)
        self._waiting_rows = 0

    def __enter__(self) -> Self:
        shutil.rmtree(self.folder, ignore_errors=True)  # left by a process that was killed
        self.folder.mkdir(parents=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def take(self, written: RowFiles) -> None:
        """Load these files, at once or together with others."""
        for table, file in written.files.items():
            self._waiting[table].append(file)
        self._waiting_rows += written.row_count
        if self._waiting_rows >= CHUNK_ROWS:
            self._load_files()

    def load_if_many(self) -> None:
        """Load what has been collected in `rows`, if it is enough to be worth it."""
        if sum(map(len, self.rows.values())) >= CHUNK_ROWS:
            self.load()

    def load(self) -> None:
        """Load all that has been collected."""
        self.take(write_rows(self.rows, self.folder, "collected"))
        self.rows.clear()
        self._load_files()

    def _load_files(self) -> None:
        for table, files in self._waiting.items():
            types = self._types[table]
            columns = {name: types[name] for name in _FIELDS[table]}
            self._connection.execute(
                f"INSERT INTO {table} BY NAME"
                f" FROM read_json($files, format = 'newline_delimited', columns = {columns})",
                {"files": list(map(str, files))},
            )
            for file in files:
                file.unlink()
        if DealDocument.TABLE in self._waiting:
            self._connection.execute(sql("rows_of_deals.sql"))
        self._waiting.clear()
        self._waiting_rows = 0
