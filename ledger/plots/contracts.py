"""Results of contracts, by game: a point for the measure on a line for its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from ledger.plots.panels import by_game, chart_of, layered, reach, round_ticks
from ledger.plots.rows import Figures, Row, game_title, game_word, label
from ledger.plots.style import COLOURS, ZERO_GRID_COLOUR

_ROW_HEIGHT: Final = 20
_MEAN: Final = ("mean_points", "mean_low", "mean_high")


def contracts(alt: Any, figures: Figures, lang: str) -> Any:
    """Draw the share of contracts that declarers won; labels have the counts."""
    words = partial(label, lang)

    def draw(rows: list[Row], width: int, _: int) -> Any:
        named = [row | {"shown": words("contract_deals", **row | _named(row, lang))} for row in rows]
        x = partial(
            alt.X,
            title=words("share_won"),
            scale=alt.Scale(domain=reach([0, 1], 0.03), nice=False),
            axis=alt.Axis(format=".0%", values=round_ticks(0, 1, 6)),
        )
        return points_with_intervals(alt, named, x, ("share_won", "low", "high"), width)

    return by_game(alt, figures, lang, draw)


def contract_points(alt: Any, figures: Figures, lang: str) -> Any:
    """Draw the declarer's mean points per deal; a hollow point has too few deals for an interval."""
    words = partial(label, lang)

    def draw(rows: list[Row], width: int, _: int) -> Any:
        named = [row | {"shown": words("contract_declared", **row | _named(row, lang))} for row in rows]
        bounds = [row[field] for row in rows for field in _MEAN if row[field] is not None]
        x = partial(
            alt.X,
            title=words("points_of_declarer"),
            scale=alt.Scale(domain=reach([0, *bounds]), nice=False),
            axis=alt.Axis(gridColor=ZERO_GRID_COLOUR),
        )
        return points_with_intervals(alt, named, x, _MEAN, width)

    return by_game(alt, figures, lang, draw)


def points_with_intervals(
    alt: Any,
    rows: Sequence[Row],
    x: Any,
    fields: tuple[str, str, str],
    width: int,
    *,
    height: int = _ROW_HEIGHT,
    names_within: int = 0,
) -> Any:
    """Draw a line of this height in pixels for each row, in their order.

    `fields`: the measure, its lower and its upper bound. `names_within`: draw the names within so many pixels at the
    left of the picture, where the scale of `x` begins later.
    """
    measure, low, high = fields
    order = [row["shown"] for row in rows]
    axis = None if names_within else alt.Axis(labelLimit=300)
    chart = chart_of(alt, rows).encode(y=alt.Y("shown:N", title=None, sort=order, axis=axis))
    interval = (
        chart.transform_filter(f"isValid(datum.{low})")
        .mark_rule(strokeWidth=2, color=COLOURS[0])
        .encode(x=x(f"{low}:Q"), x2=alt.X2(f"{high}:Q"))
    )
    is_bounded = alt.condition(f"isValid(datum.{low})", alt.value(COLOURS[1]), alt.value("white"))
    point = chart.mark_point(size=height * 4.5, stroke=COLOURS[1], fillOpacity=1, opacity=1).encode(
        x=x(f"{measure}:Q"), fill=is_bounded
    )
    layers = [interval, point]
    if names_within:
        name = chart.mark_text(align="left", fontSize=10, limit=names_within - 8)
        layers.append(name.encode(x=alt.XValue(4), text=alt.Text("shown:N")))
    return layered(alt, *layers).properties(width=width, height=alt.Step(height))


def _named(row: Mapping[str, Any], lang: str) -> dict[str, str]:
    """Return the names of the row's game and contract in the language."""
    game, contract = row["game"], row["contract"]
    return {"game": game_title(game, lang), "contract": game_word(game, contract, lang)}
