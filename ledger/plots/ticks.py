"""Ticks of axes and legends: round numbers, each of them once."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import Any, Final

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
    """Return the same for what is counted: whole numbers."""
    return [int(tick) for tick in round_ticks(low, high, most, 1)]


def whole_axis(alt: Any, low: float, high: float, most: int = 10, edge: float = 0, **more: Any) -> Any:
    """Return an axis of whole numbers, none of them in its last part `edge`.

    A label at the upper end of an axis would push the title of its picture up, and not that of the one beside it.
    """
    return alt.Axis(values=whole_ticks(low, high - edge * (high - low), most), format=",d", **more)


def share_axis(alt: Any, high: float, most: int = 6) -> Any:
    """Return an axis of shares from 0, in per cent, with the decimals that its ticks need to differ."""
    ticks = round_ticks(0, high, most)
    step = ticks[1] if len(ticks) > 1 else 1
    return alt.Axis(values=ticks, format=f".{max(0, -floor(log10(step) + 1e-9) - 2)}%")
