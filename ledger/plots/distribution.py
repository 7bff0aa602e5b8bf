"""How often a deal brings how many points: bars, those of each game for themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import floor
from typing import Any, Final

from ledger.plots.panels import by_game
from ledger.plots.rows import Figures, Row
from ledger.plots.style import COLOURS, ZERO_STANDS_OUT
from ledger.plots.words import label

_BARS_MAX: Final = 40
_ROUND: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def deal_points(alt: Any, figures: Figures, lang: str) -> Any:
    def draw(rows: list[Row], width: int, height: int) -> Any:
        titles = label(lang, "points_of_deal"), label(lang, "share_of_deals")
        return distribution(alt, rows, titles).properties(width=width, height=height)

    return by_game(alt, figures, lang, draw)


def distribution(alt: Any, rows: Sequence[Row], titles: tuple[str | None, str | None]) -> Any:
    """Bars for the rows of one game. `titles`: of the axes."""
    chart = alt.Chart(alt.Data(values=in_bars(rows)))
    bars = chart.mark_bar(color=COLOURS[2], stroke="white", strokeWidth=0.5).encode(
        x=alt.X(
            "low:Q",
            title=titles[0],
            scale=alt.Scale(nice=False, zero=True),
            axis=alt.Axis(tickMinStep=1, gridColor=ZERO_STANDS_OUT),
        ),
        x2="high:Q",
        y=alt.Y("share:Q", title=titles[1], axis=alt.Axis(format=".0%")),
        y2=alt.datum(0),
    )
    return alt.layer(bars)


def in_bars(rows: Sequence[Row]) -> list[Row]:
    """Amounts put together in bars of one round width, zero in the middle of one; `low` and `high` are its sides."""
    if not rows:
        return []
    amounts = [row["points"] for row in rows]
    reach = max(amounts) - min(amounts)
    width = next((width for width in _ROUND if reach < width * _BARS_MAX), reach // _BARS_MAX + 1)
    times: Counter[int] = Counter()
    for row in rows:
        times[floor(row["points"] / width + 0.5)] += row["times"]
    return [
        {
            "game": rows[0]["game"],
            "low": (place - 0.5) * width,
            "high": (place + 0.5) * width,
            "times": count,
            "share": count / times.total(),
        }
        for place, count in sorted(times.items())
    ]
