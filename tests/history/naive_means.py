"""The intervals of means by hand, of single deals or whole tables, and the documented minima of deals
(docs/explanation/intervals.md).
"""

from collections.abc import Sequence
from functools import cache
from math import exp, inf, lgamma, log, pi, sqrt
from pathlib import Path
from typing import TypeAlias

Interval: TypeAlias = tuple[float, float]


def interval(amounts: Sequence[float]) -> Interval | None:
    """Return the interval of deals that are independent of each other."""
    return interval_by_units([(amount, 1) for amount in amounts])


def interval_by_units(units: Sequence[tuple[float, int]]) -> Interval | None:
    """Return the interval of independent units, each the sum of some deals and their number."""
    if len(units) < 2:
        return None
    deals = sum(count for _, count in units)
    mean = sum(points for points, _ in units) / deals
    off = 4 + sum((points - mean * count) ** 2 for points, count in units)
    half = quantile_of_t(len(units) - 1) * sqrt(off * len(units) / (len(units) - 1)) / deals
    return mean - half, mean + half


@cache
def quantile_of_t(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t, whose density is summed up by Simpson's rule."""
    low, high = 1.9, 13.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if _between(middle, freedom) < 0.95 else (low, middle)
    return low


def _between(end: float, freedom: int) -> float:
    steps = 400
    factor = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - log(freedom * pi) / 2)

    def density(t: float) -> float:
        return factor * (1 + t * t / freedom) ** (-(freedom + 1) / 2)

    inner = sum((4 if step % 2 else 2) * density(end * step / steps) for step in range(1, steps))
    return 2 * end / steps / 3 * (density(0) + inner + density(end))


PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "intervals.md"
KINDS = ("points", "contract", "du", "declarer", "partner", "defender", "gain", "cards", "calls")
_HEAD = f"| game | {' | '.join(KINDS)} |"


@cache
def documented_minima() -> dict[str, dict[str, float]]:
    """Return the minimum of deals by what the mean is of, and by game; infinite if no number is enough."""
    minima: dict[str, dict[str, float]] = {kind: {} for kind in KINDS}
    for line in PAGE.read_text(encoding="utf-8").partition(f"{_HEAD}\n")[2].splitlines()[1:]:
        if not line.startswith("|"):
            break
        game, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        for kind, least in zip(KINDS, cells, strict=True):
            if least:
                minima[kind][game] = inf if least == "none" else int(least)
    return minima
