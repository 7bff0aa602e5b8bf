"""Draws figures: each plot as one Vega-Lite specification, by Altair."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from ledger.plots.extra import extra_module
from ledger.plots.figures import Figures, Row
from ledger.plots.style import COLOURS, CONFIG, DASHES, DIVERGING, SHAPES
from ledger.plots.words import game_word, label

_MARKS_A_LINE: Final = 12
"""So many points of a line carry its shape; more would hide the line."""

_WIDTH: Final = 560
_HEIGHT: Final = 320


def plot_spec(figures: Figures, lang: str = "en") -> dict[str, Any]:
    """The specification as Vega-Lite JSON has it; its data are the figures' rows."""
    alt = extra_module("altair")
    chart = _DRAWN[figures.name](alt, figures, lang)
    title = {"text": label(lang, f"title_{figures.name}"), "subtitle": _subtitle(figures, lang)}
    spec: dict[str, Any] = chart.properties(title=title).configure(**CONFIG).to_dict()
    spec["usermeta"] = {
        "embedOptions": {"actions": False},  # its menu leads to a page in the network
        "position": figures.position,
        "digest": figures.digest,
    }
    return spec


def _subtitle(figures: Figures, lang: str) -> list[str]:
    """What is shown, and the log entry that it rests on."""
    told = [_filter_told(key, value, lang) for key, value in figures.filters.items()]
    shown = "; ".join([", ".join(told) or label(lang, "all_deals"), *filter(None, [figures.left_out])])
    return [shown, _as_of(figures, lang)]


def _as_of(figures: Figures, lang: str) -> str:
    position = f"{figures.position:,}"
    if figures.digest is None:
        return label(lang, "as_of_position", position=position)
    return label(lang, "as_of", position=position, digest=figures.digest[:12])


def _filter_told(key: str, value: Any, lang: str) -> str:
    if key in ("since", "until"):
        return label(lang, key, day=value)
    return game_word(value, value, lang) if key == "game" else str(value)


def _lines(
    alt: Any,
    figures: Figures,
    of: str,
    x: Any,
    y: Any,
    legend: str,
    *more: Any,
    interpolate: str = "linear",
) -> Any:
    """Lines in colours, each with a dash and a shape of its own, and `more` layers."""
    rows = _with_marks(figures.rows, of)
    told = alt.Legend(title=legend, symbolLimit=len(COLOURS), labelLimit=260)

    def scale(values: Any) -> Any:
        return alt.Scale(domain=figures.series, range=list(values[: len(figures.series)]))

    colour = alt.Color(f"{of}:N", scale=scale(COLOURS), legend=told, sort=None)
    dash = alt.StrokeDash(f"{of}:N", scale=scale([list(dash) for dash in DASHES]), legend=told, sort=None)
    shape = alt.Shape(f"{of}:N", scale=scale(SHAPES), legend=told, sort=None)
    chart = alt.Chart(alt.Data(values=rows)).encode(x=x, y=y, color=colour)
    line = chart.mark_line(interpolate=interpolate, strokeWidth=2).encode(strokeDash=dash)
    points = chart.transform_filter("datum.is_marked").mark_point(filled=True, size=70, opacity=1).encode(shape=shape)
    return alt.layer(line, points, *more).properties(width=_WIDTH, height=_HEIGHT)


def _with_marks(rows: list[Row], of: str) -> list[Row]:
    """The rows, some of each line marked, its last one among them."""
    by_line: dict[str, list[Row]] = {}
    for row in rows:
        by_line.setdefault(row[of], []).append(row)
    marked = []
    for line in by_line.values():
        every = 1 + len(line) // _MARKS_A_LINE
        marked += [row | {"is_marked": (len(line) - 1 - place) % every == 0} for place, row in enumerate(line)]
    return marked


def _cumulative(alt: Any, figures: Figures, lang: str) -> Any:
    words = partial(label, lang)
    x = alt.X("number:Q", title=words("own_deals"), axis=alt.Axis(tickMinStep=1, format="d"))
    y = alt.Y("points:Q", title=words("points"), axis=alt.Axis(tickMinStep=1))
    return _lines(alt, figures, "player", x, y, words("player"))


def _standings(alt: Any, figures: Figures, lang: str) -> Any:
    words = partial(label, lang)
    unit = figures.rows[0]["unit"] if figures.rows else "deal"
    order = list(dict.fromkeys(row["moment"] for row in figures.rows))
    x = alt.X("moment:O", title=words(unit), sort=order, axis=alt.Axis(labelAngle=0, labelOverlap=True))
    scale = alt.Scale(reverse=True, zero=False, nice=False)
    y = alt.Y("place:Q", title=words("place"), scale=scale, axis=alt.Axis(tickMinStep=1, format="d"))
    return _lines(alt, figures, "player", x, y, words("player"))


