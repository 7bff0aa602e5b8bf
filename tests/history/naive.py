"""What the statistics should come to, in plain Python over the facts of a season; slow, and as simple as can be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, TypeAlias

from tests.history.season import DealFacts

Figures: TypeAlias = dict[str, Any]
Rows: TypeAlias = dict[tuple[Any, ...], Figures]
"""The columns by which a row is known to all its other columns."""


@dataclass(frozen=True)
class Share:
    """`hits` of `trials` under three names: the share and the bounds of its interval."""

    hits: float
    trials: int
    low: str = "low"
    high: str = "high"
    scale: int = 1

    def columns(self, name: str) -> Figures:
        if not self.trials:
            return {name: None, self.low: None, self.high: None}
        z, p, n = 1.959964, self.hits / self.trials, self.trials
        centre, margin = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        bounds = (centre - margin) / (1 + z * z / n), (centre + margin) / (1 + z * z / n)
        return {name: self.scale * p, self.low: self.scale * bounds[0], self.high: self.scale * bounds[1]}


@dataclass(frozen=True)
class Mean:
    """The mean of some amounts; its bounds are checked in test_intervals_by_hand.py."""

    amounts: Sequence[float]


def tally(deals: Iterable[Any], key: Callable[[Any], Any]) -> dict[Any, list[Any]]:
    found: dict[Any, list[Any]] = defaultdict(list)
    for deal in deals:
        found[key(deal)].append(deal)
    return found


def won(deals: Iterable[DealFacts]) -> int:
    return sum(deal.is_won is True for deal in deals)


def lost(deals: Iterable[DealFacts]) -> int:
    return sum(deal.is_won is False for deal in deals)


def successes(deals: Sequence[DealFacts]) -> Figures:
    """How many of the deals were decided and won, and the share: of those decided, in every statistic alike."""
    decided = won(deals) + lost(deals)
    return {"decided": decided, "won": won(deals), "share_won": Share(won(deals), decided)}


def gain(deal: DealFacts) -> float:
    """What the deal brought the declarer; of two, each of them."""
    assert deal.declarers
    return sum(deal.deltas[seat] for seat in deal.declarers) / len(deal.declarers)


def is_of(deal: DealFacts, player: str | None) -> bool:
    return player is None or player in {deal.players[seat] for seat in deal.declarers}


def places(points: Mapping[Any, float]) -> dict[Any, int]:
    return {who: 1 + sum(other > own for other in points.values()) for who, own in points.items()}
