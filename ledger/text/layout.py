"""Layout of texts for a terminal: lines, columns, tables, and visible control characters.

A Japanese character fills two columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from rich.cells import cell_len, set_cell_size

if TYPE_CHECKING:
    from rich.table import Table

Part: TypeAlias = "str | Table"
"""A part of an answer for people: a line, or a table."""

_DRIVING: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that control a terminal, except tabs and line feeds, including marks of the writing direction."""


def visible(text: str) -> str:
    r"""Escape every character that would control a terminal, e.g. as `\x1b`."""
    return _DRIVING.sub(lambda sign: sign[0].encode("unicode_escape").decode(), text)


def table_headed(*headings: str) -> Table:
    """Return an empty table without a frame, with these headings."""
    from rich.table import Table

    return Table(*headings, box=None, pad_edge=False)


def table_unheaded() -> Table:
    """Return an empty table without frame and headings."""
    from rich.table import Table

    return Table(box=None, show_header=False, pad_edge=False)


def width_of(texts: Iterable[str]) -> int:
    """Return the width of the widest text in columns."""
    return max(map(cell_len, texts))


def padded(text: str, width: int) -> str:
    """Pad the text with blanks on the right; a wider one stays as it is."""
    return text + " " * (width - cell_len(text))


def flush_right(text: str, width: int) -> str:
    """Pad the text with blanks on the left; a wider one stays as it is."""
    return " " * (width - cell_len(text)) + text


def in_columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows as lines, each column as wide as its widest text."""
    widths = [width_of(column) for column in zip(*rows, strict=True)]
    for row in rows:
        yield ("  " + "  ".join(map(padded, row, widths))).rstrip()


def shortened(text: str, width: int) -> str:
    """Return the text, or its beginning and `…` if it is wider."""
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"
