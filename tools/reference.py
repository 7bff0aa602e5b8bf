"""Write the reference of tables and statistics, as a new read model describes them: `python -m tools.reference`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import duckdb

from ledger.history.model.schema import create_tables
from ledger.history.questions.history import TableDescription, described_tables
from ledger.history.questions.statistics import Statistic, statistics

PAGE: Final = Path(__file__).parents[1] / "docs" / "reference" / "read-model.md"
STATISTICS_PAGE: Final = PAGE.with_name("statistics.md")

_HEADING: Final = "## The tables\n"
_STATISTICS_HEADING: Final = "## The statistics, one by one\n"
"""The text of the pages above these headings is written by hand."""


def tables_of_schema() -> list[TableDescription]:
    """Return the descriptions of all tables, from a new read model of a service, which has every table."""
    with duckdb.connect() as connection:
        create_tables(connection, is_cut=True)
        return described_tables(connection)


def with_reference(page: str, tables: Sequence[TableDescription]) -> str:
    """Return the page with a current part on the tables."""
    before, heading, _ = page.partition(_HEADING)
    assert heading, f"the page has no line {_HEADING!r}"
    return before + heading + "".join(map(_section, tables))


def with_statistics(page: str, known: Sequence[Statistic]) -> str:
    """Return the page with a current part on the statistics."""
    before, heading, _ = page.partition(_STATISTICS_HEADING)
    assert heading, f"the page has no line {_STATISTICS_HEADING!r}"
    return before + heading + "".join(map(_statistic, known))


def _statistic(statistic: Statistic) -> str:
    taken = " ".join(f"`--{parameter.replace('_', '-')}`" for parameter in statistic.parameters)
    lines = [f"\n### {statistic.name}\n", f"{statistic.sentence}\n", f"{statistic.row}\n", "| column | |", "|---|---|"]
    lines += [f"| `{column}` | {_cell(meaning)} |" for column, meaning in statistic.columns.items()]
    return "\n".join([*lines, f"\nFilters: {taken}\n"])


def _section(table: TableDescription) -> str:
    lines = [f"\n### {table.table}\n", f"{table.meaning}.\n", "| column | type | |", "|---|---|---|"]
    lines += [f"| `{column.name}` | {column.type} | {_cell(column.meaning)} |" for column in table.columns]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


if __name__ == "__main__":
    PAGE.write_text(with_reference(PAGE.read_text(encoding="utf-8"), tables_of_schema()), encoding="utf-8")
    page = with_statistics(STATISTICS_PAGE.read_text(encoding="utf-8"), list(statistics().values()))
    STATISTICS_PAGE.write_text(page, encoding="utf-8")
