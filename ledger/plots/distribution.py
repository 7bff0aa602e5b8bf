"""Histograms of the points of a deal, by game."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from math import floor
from typing import Any, Final

from msgspec import Struct

from ledger.plots.panels import by_game, chart_of, layered, share_axis, whole_axis
from ledger.plots.rows import Figures, Row, label
from ledger.plots.style import COLOURS, ZERO_GRID_COLOUR

_BARS_MAX: Final = 40
_ROUND: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)

_FENCE: Final = 10
"""Quartile ranges beyond the quartiles. Tukey's 3 are too few for games in which one deal in twenty moves ten times as
much as the others.
"""

_TRIMMED: Final = 0.025
_TRIMMED_MIN: Final = 3.5
"""The share of amounts, and their least number, at either end that may be outliers: one deal moves up to three
others.
"""

_WIDER: Final = 3
"""Outliers are separated if all amounts span at least so many times the bulk."""

_GAP: Final = 2
"""Empty bars before the bar of the outliers."""


class Bars(Struct, frozen=True, kw_only=True):
    """Amounts in bars of one width, bounded by `low` and `high`; `beyond`: the outliers, at either end."""

    within: list[Row]
    beyond: list[Row]


def deal_points(alt: Any, figures: Figures, lang: str) -> Any:
    """Draw the distribution of the points of deals for each game."""

    def draw(rows: list[Row], width: int, height: int) -> Any:
        titles = label(lang, "points_of_deal"), label(lang, "share_of_deals")
        return distribution(alt, rows, titles).properties(width=width, height=height)

    return by_game(alt, figures, lang, draw, note=lambda rows: beyond_note(rows, lang))


def distribution(alt: Any, rows: Sequence[Row], titles: tuple[str | None, str | None], ticks: int = 10) -> Any:
    """Draw bars for the rows of one game. `titles`: of the axes; `ticks`: the most on each."""
    bars = in_bars(rows)
    low, high = bars.within[0]["low"], bars.within[-1]["high"]
    drawn = [*bars.within, *bars.beyond]
    room = bars.within[0]["high"] - low
    ends = [min(bar["low"] for bar in drawn) - room, max(bar["high"] for bar in drawn) + room]
    x = alt.X(
        "low:Q",
        title=titles[0],
        scale=alt.Scale(nice=False, zero=False, domain=ends),
        axis=whole_axis(alt, low, high, ticks, gridColor=ZERO_GRID_COLOUR),
    )
    most = max(bar["share"] for bar in drawn)
    scale = alt.Scale(domain=[0, 1.08 * most], nice=False)
    share = alt.Y("share:Q", title=titles[1], scale=scale, axis=share_axis(alt, most, ticks))

    def mark(rows: list[Row], colour: str) -> Any:
        chart = chart_of(alt, rows).mark_bar(color=colour, stroke="white", strokeWidth=0.5)
        return chart.encode(x=x, x2=alt.X2("high:Q"), y=share, y2=alt.datum(0))

    layers = [mark(bars.within, COLOURS[2])]
    if bars.beyond:
        signs = chart_of(alt, bars.beyond).mark_point(filled=True, size=60, opacity=1, color=COLOURS[1], yOffset=-6)
        shape = alt.Shape("sign:N", scale=alt.Scale(domain=list(_SIGNS), range=list(_SIGNS.values())), legend=None)
        layers += [
            mark(bars.beyond, COLOURS[1]),
            signs.encode(x=alt.X("middle:Q"), y=alt.YValue("height"), shape=shape),
        ]
    return layered(alt, *layers)


_SIGNS: Final = {"◀": "triangle-left", "▶": "triangle-right"}


def beyond_note(rows: Sequence[Row], lang: str, *, in_short: bool = False) -> str:
    """Return the number and the range of the outliers; empty if there are none."""
    bars = in_bars(rows)
    if in_short:
        return " ".join(f"{bar['sign']} {bar['times']:,}" for bar in bars.beyond)
    return label(lang, "beyond_and").join(
        label(lang, "beyond" if bar["least"] < bar["most"] else "beyond_one", **bar | _amounts(bar))
        for bar in bars.beyond
    )


def _amounts(bar: Row) -> dict[str, str]:
    return {key: f"{bar[key]:,}".replace("-", "−") for key in ("times", "least", "most")}


def in_bars(rows: Sequence[Row]) -> Bars:
    """Group amounts into bars of one round width, with zero in the middle of one and outliers at the ends."""
    times: Counter[int] = Counter()
    for row in rows:
        times[row["points"]] += row["times"]
    core = _bulk(times)
    reach = max(core) - min(core)
    if max(times) - min(times) < max(_WIDER * reach, _BARS_MAX):
        core, reach = list(times), max(times) - min(times)
    width = next((width for width in _ROUND if reach < width * _BARS_MAX), reach // _BARS_MAX + 1)
    places: Counter[int] = Counter()
    for points in core:
        places[floor(points / width + 0.5)] += times[points]
    shared = {"game": rows[0]["game"]}
    within = [
        shared | _bar((place - 0.5) * width, (place + 0.5) * width, count, times.total())
        for place, count in sorted(places.items())
    ]
    beyond = []
    for sign, low, outer in (
        ("◀", within[0]["low"] - (_GAP + 2) * width, [points for points in times if points < min(core)]),
        ("▶", within[-1]["high"] + _GAP * width, [points for points in times if points > max(core)]),
    ):
        if outer:
            bar = _bar(low, low + 2 * width, sum(times[points] for points in outer), times.total())
            range_of = {"sign": sign, "middle": low + width, "least": min(outer), "most": max(outer)}
            beyond.append(shared | bar | range_of)
    return Bars(within=within, beyond=beyond)


def _bulk(times: Counter[int]) -> list[int]:
    """Return the amounts that are not outliers, by quantiles, which a few amounts do not move."""
    amounts = sorted(times)
    part = min(0.25, max(_TRIMMED, _TRIMMED_MIN / times.total()))
    (lower, upper), (low, high) = (
        (_quantile(times, amounts, part), _quantile(times, amounts, 1 - part)) for part in (0.25, part)
    )
    reach = _FENCE * (upper - lower)
    return [points for points in amounts if min(low, lower - reach) <= points <= max(high, upper + reach)]


def _quantile(times: Counter[int], amounts: Sequence[int], part: float) -> int:
    ends = [*accumulate(times[points] for points in amounts)]
    return amounts[bisect_left(ends, part * times.total())]


def _bar(low: float, high: float, times: int, total: int) -> Row:
    return {"low": low, "high": high, "times": times, "share": times / total}
