"""The table at the head of a player's year: a line for each game, of which nothing is added up with another's."""

from __future__ import annotations

from typing import Any, Final

from ledger.plots.rows import Figures, Row
from ledger.plots.words import game_title, label

_COLUMNS: Final = {
    "year_game": 0, "year_evenings": 150, "year_tables": 195, "year_deals": 250, "year_points": 310, "year_mean": 430,
    "year_best": 560, "year_worst": 690,
}  # fmt: skip
"""Where each column ends, but the first one, which begins there; in pixels."""

_LINE: Final = 17


def results(alt: Any, figures: Figures, lang: str) -> Any:
    """Each game's evenings, tables, deals and points, the mean of a deal, the best and the worst evening."""
    results = {row["game"]: row for row in figures.parts["results"]}
    lines = [[label(lang, column) for column in _COLUMNS]]
    lines += [_line(row | results[row["game"]], lang) for row in figures.rows]
    cells = [
        {"text": text, "x": x, "y": _LINE * number, "is_head": number == 0, "is_first": x == 0}
        for number, line in enumerate(lines)
        for x, text in zip(_COLUMNS.values(), line, strict=True)
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
    ).properties(width=max(_COLUMNS.values()), height=_LINE * len(lines), view=alt.ViewBackground(stroke=None))


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
