"""What the means of statistics rest on, and their intervals, by hand: amount by amount, table by table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from math import exp, lgamma, log, pi, sqrt
from typing import Any, NamedTuple, TypeAlias

from ledger.events import Announced, BidMade, CardPlayed, CardsExchanged, Event, ResultRecorded
from tests.history.naive import gain, is_of
from tests.history.season import DealFacts, Season

Interval: TypeAlias = tuple[float, float]


class Moved(NamedTuple):
    """An amount that goes into the mean of a row, at which table, in which game."""

    row: tuple[Any, ...]
    table: str
    game: str
    amount: float


Means: TypeAlias = Callable[[Season, str | None], Iterator[Moved]]


def interval(amounts: Sequence[float]) -> Interval | None:
    """Of deals that are independent of each other."""
    return interval_by_units([(amount, 1) for amount in amounts])


def interval_by_units(units: Sequence[tuple[float, int]]) -> Interval | None:
    """Of units independent of each other, each the sum of some deals and how many they are."""
    if len(units) < 2:
        return None
    deals = sum(count for _, count in units)
    mean = sum(points for points, _ in units) / deals
    off = 4 + sum((points - mean * count) ** 2 for points, count in units)
    half = quantile_of_t(len(units) - 1) * sqrt(off * len(units) / (len(units) - 1)) / deals
    return mean - half, mean + half


@cache
def quantile_of_t(freedom: int) -> float:
    """Between it and its negative lies 95 % of Student's t, whose density is summed up by Simpson's rule."""
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


def intervals(
    moved: Iterator[Moved], least: Mapping[str, int], least_tables: int | None
) -> dict[tuple[Any, ...], Interval | None]:
    """The interval of each row; None where it rests on fewer deals than its games need.

    `least_tables`: whole tables are the units, and so many are needed.
    """
    rows: dict[tuple[Any, ...], list[Moved]] = defaultdict(list)
    for one in moved:
        rows[one.row].append(one)
    return {row: _interval_of(found, least, least_tables) for row, found in rows.items()}


def _interval_of(found: Sequence[Moved], least: Mapping[str, int], least_tables: int | None) -> Interval | None:
    if len(found) < max(least[one.game] for one in found):
        return None
    if least_tables is None:
        return interval([one.amount for one in found])
    tables: dict[str, list[float]] = defaultdict(list)
    for one in found:
        tables[one.table].append(one.amount)
    if len(tables) < least_tables:
        return None
    return interval_by_units([(sum(amounts), len(amounts)) for amounts in tables.values()])


def _moved(row: tuple[Any, ...], deal: DealFacts, amount: float) -> Moved:
    return Moved(row, deal.table.name, deal.table.game, amount)


def standings(season: Season, player: str | None) -> Iterator[Moved]:
    for deal in season.deals:
        if deal.score["status"] == "complete":
            for name, delta in zip(deal.players, deal.deltas, strict=True):
                if player in (None, name):
                    yield _moved((deal.table.game, name), deal, delta)


def contracts(season: Season, player: str | None) -> Iterator[Moved]:
    for deal in season.scored:
        if deal.declarers and deal.contract and is_of(deal, player):
            yield _moved((deal.table.game, deal.contract), deal, gain(deal))


def player_contracts(season: Season, player: str | None) -> Iterator[Moved]:
    for deal in season.scored:
        for seat in deal.declarers if deal.contract else ():
            if player in (None, deal.players[seat]):
                yield _moved((deal.players[seat], deal.table.game, deal.contract), deal, deal.deltas[seat])


def ombre_exchanges(season: Season, player: str | None) -> Iterator[Moved]:
    for deal in season.scored:
        for exchange in deal.of(CardsExchanged) if deal.table.game == "ombre" else []:
            if exchange.seat == deal.declarer and is_of(deal, player):
                yield _moved((deal.contract, exchange.count), deal, gain(deal))


def forced_spadille(season: Season, player: str | None) -> Iterator[Moved]:
    for deal in season.scored:
        if deal.table.game == "quadrille" and deal.contract == "forced" and is_of(deal, player):
            yield _moved((deal.declarer_player,), deal, gain(deal))


def raisers(season: Season, player: str | None) -> Iterator[Moved]:
    words = {"mit", "kontra", "re", "bok", "slup", "d5", "d6", "d7", "d8"}
    for deal in season.scored:
        said = {(event.seat, event.what) for event in deal.of(Announced)}
        said |= {(event.seat, event.call) for event in deal.of(BidMade)}
        for seat, word in said if deal.table.game in ("couillon", "kop", "baska") else ():
            if word in words and player in (None, deal.players[seat]):
                yield _moved((deal.players[seat], deal.table.game, word), deal, deal.deltas[seat])


def doublings(season: Season, player: str | None) -> Iterator[Moved]:
    for deal in season.scored:
        if deal.table.game in ("couillon", "kop", "baska") and (player is None or player in deal.players):
            raised = deal.outcome
            step = (
                sum(raised[word] for word in ("mit", "kontra", "re"))
                if deal.table.game == "couillon"
                else raised["doublings"]
            )
            yield _moved((deal.table.game, step), deal, max(deal.deltas))


def opening_leads(season: Season, player: str | None) -> Iterator[Moved]:
    for deal in season.scored:
        for trick in deal.view.tricks[:1]:
            if player in (None, deal.players[trick.seats[0]]):
                yield _moved((deal.table.game, trick.cards[0]), deal, deal.deltas[trick.seats[0]])


def partners(season: Season, player: str | None) -> Iterator[Moved]:
    for deal in season.scored:
        pairs = [deal.declarers] if len(deal.declarers) == 2 else []
        if deal.table.game == "couillon":
            pairs = [pair for pair in combinations(range(len(deal.players)), 2) if pair[0] % 2 == pair[1] % 2]
        elif not pairs and deal.view.partner is not None:
            pairs = [(deal.declarers[0], deal.view.partner)]
        for first, second in pairs:
            names = sorted((deal.players[first], deal.players[second]), key=lambda name: (name != player, name))
            if player in (None, *names):
                yield _moved((deal.table.game, *names), deal, (deal.deltas[first] + deal.deltas[second]) / 2)


def cards(season: Season, player: str | None) -> Iterator[Moved]:
    return _counted(season, player, CardPlayed)


def calls(season: Season, player: str | None) -> Iterator[Moved]:
    return _counted(season, player, BidMade)


def _counted(season: Season, player: str | None, kind: type[Event]) -> Iterator[Moved]:
    for deal in season.scored:
        if is_of(deal, player) and not deal.of(ResultRecorded):
            yield _moved((deal.table.game, deal.contract), deal, len(deal.of(kind)))
