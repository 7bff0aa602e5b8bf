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


def by_game(alt: Any, figures: Figures, lang: str, draw: Callable[[list[Row], int, int], Any]) -> Any:
    """What `draw` makes of the rows of each game, of that width and height, under the game's name."""
    games = list(dict.fromkeys(row["game"] for row in figures.rows))
    size = (WIDTH, HEIGHT) if len(games) <= 1 else (_WIDTH_OF_SEVERAL, _HEIGHT_OF_SEVERAL)
    drawn = [
        draw([row for row in figures.rows if row["game"] == game], *size).properties(
            title=alt.Title(game_title(game, lang), frame="group", anchor="start", fontSize=13)
        )
        for game in games
    ]
    return alt.concat(*(drawn or [draw([], *size)]), columns=_COLUMNS).resolve_scale(color="independent")


def reach(values: Sequence[float], room: float = 0.04) -> tuple[float, float]:
    """From below the least to above the greatest value, with room at both ends."""
    low, high = min(values, default=0), max(values, default=0)
    beyond = room * (high - low) or 0.5
    return low - beyond, high + beyond
