"""Who was ahead of whom: a square for each two players, as large as they met often, coloured by the share of tables."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from ledger.plots.panels import whole_ticks
from ledger.plots.rows import Figures, Row
from ledger.plots.style import DIVERGING
from ledger.plots.words import label

_CELL_WIDTH: Final = 52
_CELL_HEIGHT: Final = 74
_SQUARE: Final = 30
_ABOVE: Final = -18
"""Pixels: the largest square, and where its middle is in the cell; the figures stand below it."""

SIGNS: Final = {
    "never_met": "M-.6,-.6L.6,.6M-.6,.6L.6,-.6",
    "self": "M-1,1L1,-1",
    "level": "M-.6,-.25L.6,-.25M-.6,.25L.6,.25",
}
"""A cross, a slanted line and two level ones, as paths of SVG."""


def head_to_head(alt: Any, figures: Figures, lang: str) -> Any:
    """Players in their order, and of each two the share of tables ahead, its interval and the counts."""
    words = partial(label, lang)
    rows = [row | _shown(row) for row in figures.rows]
    cells = [row | ({"sign": words(row["sign"])} if row["sign"] else {}) for row in rows + _empty(figures)]
    x = alt.X(
        "opponent_player:N", title=words("opponent"), sort=figures.series, axis=alt.Axis(labelLimit=160, labelAngle=-40)
    )
    y = alt.Y("player:N", title=words("player"), sort=figures.series, axis=alt.Axis(labelLimit=160))
    chart = alt.Chart(alt.Data(values=cells)).encode(x=x, y=y)
    met = chart.transform_filter("datum.tables > 0")
    most = max(row["tables"] for row in rows)
    square = met.mark_square(yOffset=_ABOVE, opacity=1, stroke="#444444", strokeWidth=1).encode(
        color=alt.Color(
            "share_ahead:Q",
            title=words("share_ahead"),
            scale=alt.Scale(domain=[0, 0.5, 1], range=list(DIVERGING), interpolate="rgb"),
            legend=alt.Legend(format=".0%"),
        ),
        size=alt.Size(
            "tables:Q",
            title=words("tables"),
            scale=alt.Scale(domain=[0, most], range=[0, _SQUARE**2]),
            legend=alt.Legend(
                values=whole_ticks(1, most, 4),
                format=",d",
                symbolType="square",
                symbolStrokeWidth=1,
                symbolFillColor="#FFFFFF",
            ),
        ),
    )
    shape = alt.Shape(
        "sign:N",
        title=words("signs"),
        scale=alt.Scale(domain=[words(sign) for sign in SIGNS], range=list(SIGNS.values())),
        legend=alt.Legend(symbolStrokeWidth=1.5, symbolSize=120),
    )
    sign = (
        chart.transform_filter("isValid(datum.sign)")
        .mark_point(filled=False, yOffset=_ABOVE, size=120, color="black", strokeWidth=1.5, opacity=1)
        .encode(shape=shape)
    )
    share = met.mark_text(fontSize=11, dy=7).encode(text="share_shown:N")
    interval = met.mark_text(fontSize=9, dy=18).encode(text="interval_shown:N")
    count = met.mark_text(fontSize=9, dy=29).encode(text="count_shown:N")
    size = {"width": alt.Step(_CELL_WIDTH), "height": alt.Step(_CELL_HEIGHT)}
    return alt.layer(square, sign, share, interval, count).properties(**size)


def _shown(row: Row) -> Row:
    ahead = row["ahead"] + row["level"] / 2
    return {
        "share_shown": f"{row['share_ahead']:.0%}",
        "interval_shown": f"{100 * row['low']:.0f}–{row['high']:.0%}",
        "count_shown": f"{ahead:g}/{row['tables']}",
        "sign": "level" if ahead * 2 == row["tables"] else None,
    }


def _empty(figures: Figures) -> list[Row]:
    """The cells of those who never met, and of each player against the same one."""
    met = {(row["player"], row["opponent_player"]) for row in figures.rows}
    lines = [player for player in figures.series if player in {player for player, _ in met}]
    return [
        {"player": player, "opponent_player": other, "tables": 0, "sign": "self" if player == other else "never_met"}
        for player in lines
        for other in figures.series
        if (player, other) not in met
    ]
