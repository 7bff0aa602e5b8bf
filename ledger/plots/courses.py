"""How something went on: points, places and ratings as lines, one for a player."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from ledger.plots.lines import Lines, Panel, drawn_lines, intervals_at_ends
from ledger.plots.panels import HEIGHT, WIDTH, by_game, reach
from ledger.plots.rows import Figures, Row
from ledger.plots.style import ZERO_STANDS_OUT
from ledger.plots.ticks import whole_axis
from ledger.plots.words import label

_PLACE_HEIGHT: Final = 22
"""Pixels that keep two lines apart."""

_INTERVALS_APART: Final = 7
"""Pixels between the intervals of lines that end together."""

_PLACES_TOLD: Final = 30
_DAY_MS: Final = 86_400_000
_DAYS_TOLD: Final = 8


def cumulative(alt: Any, figures: Figures, lang: str) -> Any:
    words = partial(label, lang)

    def draw(rows: list[Row], width: int, height: int) -> Any:
        ends = reach([0, *(row["points"] for row in rows)])
        panel = Panel(
            width=width,
            height=height,
            x=_counted(alt, words("own_deals"), rows, "number"),
            y=_measured(alt, words("points"), ends, axis=whole_axis(alt, *ends, 8, 0.03, gridColor=ZERO_STANDS_OUT)),
            ends=ends,
        )
        return drawn_lines(alt, Lines(rows=rows, of="player", series=figures.series, x="number", y="points"), panel)

    return by_game(alt, figures, lang, draw)


def standings(alt: Any, figures: Figures, lang: str) -> Any:
    """Places, the first at the top, on a scale of time: of deals within an evening, else of days."""
    words = partial(label, lang)

    def draw(rows: list[Row], width: int, height: int) -> Any:
        unit, last = rows[0]["unit"], max(row["place"] for row in rows)
        ends = (last + 0.5, 0.5)
        axis = alt.Axis(values=list(range(1, last + 1, 1 + last // _PLACES_TOLD)), format="d")
        is_timed = unit != "deal"
        shown = rows if is_timed else [row | {"number": int(row["moment"])} for row in rows]
        panel = Panel(
            width=width,
            height=max(height, _PLACE_HEIGHT * last),
            x=_timed(alt, words(unit), unit, rows) if is_timed else _counted(alt, words(unit), shown, "number"),
            y=_measured(alt, words("place"), ends, axis=axis),
            ends=ends,
        )
        x = "moment" if is_timed else "number"
        return drawn_lines(alt, Lines(rows=shown, of="player", series=figures.series, x=x, y="place"), panel)

    return by_game(alt, figures, lang, draw)


def ratings(alt: Any, figures: Figures, lang: str) -> Any:
    """Lines, and at the end of each the 95 % interval of the rating."""
    words = partial(label, lang)
    lines = Lines(rows=figures.rows, of="player", series=figures.series, x="number", y="rating")
    bounds = [row[bound] for row in lines.last() for bound in ("low", "high")]
    ends = reach([*bounds, *(row["rating"] for row in figures.rows)])
    tables = max(row["number"] for row in figures.rows)
    apart = _INTERVALS_APART * max(tables, 2) / WIDTH
    panel = Panel(
        width=WIDTH,
        height=HEIGHT,
        x=_counted(alt, words("own_tables"), figures.rows, "number", apart * (1 + len(figures.series))),
        y=_measured(alt, words("rating"), ends),
        ends=ends,
    )
    return drawn_lines(alt, lines, panel, intervals_at_ends(alt, lines, panel, apart))


def _counted(alt: Any, title: str, rows: Sequence[Row], column: str, more: float = 0) -> Any:
    """An axis of numbers from the first one of a column to its last one, and `more` room behind it."""
    numbers = [row[column] for row in rows]
    low, high = min(numbers), max(numbers)
    room = 0.5 if low == high else 0
    scale = alt.Scale(domain=[low - room, high + room + more], nice=False, zero=False)
    return partial(alt.X, type="quantitative", title=title, scale=scale, axis=whole_axis(alt, low, high))


def _measured(alt: Any, title: str, ends: tuple[float, float], **more: Any) -> Any:
    low, high = sorted(ends)
    scale = alt.Scale(domain=[low, high], nice=False, zero=False, reverse=ends[0] > ends[1])
    return partial(alt.Y, type="quantitative", title=title, scale=scale, **more)


def _timed(alt: Any, title: str, unit: str, rows: list[Row]) -> Any:
    """An axis of days, on which a month's pause is as long as a month."""
    days = sorted({row["moment"] for row in rows})
    ticks = {"values": days} if len(days) <= _DAYS_TOLD else {"tickCount": _DAYS_TOLD, "tickMinStep": _DAY_MS}
    axis = alt.Axis(format="%Y-%m-%d" if unit == "day" else "%Y-%m", labelOverlap=True, labelFlush=True, **ticks)
    # A day without a time is one of UTC; read as a local time, it would be the day before in half of the world.
    return partial(alt.X, type="temporal", title=title, scale=alt.Scale(type="utc"), axis=axis)
