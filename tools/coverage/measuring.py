"""How many of the intervals of many samples hold the true mean."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import duckdb
from duckdb import DuckDBPyConnection
from msgspec import Struct

from ledger.history.model.schema import create_tables
from tools.coverage.pools import COMPANY, amounts, amounts_at_tables, make_pool

SIZES: Final = (5, 7, 10, 15, 20, 30, 50, 100)
TABLES: Final = (2, 3, 5, 10, 20)
SAMPLES: Final = 10_000
SAMPLES_TO_BOOTSTRAP: Final = 2_000
"""Of the candidates that draw anew from each sample."""

DEALS: Final = 10_000
POINTS: Final = ("player", "declarer")
REST: Final = ("gain", "cards", "calls")
KINDS: Final = (*POINTS, *REST)

SIZES_OF: Final = {
    **dict.fromkeys(KINDS, SIZES),
    "gain": (*SIZES, 200, 300, 500),
    "cards": (*SIZES, 200, 300, 500, 1000),
}
"""What is nearly always the same, and now and then far from it, needs more deals."""

NEARLY: Final = 1e-9

_DEALS_DRAWN: Final = """
    WITH pool AS (SELECT unnest($pool) AS amount, generate_subscripts($pool, 1) AS place),
    drawn AS (
      SELECT number // $size AS sample, 1 + hash(number) % len($pool) AS place FROM range($size * $samples) AS r(number)
    ),
    bounded AS (
      SELECT mean_interval(histogram(amount)) AS bounds FROM drawn JOIN pool USING (place) GROUP BY sample
    ),
    truth AS (SELECT avg(amount) AS mean FROM pool)
    SELECT avg((mean BETWEEN bounds[1] - $nearly AND bounds[2] + $nearly)::INTEGER) FROM bounded CROSS JOIN truth"""

_BY_TABLES: Final = "mean_interval_by_table(list({'at_table': hash(number), 'amount': amount}))"
_BY_DEALS: Final = "mean_interval(histogram(amount))"

_TABLES_DRAWN: Final = """
    WITH pool AS (SELECT unnest($pool) AS points, generate_subscripts($pool, 1) AS place),
    drawn AS (
      SELECT number // $size AS sample, number, 1 + hash(number) % len($pool) AS place
      FROM range($size * $samples) AS r(number)
    ),
    moved AS (SELECT sample, number, unnest(points) AS amount FROM drawn JOIN pool USING (place)),
    bounded AS (SELECT {interval} AS bounds FROM moved GROUP BY sample),
    truth AS (SELECT avg(amount) AS mean FROM (SELECT unnest(points) AS amount FROM pool))
    SELECT avg((mean BETWEEN bounds[1] - $nearly AND bounds[2] + $nearly)::INTEGER) FROM bounded CROSS JOIN truth"""


class Coverage(Struct, frozen=True, kw_only=True):
    """The share of intervals that hold the true mean, by the size of the samples.

    `method`: None for what statistics show, else a candidate. `what`: the contract or step told for, if any.
    """

    game: str
    policy: str
    kind: str
    what: str
    method: str | None
    shares: dict[int, float]


def coverages(game: str, policy: str, deals: int = DEALS, samples: int = SAMPLES) -> list[Coverage]:
    """All that is measured on a pool of deals of the game, played by people of that skill."""
    from tools.coverage.weighing import weighed  # all else does without numpy

    with TemporaryDirectory() as folder:
        path = Path(folder) / "pool.duckdb"
        make_pool(game, policy, deals, path)
        with duckdb.connect(path, read_only=True, config={"threads": 1}) as pool:
            by_kind = {kind: amounts(pool, kind) for kind in KINDS}
            at_tables = amounts_at_tables(pool)
    found = coverages_in_company(game, policy, deals, samples)
    with duckdb.connect(config={"threads": 1}) as connection:
        create_tables(connection)
        for kind, by_what in by_kind.items():
            for what, pooled in by_what.items():
                told = {"game": game, "policy": policy, "kind": kind, "what": what}
                shown = {size: covered(connection, pooled, size, samples) for size in SIZES_OF[kind]}
                found.append(Coverage(**told, method=None, shares=shown))
                if kind in POINTS:
                    found += [
                        Coverage(**told, method=method, shares=shares) for method, shares in weighed(pooled, samples)
                    ]
        shown = {size: covered_by_tables(connection, at_tables, size, samples) for size in TABLES}
        found.append(Coverage(game=game, policy=policy, kind="tables", what="", method=None, shares=shown))
    return found


def coverages_in_company(game: str, policy: str, deals: int = DEALS, samples: int = SAMPLES) -> list[Coverage]:
    """How far intervals by tables and by deals hold for somebody who sits in another company at every second table."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pool.duckdb"
        make_pool(game, policy, deals, path, COMPANY)
        with duckdb.connect(path, read_only=True, config={"threads": 1}) as pool:
            at_tables = amounts_at_tables(pool, seat=0)
    with duckdb.connect(config={"threads": 1}) as connection:
        create_tables(connection)
        ways = {"deals": covered_as_deals, "tables": covered_by_tables}
        shares = {
            what: {size: covered_by(connection, at_tables, size, samples) for size in TABLES}
            for what, covered_by in ways.items()
        }
    return [
        Coverage(game=game, policy=policy, kind="company", what=what, method=None, shares=found)
        for what, found in shares.items()
    ]


def covered(connection: DuckDBPyConnection, pooled: Sequence[int], size: int, samples: int) -> float:
    """The share of samples of that size whose interval, as statistics show it, holds the mean of the pool."""
    return _share(connection, _DEALS_DRAWN, pooled, size, samples)


def covered_by_tables(
    connection: DuckDBPyConnection, pooled: Sequence[Sequence[int]], size: int, samples: int
) -> float:
    """The same where whole tables are drawn, `size` of them, and the interval is that by tables."""
    return _share(connection, _TABLES_DRAWN.format(interval=_BY_TABLES), pooled, size, samples)


def covered_as_deals(connection: DuckDBPyConnection, pooled: Sequence[Sequence[int]], size: int, samples: int) -> float:
    """The same where the interval takes the deals of those tables as independent of each other."""
    return _share(connection, _TABLES_DRAWN.format(interval=_BY_DEALS), pooled, size, samples)


def _share(connection: DuckDBPyConnection, sql: str, pooled: Sequence[Any], size: int, samples: int) -> float:
    asked = {"pool": pooled, "size": size, "samples": samples, "nearly": NEARLY}
    found = connection.execute(sql, asked).fetchone()
    assert found is not None
    return float(found[0])
