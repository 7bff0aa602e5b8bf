"""What lay in the pool: a small picture for each table, all on the same scale."""

from __future__ import annotations

from typing import Any, Final

from ledger.plots.rows import Figures
from ledger.plots.style import COLOURS
from ledger.plots.words import label

_COLUMNS: Final = 4
_WIDTH: Final = 150
_HEIGHT: Final = 80


def pools(alt: Any, figures: Figures, lang: str) -> Any:
    last = max((row["deal"] for row in figures.rows), default=1)
    x = alt.X(
        "deal:Q",
        title=label(lang, "deal"),
        scale=alt.Scale(domain=[0.5, last + 0.5], nice=False, zero=False),
        axis=alt.Axis(tickMinStep=1, format="d"),
    )
    y = alt.Y("pool_after:Q", title=label(lang, "pool"), axis=alt.Axis(tickMinStep=1, tickCount=4))
    chart = alt.Chart().encode(x=x, y=y)
    ground = chart.mark_area(interpolate="step", color="#DDDDDD")
    line = chart.mark_line(interpolate="step", color=COLOURS[0], strokeWidth=1.5)
    table = alt.Facet(
        "table_name:N",
        title=None,
        sort=figures.series,
        header=alt.Header(labelFontSize=11, labelLimit=_WIDTH, labelAnchor="start"),
    )
    drawn = alt.layer(ground, line, data=alt.Data(values=figures.rows)).properties(width=_WIDTH, height=_HEIGHT)
    return drawn.facet(facet=table, columns=_COLUMNS)
