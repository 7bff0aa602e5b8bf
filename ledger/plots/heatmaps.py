"""Squares sized by counts: the days of play, and the results of each player against each other.

The calendar has a strip for each season with a column for each week; the heat map of players is coloured by the share
of tables ahead.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Any, Final

from ledger.history.questions.filters import season_days, season_named, season_of
from ledger.plots.panels import chart_of, layered, titled, whole_ticks
from ledger.plots.rows import Figures, Row, label
from ledger.plots.style import COLOURS, DIVERGING

_CELL: Final = 14
_GAP: Final = 2
"""Pixels: of a day, and between two days of much play."""


def calendar(alt: Any, figures: Figures, lang: str) -> Any:
    """Draw a strip of days for each season."""
    season_from = figures.filters.get("season_from")
    seasons = sorted({season_of(date.fromisoformat(row["played_on"]), season_from) for row in figures.rows})
    most = max(row["deals"] for row in figures.rows)
    strips = []
    for season in seasons:
        first, last = season_days(season, season_from)
        title = titled(alt, season_named(season, season_from), 13)
        strip = calendar_strip(alt, figures.rows, lang, first=first, last=last, most=most)
        strips.append(strip.properties(title=title))
    return alt.concat(*strips, columns=1)


def calendar_strip(
    alt: Any, rows: Sequence[Row], lang: str, *, first: date, last: date, most: int, cell: int = _CELL
) -> Any:
    """Draw the days from the first to the last. `most`: the deals of the largest square; `cell`: pixels of a day."""
    words = partial(label, lang)
    weekdays = words("weekdays").split()
    days = {day: row for row in rows if first <= (day := date.fromisoformat(row["played_on"])) <= last}
    placed = [row | {"week": _week(day, first), "weekday": weekdays[day.weekday()]} for day, row in days.items()]
    size = alt.Size(
        "deals:Q",
        title=words("deals"),
        scale=alt.Scale(domain=[0, most], range=[0, (cell - _GAP) ** 2]),
        legend=alt.Legend(values=whole_ticks(1, most, 4), format=",d", symbolType="square", symbolFillColor=COLOURS[2]),
    )
    starts = _months(first, last, words("months").split())
    axis = alt.Axis(
        values=list(starts),
        labelExpr=f"{json.dumps(starts, ensure_ascii=False)}[datum.value]",
        labelAngle=0,
        labelAlign="left",
        labelOverlap=False,
        grid=True,
    )
    x = alt.X("week:O", title=None, scale=alt.Scale(domain=list(range(_week(last, first) + 1))), axis=axis)
    y = alt.Y("weekday:N", title=None, scale=alt.Scale(domain=weekdays), axis=alt.Axis(grid=True, tickSize=0))
    chart = chart_of(alt, placed).encode(x=x, y=y, size=size)
    squares = chart.mark_square(color=COLOURS[2], opacity=1)
    return layered(alt, squares).properties(width=alt.Step(cell), height=alt.Step(cell))


def _months(first: date, last: date, names: Sequence[str]) -> dict[int, str]:
    """Return the names of the months that begin within these days, by column; if none does, the month of the
    first day.
    """
    months = [date(year, month, 1) for year in range(first.year, last.year + 1) for month in range(1, 13)]
    begun = {_week(day, first): names[day.month - 1] for day in months if first <= day <= last}
    return begun or {0: names[first.month - 1]}


def _week(day: date, first: date) -> int:
    """Return the column of a day: weeks begin on Mondays, the first one includes the first day."""
    return ((day - first).days + first.weekday()) // 7


_CELL_WIDTH: Final = 52
_CELL_HEIGHT: Final = 74
_SQUARE: Final = 30
_ABOVE: Final = -18
"""Pixels: the largest square, and the position of its middle in the cell, above the figures."""

SIGNS: Final = {
    "never_met": "M-.6,-.6L.6,.6M-.6,.6L.6,-.6",
    "self": "M-1,1L1,-1",
    "level": "M-.6,-.25L.6,-.25M-.6,.25L.6,.25",
}
"""A cross, a slanted line and two level ones, as SVG paths."""


def head_to_head(alt: Any, figures: Figures, lang: str) -> Any:
    """Draw the share of tables ahead for each pair of players, with its interval and the counts."""
    words = partial(label, lang)
    rows = [row | _shown(row) for row in figures.rows]
    cells = [row | ({"sign": words(row["sign"])} if row["sign"] else {}) for row in rows + _empty(figures)]
    x = alt.X(
        "opponent_player:N", title=words("opponent"), sort=figures.series, axis=alt.Axis(labelLimit=160, labelAngle=-40)
    )
    y = alt.Y("player:N", title=words("player"), sort=figures.series, axis=alt.Axis(labelLimit=160))
    chart = chart_of(alt, cells).encode(x=x, y=y)
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
    share = met.mark_text(fontSize=11, dy=7).encode(text=alt.Text("share_shown:N"))
    interval = met.mark_text(fontSize=9, dy=18).encode(text=alt.Text("interval_shown:N"))
    count = met.mark_text(fontSize=9, dy=29).encode(text=alt.Text("count_shown:N"))
    size = {"width": alt.Step(_CELL_WIDTH), "height": alt.Step(_CELL_HEIGHT)}
    return layered(alt, square, sign, share, interval, count).properties(**size)


def _shown(row: Row) -> Row:
    ahead = row["ahead"] + row["level"] / 2
    return {
        "share_shown": f"{row['share_ahead']:.0%}",
        "interval_shown": f"{100 * row['low']:.0f}–{row['high']:.0%}",
        "count_shown": f"{ahead:g}/{row['tables']}",
        "sign": "level" if ahead * 2 == row["tables"] else None,
    }


def _empty(figures: Figures) -> list[Row]:
    """Return the cells of pairs who never met, and of each player against themselves."""
    met = {(row["player"], row["opponent_player"]) for row in figures.rows}
    lines = [player for player in figures.series if player in {player for player, _ in met}]
    return [
        {"player": player, "opponent_player": other, "tables": 0, "sign": "self" if player == other else "never_met"}
        for player in lines
        for other in figures.series
        if (player, other) not in met
    ]
