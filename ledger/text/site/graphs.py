"""Small graphs of pages as SVG by classes: estimates with their intervals, and a line of points deal by deal."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import Final

from markupsafe import Markup, escape
from msgspec import Struct

from ledger.text.cards import signed_amount
from ledger.text.site.answer_table import Estimate, number_text
from ledger.text.site.catalogue import say

_WIDTH: Final = 400
_LEFT, _RIGHT = 10, 390
_ROW: Final = 44
_HEAD: Final = 26
_LABEL_CHARS: Final = 34
_ESTIMATES_MAX: Final = 25
_TICKS: Final = 5

_LINE_HEIGHT: Final = 206
_TOP, _BOTTOM = 24, 160
_HIT: Final = 64
"""The side of the area that a finger hits: 44 pixels in the narrowest window."""

_LABEL_WIDTH: Final = 44
_STRETCHES: Final = 100
"""A longer line keeps the lowest and the highest point of each of so many stretches."""


def intervals_graph(estimates: Sequence[Estimate], name: str, lang: str, *, is_share: bool) -> Markup:
    """Return dots with their intervals, a row each under its label; the figures are also in the table.

    `name`: of the estimate. `is_share`: the scale goes from 0 to 1.
    """
    some = estimates[:_ESTIMATES_MAX]
    low = 0.0 if is_share else min(0.0, *(one.low for one in some))
    high = 1.0 if is_share else max(0.0, *(one.high for one in some))
    ticks = _ticks(low, high)
    low, high = min(low, ticks[0]), max(high, ticks[-1])

    def x(value: float) -> str:
        return f"{_LEFT + (value - low) / ((high - low) or 1) * (_RIGHT - _LEFT):.1f}"

    height = _HEAD + _ROW * len(some)
    parts = [
        f'<path class="{"zero" if tick == 0 else "grid"}" d="M{x(tick)} {_HEAD - 4}V{height}"/>'
        f'<text class="tick" x="{x(tick)}" y="14">{number_text(tick)}</text>'
        for tick in ticks
    ]
    for row, one in enumerate(some):
        y = _HEAD + _ROW * row
        count = "" if one.count is None else f'<text class="end" x="{_WIDTH}" y="{y + 16}">n = {one.count}</text>'
        parts.append(
            f'<text x="0" y="{y + 16}">{escape(_shortened(one.label))}</text>{count}'
            f'<path class="span" d="M{x(one.low)} {y + 30}H{x(one.high)}"/>'
            f'<circle cx="{x(one.value)}" cy="{y + 30}" r="6"/>'
        )
    described = say(lang, "stats.graph_described", name=name)
    return _svg(height, described, parts)


def _ticks(low: float, high: float) -> list[float]:
    """Return round values over a range, 0 among them if it is within."""
    span = (high - low) or 1.0
    step = 10 ** floor(log10(span / (_TICKS - 1)))
    step = next(step * times for times in (1, 2, 2.5, 5, 10) if span / (step * times) <= _TICKS - 1)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(number * step, 6) for number in range(first, last + 1)]


def _shortened(text: str) -> str:
    return text if len(text) <= _LABEL_CHARS else text[: _LABEL_CHARS - 1] + "…"


class PointsAfter(Struct, frozen=True, kw_only=True):
    """The sum of points after a deal. `label`: of the deal, for screen readers; `href`: its page, if it has one."""

    label: str
    total: int
    href: str | None


def turning_points(points: Sequence[PointsAfter]) -> list[int]:
    """Return the indices of the highest, the lowest and the last point of a line."""
    if not points:
        return []
    highest = max(range(len(points)), key=lambda at: (points[at].total, -at))
    lowest = min(range(len(points)), key=lambda at: (points[at].total, at))
    return sorted({highest, lowest, len(points) - 1})


def points_graph(points: Sequence[PointsAfter], name: str, ends: tuple[str, str]) -> Markup:
    """Return the line of points deal by deal; its turning points are labelled, and lead to their deals.

    `ends`: the labels of the first and the last point on the axis.
    """
    totals = [0, *(one.total for one in points)]
    low, high = min(totals), max(totals)

    def x(number: int) -> float:
        return 14 + number / max(1, len(points)) * (_WIDTH - 28)

    def y(total: int) -> float:
        return _BOTTOM - (total - low) / ((high - low) or 1) * (_BOTTOM - _TOP)

    drawn = [0, *_thinned(totals)]
    line = " ".join(f"{x(at):.1f},{y(totals[at]):.1f}" for at in drawn)
    parts = [f'<path class="zero" d="M0 {y(0):.1f}H{_WIDTH}"/><polyline points="{line}"/>']
    for at in turning_points(points):
        one = points[at]
        across, along = x(at + 1), y(one.total)
        side = " end" if across > _WIDTH - 60 else ""
        above = along - 9 if one.total >= (low + high) / 2 else along + 19
        is_crowded = at != len(points) - 1 and x(len(points)) - across < _LABEL_WIDTH
        number = "" if is_crowded else signed_amount(one.total)
        mark = (
            f'<rect class="hit" x="{_within(across, _WIDTH)}" y="{_within(along, _LINE_HEIGHT)}"'
            f' width="{_HIT}" height="{_HIT}"/>'
            f'<circle cx="{across:.1f}" cy="{along:.1f}" r="5"/>'
            f'<text class="tick{side or (" start" if across < 60 else "")}" x="{across:.1f}" y="{above:.1f}">'
            f"{number}</text>"
        )
        parts.append(
            mark
            if one.href is None or is_crowded
            else f'<a href="{escape(one.href)}" aria-label="{escape(one.label)}">{mark}</a>'
        )
    parts.append(f'<text class="tick start" x="0" y="{_LINE_HEIGHT - 4}">{escape(ends[0])}</text>')
    parts.append(f'<text class="tick end" x="{_WIDTH}" y="{_LINE_HEIGHT - 4}">{escape(ends[1])}</text>')
    return _svg(_LINE_HEIGHT, name, parts, is_interactive=any(one.href for one in points))


def _within(middle: float, length: int) -> str:
    """Return where the area begins that a finger hits around a point."""
    return f"{min(max(middle - _HIT / 2, 0), length - _HIT):.1f}"


def _thinned(totals: Sequence[int]) -> list[int]:
    """Return the indices after the first one that a line needs: all, or the extremes of each stretch."""
    numbers = range(1, len(totals))
    if len(numbers) <= 2 * _STRETCHES:
        return list(numbers)
    size = -(-len(numbers) // _STRETCHES)
    stretches = [numbers[at : at + size] for at in range(0, len(numbers), size)]
    extremes = {extreme(one, key=totals.__getitem__) for one in stretches for extreme in (min, max)}
    return sorted({*extremes, numbers[-1]})


def _svg(height: int, described: str, parts: Sequence[str], *, is_interactive: bool = False) -> Markup:
    role = "group" if is_interactive else "img"
    return Markup(
        f'<svg class="graph" viewBox="0 0 {_WIDTH} {height}" role="{role}" aria-label="{escape(described)}">'
        f"{''.join(parts)}</svg>"
    )
