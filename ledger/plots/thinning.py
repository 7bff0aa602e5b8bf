"""Thins long lines: each stretch of a line keeps its lowest and its highest point, and the line both its ends.

`plots/cumulative.sql` does the same before its rows are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger.plots.rows import Row

POINTS_MAX: Final = 200
"""The most points of a line that a reader can distinguish; a shorter line keeps all."""

_STRETCHES: Final = POINTS_MAX // 2 - 1


def thinned(rows: Sequence[Row], line: tuple[str, ...], measure: str) -> list[Row]:
    """Return the rows without those that nobody would see. `line`: the columns that identify a line."""
    lines: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        lines.setdefault(tuple(row[column] for column in line), []).append(row)
    if max(map(len, lines.values()), default=0) <= POINTS_MAX:
        return list(rows)
    return [row for of_line in lines.values() for row in _thinned_line(of_line, measure)]


def _thinned_line(rows: list[Row], measure: str) -> list[Row]:
    if len(rows) <= POINTS_MAX:
        return rows
    size = -(-len(rows) // _STRETCHES)
    kept = {0, len(rows) - 1}
    for first in range(0, len(rows), size):
        stretch = range(first, min(first + size, len(rows)))
        kept |= {extreme(stretch, key=lambda place: rows[place][measure]) for extreme in (min, max)}
    return [rows[place] for place in sorted(kept)]
