"""Rows that SQL answered with: as a table for people, as CSV, as JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from msgspec import to_builtins

from ledger.text.layout import table_headed

if TYPE_CHECKING:
    from rich.table import Table

    from ledger.history import Answer

_FORMULA: Final = re.compile(r"[=@\t\r]|[+-](?!\d+(?:\.\d+)?\Z)")
"""How a cell begins that a spreadsheet takes for a formula; a negative number is none."""


def rows_table(answer: Answer) -> Table:
    """The rows for people, numbers to the right."""
    shown = table_headed()
    for place, name in enumerate(answer.columns):
        is_number = any(_is_number(row[place]) for row in answer.rows)
        shown.add_column(name, justify="right" if is_number else "left")
    for row in answer.rows:
        shown.add_row(*map(_cell, row))
    return shown


def csv_text(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a line of names, then a line a row; null is empty.

    A text that a spreadsheet would run as a formula begins with an apostrophe (OWASP, "CSV Injection").
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(_csv_value, names))
    writer.writerows([_csv_value(value) for value in row] for row in rows)
    return text.getvalue()


def json_text(value: object) -> str:
    """The value as JSON on one line; integers of any size, as SQL has them."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=to_builtins)


def json_list(rows: Iterable[object]) -> str:
    """A list of objects, one a line within the list."""
    return "[" + ",\n".join(map(json_text, rows)) + "]"


def json_rows(answer: Answer) -> list[dict[str, Any]]:
    """The rows as objects; what SQL keeps as JSON is in them as it is."""
    from ledger.history import plain

    named = list(zip(answer.columns, answer.types, strict=True))
    return [
        {
            name: json.loads(value) if kind == "JSON" and value is not None else plain(value)
            for (name, kind), value in zip(named, row, strict=True)
        }
        for row in answer.rows
    ]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _cell(value: Any) -> str:
    """A value for people."""
    from ledger.history import plain

    if value is None:
        return "–"
    simple = plain(value)
    return simple if isinstance(simple, str) else json_text(simple)


def _csv_value(value: Any) -> Any:
    from ledger.history import plain

    simple = plain(value)
    if isinstance(simple, str):
        return f"'{simple}" if _FORMULA.match(simple) else simple
    return json_text(simple) if isinstance(simple, bool | list | dict) else simple
