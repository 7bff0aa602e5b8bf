"""What lay in the pool: a small picture for each table, those of one game on one scale."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from ledger.plots.panels import WIDTH, by_game
from ledger.plots.rows import Figures, Row
from ledger.plots.style import COLOURS
from ledger.plots.ticks import whole_axis
from ledger.plots.words import label

_COLUMNS: Final = 4
_BETWEEN: Final = 40
_HEIGHT: Final = 80
_HEIGHT_OF_ONE: Final = 160
"""Pixels: between two pictures, and their heights."""

_LETTER: Final = 7
"""Pixels of a letter, on the average."""


def pools(alt: Any, figures: Figures, lang: str) -> Any:
    def draw(rows: list[Row], *_: int) -> Any:
        return _tables_of_game(alt, rows, figures.series, lang)

    return by_game(alt, figures, lang, draw, columns=1)


def _tables_of_game(alt: Any, rows: Sequence[Row], series: Sequence[str], lang: str) -> Any:
    first, last = (pick(row["deal"] for row in rows) for pick in (min, max))
    most = max(row["pool_after"] for row in rows)
    tables = [name for name in series if any(row["table_name"] == name for row in rows)]
    columns = min(_COLUMNS, len(tables))
    width = (WIDTH + _BETWEEN) // columns - _BETWEEN + (0 if columns < _COLUMNS else 40)
    x = alt.X(
        "from:Q",
        title=label(lang, "deal"),
        scale=alt.Scale(domain=[first - 0.5, last + 0.5], nice=False, zero=False),
        axis=whole_axis(alt, first, last, 10 // columns + 2),
    )
    y = alt.Y(
        "pool_after:Q",
        title=label(lang, "pool"),
        scale=alt.Scale(domain=[0, 1.05 * most], nice=False),
        axis=whole_axis(alt, 0, most, 4),
    )
    chart = alt.Chart().encode(x=x, y=y)
    ground = chart.mark_area(interpolate="step-after", color="#DDDDDD")
    line = chart.mark_line(interpolate="step-after", color=COLOURS[0], strokeWidth=1.5)
    table = alt.Facet(
        "table_name:N",
        title=None,
        sort=tables,
        header=alt.Header(
            labelFontSize=11,
            labelLimit=width,
            labelAnchor="start",
            labelExpr=f"{json.dumps(shortened(tables, width // _LETTER), ensure_ascii=False)}[datum.value]",
        ),
    )
    layers = alt.layer(ground, line, data=alt.Data(values=_steps(rows)))
    height = _HEIGHT if columns > 1 else _HEIGHT_OF_ONE
    return layers.properties(width=width, height=height).facet(facet=table, columns=columns)


def shortened(names: Sequence[str], most: int) -> dict[str, str]:
    """Return the names of tables without the middle of a long one, where all still differ: numbers are at the end."""
    rest = most // 2
    short = {name: name if len(name) <= most else f"{name[: most - rest - 1]}…{name[-rest:]}" for name in names}
    return short if len(set(short.values())) == len(names) else dict(zip(names, names, strict=True))


def _steps(rows: Sequence[Row]) -> list[Row]:
    """The rows, each from the beginning of its deal on, and once more the last one of each table, where it ends."""
    last = {row["table_name"]: row | {"from": row["deal"] + 0.5} for row in rows}
    return [*(row | {"from": row["deal"] - 0.5} for row in rows), *last.values()]
