"""A player's year on one page: results, running totals, evenings, deals, contracts and the other players."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from functools import partial
from itertools import accumulate
from typing import Any, Final
from unicodedata import east_asian_width

from ledger.plots.contracts import points_with_intervals
from ledger.plots.distribution import beyond_note, distribution
from ledger.plots.heatmaps import calendar_strip
from ledger.plots.panels import chart_of, layered, reach, titled, whole_axis
from ledger.plots.rows import Figures, Row, game_title, game_word, label
from ledger.plots.style import COLOURS, ZERO_GRID_COLOUR

_COLUMNS: Final = (
    "year_game", "year_evenings", "year_tables", "year_deals", "year_points", "year_mean", "year_best", "year_worst",
)  # fmt: skip

_RESULT_LINE: Final = 17
_LETTER: Final = 6.5
_BETWEEN: Final = 20
_WIDTH: Final = 690
"""Pixels: of a line, of a Latin letter (a Japanese one is twice as wide), between columns, and of the whole at
least.
"""


def results(alt: Any, figures: Figures, lang: str) -> Any:
    """Draw a table of each game's evenings, tables, deals and points, the mean of a deal, the best and the worst
    evening.
    """
    results = {row["game"]: row for row in figures.parts["results"]}
    lines = [[label(lang, column) for column in _COLUMNS]]
    lines += [_line(row | results[row["game"]], lang) for row in figures.rows]
    ends = _ends(lines)
    cells = [
        {"text": text, "x": x, "y": _RESULT_LINE * number, "is_head": number == 0, "is_first": x == 0}
        for number, line in enumerate(lines)
        for x, text in zip(ends, line, strict=True)
    ]
    chart = chart_of(alt, cells).encode(
        x=alt.X("x:Q", scale=None, axis=None),
        y=alt.Y("y:Q", scale=None, axis=None),
        text=alt.Text("text:N"),
        color=alt.condition("datum.is_head", alt.value("#444444"), alt.value("black")),
    )
    first, others = (chart.transform_filter(test) for test in ("datum.is_first", "!datum.is_first"))
    return layered(
        alt,
        first.mark_text(align="left", fontSize=11, baseline="top"),
        others.mark_text(align="right", fontSize=11, baseline="top"),
    ).properties(width=ends[-1], height=_RESULT_LINE * len(lines), view=alt.ViewBackground(stroke=None))


def _ends(lines: Sequence[Sequence[str]]) -> list[float]:
    """Return the right end of each column but the first, which begins at 0; each fits its longest text."""
    widths = [max(_LETTER * _letters(text) for text in column) for column in zip(*lines, strict=True)]
    between = max(_BETWEEN, (_WIDTH - sum(widths)) / (len(widths) - 1))
    ends = accumulate(widths, lambda end, width: end + between + width)
    return [0, *list(ends)[1:]]


def _letters(text: str) -> int:
    return sum(2 if east_asian_width(sign) in "FW" else 1 for sign in text)


def _line(row: Row, lang: str) -> list[str]:
    mean = _signed(row["points_per_deal"], ".2f")
    if row["mean_low"] is not None:
        mean += f" [{_signed(row['mean_low'], '.1f')}, {_signed(row['mean_high'], '.1f')}]"
    return [
        game_title(row["game"], lang),
        *(f"{row[key]:,}" for key in ("evenings", "tables", "deals")),
        _signed(row["points"], ",.0f"),
        mean,
        *(f"{row[f'{end}_day']}  {_signed(row[f'{end}_points'], ',.0f')}" for end in ("best", "worst")),
    ]


def _signed(value: float, form: str) -> str:
    return format(value, f"+z{form}").replace("-", "−")


_CELL: Final = 11
_BANDS_HEIGHT: Final = 640
_BAND_MAX: Final = 260
_BAND_BESIDES: Final = 58
"""Pixels: the height shared by the bands of all games, the most for one band, and its part for title and axis."""

_COURSE: Final = 190
_DEALS: Final = 120
_CONTRACTS: Final = (105, 245)
_SHARES: Final = (215, 325)
"""The widths of the pictures; for those with names, also the end of the names."""

_TICKS: Final = 5
"""The most ticks on an axis of these small pictures."""

_DAYS_OF_MONTHS: Final = 120
"""Over fewer days the axis shows only the first and the last."""

_LINE: Final = 14
_DOT: Final = 8
"""Pixels: the height of a line, and the room of a point at either end of it."""

_PEOPLE_MAX: Final = 7
_MEAN: Final = ("mean_points", "mean_low", "mean_high")


def year_page(alt: Any, figures: Figures, lang: str) -> Any:
    """Draw the page: results, calendar, a band for each game, opponents and partners."""
    first, last = (date.fromisoformat(figures.rows[0][key]) for key in ("first_day", "last_day"))
    evenings = figures.parts["calendar"]
    most = max(row["deals"] for row in evenings)
    days = calendar_strip(alt, evenings, lang, first=first, last=last, most=most, cell=_CELL)
    days = days.properties(title=_titled(alt, label(lang, "year_days", count=len(evenings))))
    bands = [alt.hconcat(*_band(alt, figures, row["game"], lang), spacing=12) for row in figures.rows]
    people = [
        draw(alt, figures.parts[part], lang)
        for part, draw in (("opponents", _opponents), ("partners", _partners))
        if figures.parts[part]
    ]
    parts = [results(alt, figures, lang), days, *bands]
    bottom_row = [alt.hconcat(*people, spacing=30)] if people else []
    return alt.vconcat(*parts, *bottom_row, spacing=16).resolve_scale(size="independent")


def _titled(alt: Any, text: str, note: str = "") -> Any:
    return titled(alt, text, 11, note, offset=4)


def _band(alt: Any, figures: Figures, game: str, lang: str) -> list[Any]:
    """Draw the running total of one game, the distribution of its deals, and the results of its contracts."""
    height = min(_BANDS_HEIGHT // len(figures.rows), _BAND_MAX) - _BAND_BESIDES
    of_game = {part: [row for row in rows if row.get("game") == game] for part, rows in figures.parts.items()}
    days = figures.rows[0]["first_day"], figures.rows[0]["last_day"]
    course = _course(alt, of_game["course"], days, lang).properties(width=_COURSE, height=height)
    deals = distribution(alt, of_game["deals"], (None, None), _TICKS - 1).properties(width=_DEALS, height=height)
    beyond = beyond_note(of_game["deals"], lang, in_short=True)
    contracts = [row for row in of_game["contracts"] if row["played"]]
    is_bounded = any(row["mean_low"] is not None for row in contracts)
    return [
        course.properties(title=_titled(alt, label(lang, "year_course", game=game_title(game, lang)))),
        deals.properties(title=_titled(alt, label(lang, "year_distribution"), beyond)),
        *([_contracts(alt, contracts, height, lang)] if is_bounded else []),
    ]


def _course(alt: Any, rows: Sequence[Row], days: tuple[str, str], lang: str) -> Any:
    """Draw the running total after each day of play, from zero, over the whole season."""
    ends = reach([0, *(row["points"] for row in rows)], 0.08)
    is_short = (date.fromisoformat(days[1]) - date.fromisoformat(days[0])).days < _DAYS_OF_MONTHS
    months = json.dumps(label(lang, "months").split(), ensure_ascii=False)
    axis = alt.Axis(
        labelFlush=False,
        labelExpr="utcFormat(datum.value, '%m-%d')" if is_short else f"{months}[utcmonth(datum.value)]",
        **({"values": list(dict.fromkeys(days))} if is_short else {"tickCount": {"interval": "month", "step": 2}}),
    )
    x = alt.X("played_on:T", title=None, scale=alt.Scale(type="utc", domain=list(days)), axis=axis)
    y_axis = whole_axis(alt, *ends, _TICKS, 0.065, gridColor=ZERO_GRID_COLOUR)
    y = alt.Y("points:Q", title=None, scale=alt.Scale(domain=list(ends), nice=False), axis=y_axis)
    chart = chart_of(alt, [{"played_on": days[0], "points": 0}, *rows]).encode(x=x, y=y)
    return layered(alt, chart.mark_line(interpolate="step-after", color=COLOURS[0], strokeWidth=1.5))


def _contracts(alt: Any, played: Sequence[Row], height: int, lang: str) -> Any:
    """Draw the most played contracts whose mean has an interval."""
    shown = [row for row in played if row["mean_low"] is not None][: height // _LINE]
    named = [row | {"shown": _contract(row, lang)} for row in shown]
    title = label(lang, "year_contracts")
    if len(shown) < len(played):
        title = label(lang, "year_some_contracts", shown=len(shown), known=len(played))
    x = partial(
        alt.X,
        title=None,
        scale=alt.Scale(
            domain=reach([0, *(row[field] for row in shown for field in _MEAN)]), nice=False, range=list(_CONTRACTS)
        ),
        axis=alt.Axis(gridColor=ZERO_GRID_COLOUR, tickCount=4, labelOverlap=True),
    )
    drawn = points_with_intervals(alt, named, x, _MEAN, _CONTRACTS[1], height=_LINE, names_within=_CONTRACTS[0])
    return drawn.properties(title=_titled(alt, title))


def _contract(row: Row, lang: str) -> str:
    return label(lang, "year_contract", contract=game_word(row["game"], row["contract"], lang), played=row["played"])


def _opponents(alt: Any, rows: Sequence[Row], lang: str) -> Any:
    texts = [row | {"player": row["opponent_player"], "ahead": f"{row['ahead'] + row['level'] / 2:g}"} for row in rows]
    named = [row | {"shown": label(lang, "year_opponent", **values)} for row, values in zip(rows, texts, strict=True)]
    return _shares(alt, named, "share_ahead", label(lang, "year_opponents"))


def _partners(alt: Any, rows: Sequence[Row], lang: str) -> Any:
    most = sorted((row for row in rows if row["decided"]), key=lambda row: -row["decided"])
    texts = [row | {"player": row["partner_player"], "game": game_title(row["game"], lang)} for row in most]
    named = [row | {"shown": label(lang, "year_partner", **values)} for row, values in zip(most, texts, strict=True)]
    return _shares(alt, named, "share_won", label(lang, "year_partners"))


def _shares(alt: Any, rows: Sequence[Row], measure: str, title: str) -> Any:
    """Draw the shares of the first rows, those of the players met most."""
    axis = alt.Axis(format=".0%", values=[0, 0.5, 1], gridColor="#DDDDDD", labelFlush=False)
    x = partial(
        alt.X, title=None, scale=alt.Scale(domain=[0, 1], range=[_SHARES[0] + _DOT, _SHARES[1] - _DOT]), axis=axis
    )
    fields = (measure, "low", "high")
    drawn = points_with_intervals(alt, rows[:_PEOPLE_MAX], x, fields, _SHARES[1], height=_LINE, names_within=_SHARES[0])
    return drawn.properties(title=_titled(alt, title))
