"""What texts are laid out with: lines and tables, and signs that drive no terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

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
