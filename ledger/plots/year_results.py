"""The table at the head of a player's year: a line for each game, of which nothing is added up with another's."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Final
from unicodedata import east_asian_width

from ledger.plots.rows import Figures, Row
from ledger.plots.words import game_title, label

_COLUMNS: Final = (
    "year_game", "year_evenings", "year_tables", "year_deals", "year_points", "year_mean", "year_best", "year_worst",
)  # fmt: skip

_LINE: Final = 17
_LETTER: Final = 6.5
_BETWEEN: Final = 20
_WIDTH: Final = 690
"""Pixels: of a line, of a Latin letter (a Japanese one is twice as wide), between columns, and of all at least."""


def results(alt: Any, figures: Figures, lang: str) -> Any:
    """Each game's evenings, tables, deals and points, the mean of a deal, the best and the worst evening."""
    results = {row["game"]: row for row in figures.parts["results"]}
    lines = [[label(lang, column) for column in _COLUMNS]]
    lines += [_line(row | results[row["game"]], lang) for row in figures.rows]
    ends = _ends(lines)
    cells = [
        {"text": text, "x": x, "y": _LINE * number, "is_head": number == 0, "is_first": x == 0}
        for number, line in enumerate(lines)
        for x, text in zip(ends, line, strict=True)
    ]
    chart = alt.Chart(alt.Data(values=cells)).encode(
        x=alt.X("x:Q", scale=None, axis=None),
        y=alt.Y("y:Q", scale=None, axis=None),
        text="text:N",
        color=alt.condition("datum.is_head", alt.value("#444444"), alt.value("black")),
    )
    first, others = (chart.transform_filter(test) for test in ("datum.is_first", "!datum.is_first"))
    return alt.layer(
        first.mark_text(align="left", fontSize=11, baseline="top"),
        others.mark_text(align="right", fontSize=11, baseline="top"),
    ).properties(width=ends[-1], height=_LINE * len(lines), view=alt.ViewBackground(stroke=None))


def _ends(lines: Sequence[Sequence[str]]) -> list[float]:
    """Where each column ends but the first one, which begins at the left: each has room for its longest text."""
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