def _ratings(alt: Any, figures: Figures, lang: str) -> Any:
    """Lines, and beside the end of each the 95 % interval of the rating."""
    words = partial(label, lang)
    x = alt.X("number:Q", title=words("own_tables"), axis=alt.Axis(tickMinStep=1, format="d"))
    y = alt.Y("rating:Q", title=words("rating"), scale=alt.Scale(zero=False))
    last = {row["player"]: row for row in figures.rows}
    apart = max((row["number"] for row in last.values()), default=0) / 80  # or they would hide one another
    ends = [last[player] | {"beside": last[player]["number"] + apart * n} for n, player in enumerate(figures.series, 1)]
    colours = alt.Scale(domain=figures.series, range=list(COLOURS[: len(figures.series)]))
    interval = (
        alt.Chart(alt.Data(values=ends))
        .mark_rule(strokeWidth=1.5)
        .encode(x="beside:Q", y="low:Q", y2="high:Q", color=alt.Color("player:N", scale=colours, sort=None))
    )
    return _lines(alt, figures, "player", x, y, words("player"), interval)


def _pool(alt: Any, figures: Figures, lang: str) -> Any:
    words = partial(label, lang)
    x = alt.X("deal:Q", title=words("deal"), axis=alt.Axis(tickMinStep=1, format="d"))
    y = alt.Y("pool_after:Q", title=words("pool"), axis=alt.Axis(tickMinStep=1))
    return _lines(alt, figures, "table_name", x, y, words("table"), interpolate="step-after")


def _contracts(alt: Any, figures: Figures, lang: str) -> Any:
    """A point for the share won on a line for its interval; the counts stand beside the name."""
    words = partial(label, lang)
    rows = [row | {"shown": words("contract_deals", **row | _named(row, lang))} for row in figures.rows]
    order = [row["shown"] for row in rows]
    y = alt.Y("shown:N", title=None, sort=order, axis=alt.Axis(labelLimit=300))
    percent = alt.Axis(format=".0%")
    scale = alt.Scale(domain=[0, 1])
    chart = alt.Chart(alt.Data(values=rows)).encode(y=y)
    interval = chart.mark_rule(strokeWidth=2, color=COLOURS[0]).encode(
        x=alt.X("low:Q", title=words("share_won"), scale=scale, axis=percent), x2="high:Q"
    )
    share = chart.mark_point(filled=True, size=90, color=COLOURS[1], opacity=1).encode(x="share_won:Q")
    return alt.layer(interval, share).properties(width=_WIDTH)


def _named(row: Mapping[str, Any], lang: str) -> dict[str, str]:
    """Game and contract of a row as the language calls them."""
    return {key: game_word(row["game"], row[key], lang) for key in ("game", "contract")}


def _shown_ahead(row: Row) -> Row:
    ahead = row["ahead"] + row["level"] / 2
    return {"share_shown": f"{row['share_ahead']:.0%}", "count_shown": f"{ahead:g}/{row['tables']}"}


def _head_to_head(alt: Any, figures: Figures, lang: str) -> Any:
    """A cell for a player against another: at how many of how many tables ahead, and a colour for the share; a level
    table is half of one, in both.
    """
    words = partial(label, lang)
    rows = [row | _shown_ahead(row) for row in figures.rows]
    x = alt.X("opponent_player:N", title=words("opponent"), axis=alt.Axis(labelLimit=160, labelAngle=-40))
    y = alt.Y("player:N", title=words("player"), axis=alt.Axis(labelLimit=160))
    scale = alt.Scale(domain=[0, 0.5, 1], range=list(DIVERGING), interpolate="rgb")
    chart = alt.Chart(alt.Data(values=rows)).encode(x=x, y=y)
    legend = alt.Legend(format=".0%")
    cell = chart.mark_rect(stroke="#AAAAAA").encode(
        color=alt.Color("share_ahead:Q", title=words("share_ahead"), scale=scale, legend=legend)
    )
    # White on dark blue, black on all else.
    ink = alt.condition("datum.share_ahead > 0.8", alt.value("white"), alt.value("black"))
    share = chart.mark_text(fontSize=12, dy=-5).encode(text="share_shown:N", color=ink)
    count = chart.mark_text(fontSize=9, dy=9).encode(text="count_shown:N", color=ink)
    return alt.layer(cell, share, count).properties(width=alt.Step(46), height=alt.Step(46))


_DRAWN: Final[Mapping[str, Callable[[Any, Figures, str], Any]]] = {
    "contracts": _contracts,
    "cumulative": _cumulative,
    "head-to-head": _head_to_head,
    "pool": _pool,
    "ratings": _ratings,
    "standings": _standings,
}
