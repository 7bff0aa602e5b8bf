"""Panels, one for each game, and their axes: points of different games are never compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil, floor, log10
from typing import Any, Final

from ledger.plots.rows import Figures, Row, game_title

_COLUMNS: Final = 2

WIDTH: Final = 560
HEIGHT: Final = 320
_WIDTH_OF_SEVERAL: Final = 400
_HEIGHT_OF_SEVERAL: Final = 240


def by_game(
    alt: Any,
    figures: Figures,
    lang: str,
    draw: Callable[[list[Row], int, int], Any],
    *,
    columns: int = _COLUMNS,
    note: Callable[[list[Row]], str] = lambda rows: "",
) -> Any:
    """Draw the rows of each game by `draw(rows, width, height)`, under the game's name and a `note`."""
    games: dict[str, list[Row]] = {}
    for row in figures.rows:
        games.setdefault(row["game"], []).append(row)
    size = (WIDTH, HEIGHT) if len(games) == 1 else (_WIDTH_OF_SEVERAL, _HEIGHT_OF_SEVERAL)
    drawn = [
        draw(rows, *size).properties(title=titled(alt, game_title(game, lang), 13, note(rows)))
        for game, rows in games.items()
    ]
    return alt.concat(*drawn, columns=columns).resolve_scale(color="independent")


def chart_of(alt: Any, rows: Iterable[Row]) -> Any:
    """Return a chart of these rows. Whenever Altair combines charts it copies a list of rows, but not a tuple."""
    return alt.Chart(alt.Data(values=tuple(rows)))


def titled(alt: Any, text: str, size: int, note: str = "", **more: Any) -> Any:
    """Return the title of one picture among several, in this font size, and a note below it."""
    below = {"subtitle": note} if note else {}
    return _shared(alt.Title(text, frame="group", anchor="start", fontSize=size, **below, **more))


def layered(alt: Any, *charts: Any) -> Any:
    """Return a chart of these layers.

    Altair makes a deep copy of every chart that it combines with others, again on each level: two thirds of the time of
    a plot. Nothing changes the data, mark and encoding of a layer any more, so that its copies share them.
    """
    for chart in charts:
        for part in (chart.data, chart.mark, chart.encoding):
            _shared(part)
    return alt.layer(*charts)


def _shared(part: Any) -> Any:
    """Let deep copies of charts contain the part itself; a mark needs a property, as otherwise it is a string."""
    object.__setattr__(part, "__deepcopy__", lambda _: part)
    return part


def reach(values: Sequence[float], room: float = 0.04) -> tuple[float, float]:
    """Return the range of the values with room at both ends."""
    low, high = min(values, default=0), max(values, default=0)
    beyond = room * (high - low) or 0.5
    return low - beyond, high + beyond


_ROUND: Final = (1, 2, 5)


def round_ticks(low: float, high: float, most: int, step_min: float = 0) -> list[float]:
    """Return up to `most` round numbers from `low` to `high`, evenly apart by `step_min` or more."""
    power = floor(log10((high - low) / most)) if high > low else 0
    while True:
        for step in (digit * 10.0**power for digit in _ROUND):
            first, last = ceil(low / step), floor(high / step)
            if step >= step_min and last - first < most:
                return [round(number * step, 9) for number in range(first, last + 1)]
        power += 1


def whole_ticks(low: float, high: float, most: int) -> list[int]:
    """Return up to `most` round whole numbers from `low` to `high`."""
    return [int(tick) for tick in round_ticks(low, high, most, 1)]


def whole_axis(alt: Any, low: float, high: float, most: int = 10, edge: float = 0, **more: Any) -> Any:
    """Return an axis of whole numbers, none of them in its last part `edge`.

    A label at the upper end of an axis would move the title of its picture, but not that of its neighbour.
    """
    return alt.Axis(values=whole_ticks(low, high - edge * (high - low), most), format=",d", **more)


def share_axis(alt: Any, high: float, most: int = 6) -> Any:
    """Return an axis of shares from 0, in per cent, with the decimals that its ticks need to differ."""
    ticks = round_ticks(0, high, most)
    step = ticks[1] if len(ticks) > 1 else 1
    return alt.Axis(values=ticks, format=f".{max(0, -floor(log10(step) + 1e-9) - 2)}%")
