"""The page on the tables of the read model, from the comments in the schema: `python -m ledger.history.reference`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import duckdb

from ledger.history.asking import TableDescription, described_tables
from ledger.history.schema import create_tables

PAGE: Final = Path(__file__).parents[2] / "docs" / "read-model.md"

_HEADING: Final = "## The tables\n"
"""What stands above it in the page is written by hand."""


def tables_of_schema() -> list[TableDescription]:
    """What a new read model would say of itself."""
    with duckdb.connect() as connection:
        create_tables(connection)
        return described_tables(connection)


def with_reference(page: str, tables: Sequence[TableDescription]) -> str:
    """The page with its part on the tables written anew."""
    before, heading, _ = page.partition(_HEADING)
    assert heading, f"the page has no line {_HEADING!r}"
    return before + heading + "".join(map(_section, tables))


def _section(table: TableDescription) -> str:
    lines = [f"\n### {table.table}\n", f"{table.meaning}.\n", "| column | type | |", "|---|---|---|"]
    lines += [f"| `{column.name}` | {column.type} | {_cell(column.meaning)} |" for column in table.columns]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


if __name__ == "__main__":
    PAGE.write_text(with_reference(PAGE.read_text(encoding="utf-8"), tables_of_schema()), encoding="utf-8")
