"""Lay out texts for a terminal: lines, columns, tables, and signs that drive no terminal.

A Japanese sign fills two columns.
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
"""What a terminal obeys instead of showing it, but for tabs and line feeds; the marks that turn the direction of
writing, too.
"""


def visible(text: str) -> str:
    """The text with everything that would drive a terminal shown as in `\\x1b`."""
    return _DRIVING.sub(lambda sign: sign[0].encode("unicode_escape").decode(), text)


def table_headed(*headings: str) -> Table:
    """An empty table without a frame, its columns headed so."""
    from rich.table import Table

    return Table(*headings, box=None, pad_edge=False)


def table_unheaded() -> Table:
    """An empty table without a frame and without headings."""
    from rich.table import Table

    return Table(box=None, show_header=False, pad_edge=False)


def width_of(texts: Iterable[str]) -> int:
    """As many columns as the widest of the texts has."""
    return max(map(cell_len, texts))


def padded(text: str, width: int) -> str:
    """The text with blanks up to so many columns; a wider one as it is."""
    return text + " " * (width - cell_len(text))


def flush_right(text: str, width: int) -> str:
    """The text behind as many blanks as so many columns leave."""
    return " " * (width - cell_len(text)) + text


def in_columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows below each other, each column as wide as its widest text."""
    widths = [width_of(column) for column in zip(*rows, strict=True)]
    for row in rows:
        yield ("  " + "  ".join(map(padded, row, widths))).rstrip()


def shortened(text: str, width: int) -> str:
    """Return the text, or its beginning and `…` where it is wider."""
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"
