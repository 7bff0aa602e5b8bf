"""How something went on: points, places and ratings as lines, one for a player."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from ledger.plots.lines import Lines, Panel, drawn_lines, intervals_at_ends
from ledger.plots.panels import HEIGHT, WIDTH, by_game, reach
from ledger.plots.rows import Figures, Row
from ledger.plots.words import label

_PLACE_HEIGHT: Final = 22
"""Pixels that keep two lines apart."""

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
            x=_counted(alt, words("own_deals")),
            y=_measured(alt, words("points"), ends, axis=alt.Axis(tickMinStep=1)),
            ends=ends,
        )
        return drawn_lines(alt, Lines(rows=rows, of="player", series=figures.series, x="number", y="points"), panel)

    return by_game(alt, figures, lang, draw)


def standings(alt: Any, figures: Figures, lang: str) -> Any:
    """Places, the first at the top, on a scale of time: of deals within an evening, else of days."""
    words = partial(label, lang)

    def draw(rows: list[Row], width: int, height: int) -> Any:
        unit = rows[0]["unit"] if rows else "deal"
        last = max((row["place"] for row in rows), default=1)
        ends = (last + 0.5, 0.5)
        told = list(range(1, last + 1, 1 + last // _PLACES_TOLD))
        axis = alt.Axis(values=told, format="d")
        is_timed = unit != "deal"
        panel = Panel(
            width=width,
            height=max(height, _PLACE_HEIGHT * last),
            x=_timed(alt, words(unit), unit, rows) if is_timed else _counted(alt, words(unit)),
            y=_measured(alt, words("place"), ends, axis=axis),
            ends=ends,
        )
        shown = rows if is_timed else [row | {"number": int(row["moment"])} for row in rows]
        x = "moment" if is_timed else "number"
        return drawn_lines(alt, Lines(rows=shown, of="player", series=figures.series, x=x, y="place"), panel)

    return by_game(alt, figures, lang, draw)


def ratings(alt: Any, figures: Figures, lang: str) -> Any:
    """Lines, and at the end of each the 95 % interval of the rating."""
    words = partial(label, lang)
    lines = Lines(rows=figures.rows, of="player", series=figures.series, x="number", y="rating")
    bounds = [row[bound] for row in lines.last() for bound in ("low", "high")]
    ends = reach([*bounds, *(row["rating"] for row in figures.rows)])
    panel = Panel(
        width=WIDTH,
        height=HEIGHT,
        x=_counted(alt, words("own_tables")),
        y=_measured(alt, words("rating"), ends),
        ends=ends,
    )
    return drawn_lines(alt, lines, panel, intervals_at_ends(alt, lines, panel))


def _counted(alt: Any, title: str) -> Any:
    """An axis of numbers from 1."""
    return partial(alt.X, type="quantitative", title=title, axis=alt.Axis(tickMinStep=1, format="d"))


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
