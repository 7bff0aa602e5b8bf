"""The days on which there was play: a strip for each year, a column for each week, squares by how much was played."""

from __future__ import annotations

import json
from datetime import date
from functools import partial
from typing import Any, Final

from ledger.plots.figures import Figures, Row
from ledger.plots.style import COLOURS
from ledger.plots.words import label

_CELL: Final = 14
_WEEKS: Final = 54
"""So many weeks a year may touch."""


def calendar(alt: Any, figures: Figures, lang: str) -> Any:
    words = partial(label, lang)
    weekdays = words("weekdays").split()
    rows = [row | _placed(date.fromisoformat(row["played_on"]), weekdays) for row in figures.rows]
    most = max((row["deals"] for row in rows), default=1)
    size = alt.Size(
        "deals:Q",
        title=words("deals"),
        scale=alt.Scale(domain=[0, most], range=[0, _CELL**2]),
        legend=alt.Legend(tickCount=3, format="d", symbolType="square", symbolFillColor=COLOURS[2]),
    )
    y = alt.Y("weekday:N", title=None, scale=alt.Scale(domain=weekdays), axis=alt.Axis(grid=True, tickSize=0))

    def strip(year: int) -> Any:
        starts = {_week(date(year, month, 1)): name for month, name in enumerate(words("months").split(), 1)}
        axis = alt.Axis(
            values=list(starts),
            labelExpr=f"{json.dumps(starts, ensure_ascii=False)}[datum.value]",
            labelAngle=0,
            labelAlign="left",
            labelOverlap=False,
            grid=True,
        )
        x = alt.X("week:O", title=None, scale=alt.Scale(domain=list(range(_WEEKS))), axis=axis)
        chart = alt.Chart(alt.Data(values=[row for row in rows if row["year"] == year])).encode(x=x, y=y, size=size)
        squares = chart.mark_square(color=COLOURS[2], opacity=1)
        title = alt.Title(str(year), frame="group", anchor="start", fontSize=13)
        return alt.layer(squares).properties(width=alt.Step(_CELL), height=alt.Step(_CELL), title=title)

    if not rows:
        return alt.layer(alt.Chart(alt.Data(values=[])).mark_square())
    return alt.concat(*map(strip, sorted({row["year"] for row in rows})), columns=1)


def _placed(day: date, weekdays: list[str]) -> Row:
    return {"year": day.year, "week": _week(day), "weekday": weekdays[day.weekday()]}


def _week(day: date) -> int:
    """The column of a day: weeks begin on Mondays, the first one with the year."""
    first = date(day.year, 1, 1)
    return ((day - first).days + first.weekday()) // 7
