"""Bulk loading of rows into DuckDB, by text files in a folder next to the read model.

Rows and deal documents are typed NDJSON, entries are lines of fields. Measured for plays on two cores: a million rows/s
as NDJSON; the appender 0.9 million, all in Python; one JSON parameter 0.3; `executemany` two thousand.
"""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from duckdb import DuckDBPyConnection
from msgspec import Struct, json

from ledger.history.model.projections import row_types
from ledger.history.model.rows import DealDocument, Rows
from ledger.history.model.schema import column_types, sql
from ledger.log.bulk import BulkReader

CHUNK_BYTES: Final = 32_000_000
"""Size of the files that are loaded at once: smaller chunks are slower, larger ones cost memory."""

CHUNK_ROWS: Final = 1_000
"""Number of rows and documents in memory before they are written to files."""

LINE_BYTES: Final = 2_000_000
"""DuckDB's buffers hold any line up to this size; longer ones, which no club writes, cost memory."""

_ENTRIES: Final = "entries"
_encode_lines = json.Encoder().encode_lines


class RowFiles(Struct, frozen=True):
    """A file for each table with rows, their size in bytes, and an upper bound of a line's length."""

    files: dict[str, Path]
    size_bytes: int
    line_bytes: int = 0

    def with_more(self, other: RowFiles) -> RowFiles:
        """Return these files after they have grown or others were added."""
        return RowFiles(self.files | other.files, self.size_bytes + other.size_bytes)


def write_rows(rows: Rows, folder: Path, name: str) -> RowFiles:
    """Append the rows to files whose names end with `name`, and remove them from memory."""
    files: dict[str, Path] = {}
    size = 0
    for kind, kind_rows in rows.items():
        if kind_rows:
            files[kind.TABLE] = path = folder / f"{kind.TABLE}-{name}.ndjson"
            with path.open("ab") as file:
                size += file.write(_encode_lines(kind_rows))
    rows.clear()
    return RowFiles(files, size)


def is_enough(rows: Rows) -> bool:
    """Return whether there are enough rows to write them to files."""
    return sum(map(len, rows.values())) >= CHUNK_ROWS


def write_entries(source: BulkReader, after: int, until: int, folder: Path) -> RowFiles:
    """Write the entries with `after` < position <= `until` to a file."""
    return _write_lines(source.lines(after, until), folder / f"{_ENTRIES}-after-{after}.txt")


def write_entries_of(streams: Mapping[str, tuple[int, int]], source: BulkReader, folder: Path) -> RowFiles:
    """Write entries of some streams to a file: of each those after a position, up to another one."""
    entries = (source.lines_of(stream, after, until) for stream, (after, until) in streams.items())
    return _write_lines(chain.from_iterable(entries), folder / f"{_ENTRIES}-released.txt")


def _write_lines(entries: Iterable[bytes], file: Path) -> RowFiles:
    longest = size = 0
    with file.open("wb") as out:
        for lines in entries:
            size += out.write(lines)
            if len(lines) > LINE_BYTES:
                longest = max(longest, *map(len, lines.split(b"\n")))
    return RowFiles({_ENTRIES: file}, size, longest)


class RowLoader:
    """Collected rows, loaded chunk by chunk within the connection's transaction. It empties its `folder`."""

    def __init__(self, connection: DuckDBPyConnection, folder: Path) -> None:
        self.rows: Rows = defaultdict(list)
        self.folder = folder
        self._connection = connection
        self._waiting: dict[str, dict[Path, None]] = defaultdict(dict)  # in order, each file once
        self._waiting_bytes = 0
        self._longest = LINE_BYTES
        self._fields = {kind.TABLE: kind.__struct_encode_fields__ for kind in row_types()}

    def __enter__(self) -> Self:
        shutil.rmtree(self.folder, ignore_errors=True)  # left by a killed process
        self.folder.mkdir(parents=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def leave_cores_to(self, workers: int) -> None:
        """Load with half as many threads as there are folding processes: loading is a third of the work."""
        self._connection.execute(f"SET threads TO {max(1, workers // 2)}")

    def take(self, written: RowFiles) -> None:
        """Add files; load them at once or together with later ones."""
        for table, file in written.files.items():
            self._waiting[table][file] = None
        self._waiting_bytes += written.size_bytes
        self._longest = max(self._longest, written.line_bytes)
        if self._waiting_bytes >= CHUNK_BYTES:
            self._load_files()

    def take_rows_if_many(self) -> None:
        """Add the collected `rows` if there are enough of them."""
        if is_enough(self.rows):
            self._take_rows()

    def load(self) -> None:
        """Load all collected rows and files."""
        self._take_rows()
        self._load_files()

    def _take_rows(self) -> None:
        self.take(write_rows(self.rows, self.folder, "collected"))

    def _load_files(self) -> None:
        for table, files in self._waiting.items():
            names = list(map(str, files))
            if table == _ENTRIES:
                self._connection.execute(sql("entries.sql"), {"files": names, "longest": self._longest + 1})
            elif table == DealDocument.TABLE:
                self._connection.execute(sql("deal_documents.sql"), {"files": names})
                self._connection.execute(sql("rows_of_deals.sql"))
            else:
                self._load_json(table, names)
            for file in files:
                file.unlink()
        self._waiting.clear()
        self._waiting_bytes = 0

    def _load_json(self, table: str, names: list[str]) -> None:
        types = column_types(self._connection, table)
        columns = {name: types[name] for name in self._fields[table]}
        self._connection.execute(
            f"INSERT INTO {table} BY NAME FROM read_json($files, format = 'newline_delimited', columns = {columns})",
            {"files": names},
        )
