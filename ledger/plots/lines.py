"""Points, places and ratings as lines that differ without colour, each with its name at its end.

A long line keeps the lowest and the highest point of each stretch, and both ends; `plots/cumulative.sql` does the same
before its rows are read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from statistics import fmean
from typing import Any, Final, TypeAlias

from msgspec import Struct

from ledger.plots.panels import HEIGHT, WIDTH, by_game, chart_of, layered, reach, whole_axis
from ledger.plots.rows import Figures, Row, label
from ledger.plots.style import COLOURS, DASHES, SHAPES, ZERO_GRID_COLOUR

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
    places = {0, len(rows) - 1}
    for first in range(0, len(rows), size):
        stretch = range(first, min(first + size, len(rows)))
        places |= {extreme(stretch, key=lambda place: rows[place][measure]) for extreme in (min, max)}
    return [rows[place] for place in sorted(places)]


_MARKS_A_LINE: Final = 12
"""The most points of a line with its shape; more would hide the line."""

_NAME_HEIGHT: Final = 14
_NAME_OFFSET: Final = 16
_NAME_WIDTH: Final = 200
"""Pixels between two names, between the picture and the names, and of the longest name."""

Channel: TypeAlias = Callable[..., Any]
"""Altair's encoding of a field, with its axis already set."""


class Panel(Struct, frozen=True, kw_only=True):
    """The area for lines: its size in pixels, its axes, and the ends of the vertical one."""

    width: int
    height: int
    x: Channel
    y: Channel
    ends: tuple[float, float]

    @property
    def name_height(self) -> float:
        """The height of a name in units of the vertical axis."""
        return abs(self.ends[0] - self.ends[1]) * _NAME_HEIGHT / self.height


class Lines(Struct, frozen=True, kw_only=True):
    """Rows of many lines: the column that identifies a line, all lines in the order of colours, and the measures."""

    rows: Sequence[Row]
    of: str
    series: Sequence[str]
    x: str
    y: str

    def last(self) -> list[Row]:
        """Return the last row of each line."""
        return list({row[self.of]: row for row in self.rows}.values())


def drawn_lines(alt: Any, lines: Lines, panel: Panel, *more: Any) -> Any:
    """Draw lines in colours, each with a dash, a shape and its name at its end, and `more` layers."""
    colour = line_colour(alt, lines)
    dash = alt.StrokeDash(f"{lines.of}:N", scale=_scale(alt, lines, [list(dash) for dash in DASHES]), legend=None)
    shape = alt.Shape(f"{lines.of}:N", scale=_scale(alt, lines, SHAPES), legend=None)
    chart = chart_of(alt, _with_marks(lines)).encode(x=panel.x(lines.x), y=panel.y(lines.y), color=colour)
    line = chart.mark_line(strokeWidth=2).encode(strokeDash=dash)
    points = chart.transform_filter("datum.is_marked").mark_point(filled=True, size=70, opacity=1).encode(shape=shape)
    names = _names(alt, lines, panel, colour, shape)
    return layered(alt, line, points, *names, *more).properties(width=panel.width, height=panel.height)


def line_colour(alt: Any, lines: Lines) -> Any:
    """Return the colours of the lines as an encoding."""
    return alt.Color(f"{lines.of}:N", scale=_scale(alt, lines, COLOURS), legend=None)


def _scale(alt: Any, lines: Lines, values: Any) -> Any:
    return alt.Scale(domain=list(lines.series), range=list(values[: len(lines.series)]))


def _names(alt: Any, lines: Lines, panel: Panel, colour: Any, shape: Any) -> list[Any]:
    """Draw each line's shape and name beside the picture, close to its end, and a thread between them."""
    ends = sorted(lines.last(), key=lambda row: (row[lines.y], row[lines.of]))
    heights = spread_out([row[lines.y] for row in ends], panel.name_height, *sorted(panel.ends))
    named = [row | {"named_at": height} for row, height in zip(ends, heights, strict=True)]
    chart = chart_of(alt, named).encode(color=colour)
    at_name = chart.encode(y=panel.y("named_at"))
    return [
        chart.mark_rule(strokeDash=[1, 2], clip=False).encode(
            x=panel.x(lines.x),
            x2=alt.X2Value(panel.width + _NAME_OFFSET - 12),
            y=panel.y(lines.y),
            y2=alt.Y2("named_at:Q"),
        ),
        at_name.mark_point(filled=True, size=50, opacity=1, clip=False).encode(
            x=alt.XValue(panel.width + _NAME_OFFSET - 6), shape=shape
        ),
        at_name.mark_text(align="left", fontSize=11, clip=False, limit=_NAME_WIDTH).encode(
            x=alt.XValue(panel.width + _NAME_OFFSET), text=alt.Text(f"{lines.of}:N"), color=alt.ColorValue("black")
        ),
    ]


