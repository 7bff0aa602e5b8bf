"""The smallest numbers of deals for which intervals are shown, as docs/statistics.md tells them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"
KINDS = ("points", "gain", "cards", "calls")
_HEAD = f"| game | {' | '.join(KINDS)} |"


@cache
def told_minima() -> dict[str, dict[str, int]]:
    """By what the mean is of, and by game."""
    minima: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
    for line in PAGE.read_text(encoding="utf-8").partition(f"{_HEAD}\n")[2].splitlines()[1:]:
        if not line.startswith("|"):
            break
        game, *told = (cell.strip() for cell in line.strip("|").split("|"))
        for kind, least in zip(KINDS, told, strict=True):
            if least:
                minima[kind][game] = int(least)
    return minima
