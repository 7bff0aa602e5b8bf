"""The answer to a query, and its Parquet file with the types that SQL gave its columns."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import duckdb
from msgspec import Struct

from ledger.history.model.database import NO_EXTENSIONS, translating_errors


class Answer(Struct, frozen=True):
    """Rows with distinct column names; `types` are those of SQL."""

    columns: list[str]
    types: list[str]
    rows: list[tuple[Any, ...]]

    def objects(self) -> list[dict[str, Any]]:
        """Return the rows as objects by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def parquet_bytes(answer: Answer) -> bytes:
    """Return the rows as the content of a Parquet file."""
    with tempfile.TemporaryDirectory() as folder:
        lines, written = Path(folder) / "rows.ndjson", Path(folder) / "rows.parquet"
        with lines.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(row, default=str) + "\n" for row in answer.objects())
        columns = dict(zip(answer.columns, answer.types, strict=True))
        with translating_errors(written), duckdb.connect(config=dict(NO_EXTENSIONS)) as connection:
            rows = connection.read_json(str(lines), columns=columns, format="newline_delimited")
            rows.write_parquet(str(written))
        return written.read_bytes()
