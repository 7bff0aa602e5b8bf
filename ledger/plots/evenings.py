"""The days on which there was play: a strip for each season, a column for each week, squares by how much was played."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Any, Final

from ledger.history.questions.filters import season_days, season_named, season_of
from ledger.plots.panels import titled, whole_ticks
from ledger.plots.rows import Figures, Row
from ledger.plots.style import COLOURS
from ledger.plots.words import label

_CELL: Final = 14
_GAP: Final = 2
"""Pixels: of a day, and between two days of much play."""


def calendar(alt: Any, figures: Figures, lang: str) -> Any:
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
    """The days from the first to the last; `most`: the deals of the largest square, `cell`: its pixels."""
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
    chart = alt.Chart(alt.Data(values=placed)).encode(x=x, y=y, size=size)
    squares = chart.mark_square(color=COLOURS[2], opacity=1)
    return alt.layer(squares).properties(width=alt.Step(cell), height=alt.Step(cell))


def _months(first: date, last: date, names: Sequence[str]) -> dict[int, str]:
    """By the column in which it begins each month whose first day is among these; where none is, the month of all."""
    months = [date(year, month, 1) for year in range(first.year, last.year + 1) for month in range(1, 13)]
    begun = {_week(day, first): names[day.month - 1] for day in months if first <= day <= last}
    return begun or {0: names[first.month - 1]}


def _week(day: date, first: date) -> int:
    """The column of a day: weeks begin on Mondays, the first one with the first day."""
    return ((day - first).days + first.weekday()) // 7
