"""The share of intervals, over many samples, that contain the true value."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import duckdb
from duckdb import DuckDBPyConnection
from msgspec import Struct

from ledger.history.model.schema import create_tables
from ledger.history.questions.selections import difference_bounds
from tools.coverage.pools import amounts, make_pool, tables

SIZES: Final = (2, 3, 5, 7, 10, 15, 20, 25, 30, 40, 50, 70, 100, 150, 200, 300, 500)
TABLES: Final = (2, 3, 5, 7, 10, 15, 20, 30, 50)
PAIRS: Final = ((20, 20), (20, 100), (50, 50), (50, 200), (100, 100), (300, 300))
"""The numbers of deals in the two selections of a comparison."""

COMPARED: Final = (("weak", "strong"), ("careful", "bold"), ("strong", "strong"))
"""The kinds of players whose points, and whose shares of deals won as declarer, are compared."""

SAMPLES: Final = 10_000
DEALS: Final = 12_000
DEALS_OF_FORM: Final = 4_000
"""Deals of each form of Couillon; fewer, because all amounts are small."""
MEANS: Final = ("points", "contract", "du", "declarer", "partner", "defender", "gain", "cards", "calls")
"""Means that have a minimum number of deals of their own."""

NEARLY: Final = 1e-9

_SHOWN_LEAST: Final = 0.05
"""If fewer of the samples have an interval, the share is not reported: too little is known of it."""

_PART: Final = 0.25
"""The largest sample, as a part of its pool: in larger ones, one rare amount would decide nearly all samples."""

# Each sample extends the smaller ones: a window over the earlier steps adds up its amounts.
_DRAWN: Final = """
    WITH pool AS (SELECT unnest($pool) AS one, generate_subscripts($pool, 1) AS place),
    steps AS (
      SELECT number AS draw, min(size) AS size
      FROM range($largest) AS r(number) JOIN (SELECT unnest($sizes) AS size) ON size > number
      GROUP BY number
    ),
    drawn AS (
      SELECT number // $largest AS sample, size, 1 + hash(number + $seed) % len($pool)::UBIGINT AS place
      FROM range($largest * $samples) AS r(number) JOIN steps ON draw = number % $largest
    ),"""

_OF_DEALS: Final = f"""{_DRAWN}
    parts AS (
      SELECT
        sample, size, count(*) AS deals, sum(one) AS total, sum(one * one) AS squares, min(one) AS lowest,
        max(one) AS highest
      FROM drawn JOIN pool USING (place)
      GROUP BY sample, size
    ),
    samples AS (
      SELECT sample, size, {{
        'deals': sum(deals) OVER so_far, 'total': sum(total) OVER so_far, 'squares': sum(squares) OVER so_far,
        'lowest': min(lowest) OVER so_far, 'highest': max(highest) OVER so_far,
        'by_table': NULL::STRUCT(at_table UBIGINT, amount DOUBLE)[]
      }} AS amounts
      FROM parts
      WINDOW so_far AS (PARTITION BY sample ORDER BY size)
    )"""

_MEAN: Final = "bounds_of(amounts, 2)"
_SHARE: Final = "[wilson_low(amounts.total, amounts.deals), wilson_high(amounts.total, amounts.deals)]"

_HELD: Final = """
    SELECT size, avg(($truth BETWEEN bounds[1] - $nearly AND bounds[2] + $nearly)::INTEGER), count(bounds) / count(*)
    FROM (SELECT size, {bounds} AS bounds FROM samples)
    GROUP BY size"""

_OF_TABLES: Final = f"""{_DRAWN}
    parts AS (
      SELECT
        sample, size, count(*)::DOUBLE AS tables, sum(one[1]) AS points, sum(one[2]) AS deals, sum(one[3]) AS squares,
        sum(one[1] * one[1]) AS of_points, sum(one[1] * one[2]) AS products, sum(one[2] * one[2]) AS sizes
      FROM drawn JOIN pool USING (place)
      GROUP BY sample, size
    ),
    samples AS (
      SELECT
        size, sum(tables) OVER so_far AS tables, sum(points) OVER so_far AS points, sum(deals) OVER so_far AS deals,
        sum(squares) OVER so_far AS squares, sum(of_points) OVER so_far AS of_points,
        sum(products) OVER so_far AS products, sum(sizes) OVER so_far AS sizes
      FROM parts
      WINDOW so_far AS (PARTITION BY sample ORDER BY size)
    )"""

_BY: Final = {
    "tables": "bounds_by_table(tables, deals, points, of_points, products, sizes)",
    "deals": "bounds_about(points / deals, squares - points * points / deals, deals, deals)",
}
"""The interval for each assumption of what is independent, when whole tables are drawn."""


class Coverage(Struct, frozen=True, kw_only=True):
    """The share of intervals that contain the true value, by sample size, up to the sizes that the pool allows.

    A share is `None` if hardly any interval is shown. `what`: the contract, role or step of the mean; `who`: how the
    player plays, empty if the mean is not of players; `amounts`: the size of the pool.
    """

    variant: str
    club: str
    kind: str
    what: str
    who: str
    amounts: int
    shares: dict[Any, float | None]


def coverages(variant: str, club: str, deals: int | None = None, samples: int = SAMPLES) -> list[Coverage]:
    """Measure everything about a game, or a form of it, in a club."""
    deals = deals or (DEALS_OF_FORM if " " in variant else DEALS)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pool.duckdb"
        make_pool(variant, club, deals, path)
        with duckdb.connect(path, read_only=True, config={"threads": 1}) as pool:
            kinds = {kind: amounts(pool, kind) for kind in MEANS}
            won, at_tables = amounts(pool, "won"), tables(pool)
    rows: list[Coverage] = []

    def report(kind: str, what: str, who: str, pooled: Sequence[Any], shares: dict[Any, float | None]) -> None:
        row = {"variant": variant, "club": club, "kind": kind, "what": what, "who": who}
        rows.append(Coverage(**row, amounts=len(pooled), shares=shares))

    with duckdb.connect(config={"threads": 1}) as connection:
        create_tables(connection)
        for kind, pools in kinds.items():
            for (what, who), pooled in pools.items():
                report(kind, what, who, pooled, covered(connection, pooled, samples))
        for by in _BY:
            for who, played in at_tables.items():
                report(f"by {by}", "", who, played, covered_by(connection, by, played, samples))
        for kind, pools, bounds, what in (("means", kinds["points"], _MEAN, ""), ("shares", won, _SHARE, "declarer")):
            for one, other in COMPARED:
                if (what, one) in pools and (what, other) in pools:
                    first, second = pools[what, one], pools[what, other]
                    shares = differences_covered(connection, first, second, bounds, samples)
                    report(kind, f"{one} less {other}", "", first, shares)
    return rows


def covered(
    connection: DuckDBPyConnection, pooled: Sequence[float], samples: int, sizes: Sequence[int] = SIZES
) -> dict[int, float | None]:
    """Return, by size, the share of samples whose interval, as statistics show it, contains the mean of the pool."""
    truth = sum(pooled) / len(pooled)
    return _held(connection, _OF_DEALS + _HELD.format(bounds=_MEAN), pooled, truth, samples, sizes)


def covered_by(
    connection: DuckDBPyConnection,
    by: str,
    pooled: Sequence[Sequence[float]],
    samples: int,
    sizes: Sequence[int] = TABLES,
) -> dict[int, float | None]:
    """Return the same when whole tables are drawn, for the interval by tables or by deals."""
    truth = sum(points for points, _, _ in pooled) / sum(deals for _, deals, _ in pooled)
    return _held(connection, _OF_TABLES + _HELD.format(bounds=_BY[by]), pooled, truth, samples, sizes)


def _held(
    connection: DuckDBPyConnection, sql: str, pooled: Sequence[Any], truth: float, samples: int, sizes: Sequence[int]
) -> dict[int, float | None]:
    sizes = [size for size in sizes if size <= len(pooled) * _PART]
    if not sizes:
        return {}
    parameters = _parameters(pooled, sizes, samples) | {"truth": truth, "nearly": NEARLY}
    shares = {size: (share, shown) for size, share, shown in connection.execute(sql, parameters).fetchall()}
    return {size: shares[size][0] if shares[size][1] >= _SHOWN_LEAST else None for size in sizes}


def _parameters(pooled: Sequence[Any], sizes: Sequence[int], samples: int, seed: int = 0) -> dict[str, Any]:
    return {"pool": pooled, "sizes": sizes, "largest": max(sizes), "samples": samples, "seed": seed}


def differences_covered(
    connection: DuckDBPyConnection, one: Sequence[float], other: Sequence[float], bounds: str, samples: int
) -> dict[tuple[int, int], float | None]:
    """Return, by the sizes of two samples, the share whose interval of the difference contains the true difference."""
    truth = sum(one) / len(one) - sum(other) / len(other)
    firsts, seconds = (_drawn(connection, pooled, bounds, seed, samples) for pooled, seed in ((one, 1), (other, 10**9)))
    shares: dict[tuple[int, int], float | None] = {}
    for sizes in PAIRS:
        held = [
            low - NEARLY <= truth <= high + NEARLY
            for first, second in zip(firsts[sizes[0]], seconds[sizes[1]], strict=True)
            if first[1] is not None and second[1] is not None
            for low, high in [difference_bounds(first, second)]
        ]
        shares[sizes] = sum(held) / len(held) if len(held) >= _SHOWN_LEAST * samples else None
    return shares


def _drawn(
    connection: DuckDBPyConnection, pooled: Sequence[float], bounds: str, seed: int, samples: int
) -> dict[int, list[Any]]:
    """Return, by size, the mean of each sample and its bounds."""
    sql = f"""{_OF_DEALS}
        SELECT size, amounts.total / amounts.deals, bounds[1], bounds[2]
        FROM (SELECT *, {bounds} AS bounds FROM samples)
        ORDER BY sample"""
    sizes = sorted({size for pair in PAIRS for size in pair})
    parameters = _parameters(pooled, sizes, samples, seed)
    drawn: dict[int, list[Any]] = {size: [] for size in sizes}
    for size, *interval in connection.execute(sql, parameters).fetchall():
        drawn[size].append(interval)
    return drawn
