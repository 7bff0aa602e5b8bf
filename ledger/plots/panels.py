"""One picture for each game, side by side: points of one game are not points of another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ledger.plots.rows import Figures, Row
from ledger.plots.words import game_title

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
    """What `draw` makes of the rows of each game, of that width and height, under the game's name and a `note`."""
    games: dict[str, list[Row]] = {}
    for row in figures.rows:
        games.setdefault(row["game"], []).append(row)
    size = (WIDTH, HEIGHT) if len(games) == 1 else (_WIDTH_OF_SEVERAL, _HEIGHT_OF_SEVERAL)
    drawn = [
        draw(rows, *size).properties(title=titled(alt, game_title(game, lang), 13, note(rows)))
        for game, rows in games.items()
    ]
    return alt.concat(*drawn, columns=columns).resolve_scale(color="independent")


def titled(alt: Any, text: str, size: int, note: str = "", **more: Any) -> Any:
    """The title of one picture among several, in pixels of this size, and a note below it."""
    below = {"subtitle": note} if note else {}
    return alt.Title(text, frame="group", anchor="start", fontSize=size, **below, **more)


def reach(values: Sequence[float], room: float = 0.04) -> tuple[float, float]:
    """From below the least to above the greatest value, with room at both ends."""
    low, high = min(values, default=0), max(values, default=0)
    beyond = room * (high - low) or 0.5
    return low - beyond, high + beyond
