"""The contents of the pool: a small picture for each table, with one scale for all tables of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ledger.plots.panels import by_game, chart_of, layered, titled, whole_axis
from ledger.plots.rows import Figures, Row, label
from ledger.plots.style import COLOURS

_COLUMNS: Final = 4
_WIDTH: Final = 720
_BETWEEN: Final = 50
_HEIGHT: Final = 80
_HEIGHT_OF_ONE: Final = 160
"""Pixels: the width of a row, the gap between two pictures, and their heights."""

_CROWDED: Final = 100
"""Deals from which on the line is thin."""

_LETTER: Final = 6
"""Pixels of an average letter."""


def pools(alt: Any, figures: Figures, lang: str) -> Any:
    """Draw the pool after each deal for each table."""

    def draw(rows: list[Row], *_: int) -> Any:
        return _tables_of_game(alt, rows, figures.series, lang)

    return by_game(alt, figures, lang, draw, columns=1)


def _tables_of_game(alt: Any, rows: Sequence[Row], series: Sequence[str], lang: str) -> Any:
    first, last = (pick(row["deal"] for row in rows) for pick in (min, max))
    most = max(row["pool_after"] for row in rows)
    tables = {name: of_table for name in series if (of_table := [row for row in rows if row["table_name"] == name])}
    columns = min(_COLUMNS, len(tables))
    width = (_WIDTH - _BETWEEN * (columns - 1)) // columns
    titles = shortened(list(tables), width // _LETTER)
    x = alt.X(
        "from:Q",
        title=label(lang, "deal"),
        scale=alt.Scale(domain=[first - 0.5, last + 0.5], nice=False, zero=False),
        axis=whole_axis(alt, first, last, 3 + 6 // columns),
    )
    y = alt.Y(
        "pool_after:Q",
        title=label(lang, "pool"),
        scale=alt.Scale(domain=[0, 1.08 * most], nice=False),
        axis=whole_axis(alt, 0, most, 4),
    )
    size = {"width": width, "height": _HEIGHT if columns > 1 else _HEIGHT_OF_ONE}
    drawn = []
    for number, (name, of_table) in enumerate(tables.items()):
        chart = chart_of(alt, _steps(of_table)).encode(
            x=x if number + columns >= len(tables) else x.title(None), y=y if number % columns == 0 else y.title(None)
        )
        ground = chart.mark_area(interpolate="step-after", color="#DDDDDD")
        line = chart.mark_line(
            interpolate="step-after", color=COLOURS[0], strokeWidth=1.5 if len(of_table) < _CROWDED else 0.5
        )
        title = titled(alt, titles[name], 11, limit=width)
        drawn.append(layered(alt, ground, line).properties(**size, title=title))
    return alt.concat(*drawn, columns=columns, spacing=16)


def shortened(names: Sequence[str], most: int) -> dict[str, str]:
    """Return table names, long ones without their middle, if all still differ: numbers are at the end."""
    rest = most // 2
    short = {name: name if len(name) <= most else f"{name[: most - rest - 1]}…{name[-rest:]}" for name in names}
    return short if len(set(short.values())) == len(names) else dict(zip(names, names, strict=True))


def _steps(rows: Sequence[Row]) -> list[Row]:
    """Return the rows from the beginning of their deals, with the last one repeated at its end."""
    last = rows[-1]
    return [*(row | {"from": row["deal"] - 0.5} for row in rows), last | {"from": last["deal"] + 0.5}]