def spread_out(places: Sequence[float], gap: float, low: float = -inf, high: float = inf) -> list[float]:
    """Move places in ascending order as little as possible so that neighbours are a gap apart, between `low` and
    `high`.

    Groups of close places are centred on their mean.
    """

    def middle(crowd: Sequence[float]) -> float:
        room = gap * (len(crowd) - 1) / 2
        return max(low + room, min(high - room, fmean(crowd)))

    crowds: list[list[float]] = []
    for place in places:
        crowds.append([place])
        while len(crowds) > 1 and (
            middle(crowds[-1]) - middle(crowds[-2]) < gap * (len(crowds[-2]) + len(crowds[-1])) / 2
        ):
            crowds[-2:] = [crowds[-2] + crowds[-1]]
    return [middle(crowd) + gap * (n - (len(crowd) - 1) / 2) for crowd in crowds for n in range(len(crowd))]


def intervals_at_ends(alt: Any, lines: Lines, panel: Panel, apart: float) -> Any:
    """Draw the interval from `low` to `high` after the end of each line; those of lines with the same end are
    `apart`.
    """
    ends = sorted(lines.last(), key=lambda row: lines.series.index(row[lines.of]))
    before: Counter[float] = Counter()
    shown = []
    for row in ends:
        before[row[lines.x]] += 1
        shown.append(row | {"behind": row[lines.x] + apart * before[row[lines.x]]})
    rule = chart_of(alt, shown).mark_rule(strokeWidth=3, opacity=0.6)
    return rule.encode(x=panel.x("behind"), y=panel.y("low"), y2=alt.Y2("high:Q"), color=line_colour(alt, lines))


def _with_marks(lines: Lines) -> list[Row]:
    """Return the rows with some of each line marked, including its last."""
    by_line: dict[str, list[Row]] = {}
    for row in lines.rows:
        by_line.setdefault(row[lines.of], []).append(row)
    marked = []
    for line in by_line.values():
        every = 1 + len(line) // _MARKS_A_LINE
        marked += [row | {"is_marked": (len(line) - 1 - place) % every == 0} for place, row in enumerate(line)]
    return marked


_PLACE_HEIGHT: Final = 22
"""Pixels that keep two lines apart."""

_INTERVALS_APART: Final = 7
"""Pixels between the intervals of lines that end together."""

_PLACE_LABELS_MAX: Final = 30
_DAY_MS: Final = 86_400_000
_DAY_LABELS_MAX: Final = 8


def cumulative(alt: Any, figures: Figures, lang: str) -> Any:
    """Draw the running totals of points for each game."""
    words = partial(label, lang)

    def draw(rows: list[Row], width: int, height: int) -> Any:
        ends = reach([0, *(row["points"] for row in rows)])
        panel = Panel(
            width=width,
            height=height,
            x=_counted(alt, words("own_deals"), rows, "number"),
            y=_measured(alt, words("points"), ends, axis=whole_axis(alt, *ends, 8, 0.03, gridColor=ZERO_GRID_COLOUR)),
            ends=ends,
        )
        return drawn_lines(alt, Lines(rows=rows, of="player", series=figures.series, x="number", y="points"), panel)

    return by_game(alt, figures, lang, draw)


def standings(alt: Any, figures: Figures, lang: str) -> Any:
    """Draw places, the first at the top, over the deals of an evening or over days."""
    words = partial(label, lang)

    def draw(rows: list[Row], width: int, height: int) -> Any:
        unit, last = rows[0]["unit"], max(row["place"] for row in rows)
        ends = (last + 0.5, 0.5)
        axis = alt.Axis(values=list(range(1, last + 1, 1 + last // _PLACE_LABELS_MAX)), format="d")
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
    """Draw ratings with their 95 % intervals at the ends."""
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
    """Return an axis of numbers from the first to the last of a column, with `more` room after it."""
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
    """Return an axis of days, on which a month without play is as long as a month."""
    days = sorted({row["moment"] for row in rows})
    ticks = {"values": days} if len(days) <= _DAY_LABELS_MAX else {"tickCount": _DAY_LABELS_MAX, "tickMinStep": _DAY_MS}
    axis = alt.Axis(format="%Y-%m-%d" if unit == "day" else "%Y-%m", labelOverlap=True, labelFlush=True, **ticks)
    # A day without a time is in UTC; as local time, it would be the day before in half of the world.
    return partial(alt.X, type="temporal", title=title, scale=alt.Scale(type="utc"), axis=axis)
