"""The expected statistics in plain Python over the facts of a season; slow, and as simple as possible."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, inf, lgamma, log, pi, sqrt
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from pytest import approx

from tests.history.season import DealFacts

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


Figures: TypeAlias = dict[str, Any]
Rows: TypeAlias = dict[tuple[Any, ...], Figures]
"""The other columns of each row, by the columns that identify it."""


class Units(NamedTuple):
    """The minimum of deals for an interval of a mean, by what the mean is of and by game; or of tables, if whole tables
    are independent.
    """

    minima: Mapping[str, Mapping[str, float]]
    tables: int | None = None


@dataclass(frozen=True)
class Share:
    """`hits` of `trials` under three names: the share and the bounds of its interval."""

    hits: float
    trials: int
    low: str = "low"
    high: str = "high"
    scale: int = 1

    def columns(self, name: str, _: Units) -> Figures:
        if not self.trials:
            return {name: None, self.low: None, self.high: None}
        z, p, n = 1.959964, self.hits / self.trials, self.trials
        centre, margin = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        low, high = (centre - margin) / (1 + z * z / n), (centre + margin) / (1 + z * z / n)
        figures = {name: p, self.low: low, self.high: high}
        off = 0.00051 if self.scale == 1 else 0.0051  # shares have three digits, figures per 1,000 two
        return {column: approx(self.scale * figure, abs=off) for column, figure in figures.items()}


@dataclass(frozen=True)
class Mean:
    """The mean of what deals moved, and the bounds of its interval, whose columns are `mean_low`, `mean_high`."""

    moved: Sequence[tuple[DealFacts, float]]
    kind: str = "points"
    bounds: str = "mean"

    def columns(self, name: str, units: Units) -> Figures:
        amounts = [amount for _, amount in self.moved]
        low_and_high = f"{self.bounds}_low", f"{self.bounds}_high"
        bounds = [approx(bound, abs=0.0051 + 2e-5 * abs(bound)) for bound in self._interval(units) or ()] or [
            None,
            None,
        ]
        mean = approx(sum(amounts) / len(amounts), abs=0.0051) if amounts else None
        return {name: mean, **dict(zip(low_and_high, bounds, strict=True))}

    def _interval(self, units: Units) -> Interval | None:
        least = max((units.minima[self.kind][deal.table.game] for deal, _ in self.moved), default=1)
        amounts = [amount for _, amount in self.moved]
        if len(amounts) < least or len(amounts) - max(map(amounts.count, amounts), default=0) < 2:
            return None
        if units.tables is None:
            return interval(amounts)
        tables = tally(self.moved, lambda moved: moved[0].table.name).values()
        sums = [(sum(amount for _, amount in moved), len(moved)) for moved in tables]
        return None if len(tables) < units.tables else interval_by_units(sums)


def expected_columns(figures: Figures, units: Units) -> Figures:
    """Return shares and means with their bounds, all with as many digits as a statistic has."""
    columns: Figures = {}
    for name, value in figures.items():
        if isinstance(value, Share | Mean):
            columns |= value.columns(name, units)
        else:
            columns[name] = approx(value, abs=0.00051) if isinstance(value, float) else value
    return columns


def tally(deals: Iterable[Any], key: Callable[[Any], Any]) -> dict[Any, list[Any]]:
    groups: dict[Any, list[Any]] = defaultdict(list)
    for deal in deals:
        groups[key(deal)].append(deal)
    return groups


def won(deals: Iterable[DealFacts]) -> int:
    return sum(deal.is_won is True for deal in deals)


def lost(deals: Iterable[DealFacts]) -> int:
    return sum(deal.is_won is False for deal in deals)


def successes(deals: Sequence[DealFacts]) -> Figures:
    """Return how many of the deals were decided and won, and the share of decided ones, as every statistic has them."""
    decided = won(deals) + lost(deals)
    return {"decided": decided, "won": won(deals), "share_won": Share(won(deals), decided)}


def gains(deals: Sequence[DealFacts]) -> Mean:
    """Return what deals brought the declarer; of two declarers, each."""
    return Mean(
        [
            (deal, sum(deal.deltas[seat] for seat in deal.declarers) / len(deal.declarers))
            for deal in deals
            if deal.declarers
        ],
        kind_of({deal.contract for deal in deals}),
    )


def kind_of(contracts: Collection[str | None]) -> str:
    """Return the kind of the mean of a declarer's points."""
    return "du" if any(str(contract).endswith("_du") for contract in contracts) else "contract"


def is_of(deal: DealFacts, player: str | None) -> bool:
    return player is None or player in {deal.players[seat] for seat in deal.declarers}


def places(points: Mapping[Any, float]) -> dict[Any, int]:
    return {who: 1 + sum(other > own for other in points.values()) for who, own in points.items()}
