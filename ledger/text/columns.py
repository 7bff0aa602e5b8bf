"""Texts below each other on a terminal, whose columns a Japanese sign fills two of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len, set_cell_size


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
