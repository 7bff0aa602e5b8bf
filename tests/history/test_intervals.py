"""The bounds beside shares and means are 95 % intervals, and the same figures always have the same bounds."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import fmean, stdev

import duckdb
import pytest

from ledger.history.model.schema import create_tables


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        create_tables(connection)
        yield connection


def mean_interval(connection: duckdb.DuckDBPyConnection, amounts: list[int]) -> list[float] | None:
    sql = "SELECT mean_interval(histogram(amount)) FROM unnest($amounts::BIGINT[]) AS drawn(amount)"
    found = connection.execute(sql, {"amounts": amounts}).fetchone()
    assert found is not None
    return found[0]


def resampled(amounts: list[int], chance: Random) -> tuple[float, float]:
    """The plain bootstrap: means of samples drawn from the amounts with replacement."""
    means = sorted(fmean(chance.choices(amounts, k=len(amounts))) for _ in range(2000))
    return means[50], means[-51]


SAMPLES = {
    "two values": [-5] * 20 + [10] * 9,
    "even": list(range(-30, 31)),
    "a few big ones": [0] * 60 + [1] * 30 + [40, 90, -120],
    "many": [step % 17 for step in range(4000)],
    "bell": [round(Random(1).gauss(3, 20)) for _ in range(300)],
}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_bounds_of_a_mean_are_those_of_a_plain_bootstrap(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    amounts = SAMPLES[name]
    found = mean_interval(connection, amounts)
    assert found is not None
    spread = stdev(amounts) / len(amounts) ** 0.5
    assert found == pytest.approx(resampled(amounts, Random(2)), abs=0.35 * spread + 1e-9)


def test_nineteen_intervals_in_twenty_hold_the_true_mean(connection: duckdb.DuckDBPyConnection) -> None:
    chance, held = Random(3), 0
    for _ in range(200):
        found = mean_interval(connection, [chance.randint(-10, 10) for _ in range(40)])
        assert found is not None
        held += found[0] <= 0 <= found[1]
    assert 180 <= held <= 199


def test_the_order_of_the_amounts_does_not_matter(connection: duckdb.DuckDBPyConnection) -> None:
    amounts = SAMPLES["a few big ones"]
    assert mean_interval(connection, amounts) == mean_interval(connection, amounts[::-1])


@pytest.mark.parametrize("amounts", [[], [7]])
def test_fewer_than_two_amounts_have_no_bounds(connection: duckdb.DuckDBPyConnection, amounts: list[int]) -> None:
    assert mean_interval(connection, amounts) is None


def test_amounts_that_never_differ_have_them_as_both_bounds(connection: duckdb.DuckDBPyConnection) -> None:
    assert mean_interval(connection, [-4] * 12) == pytest.approx([-4, -4])


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"), [(8, 10, 0.490, 0.943), (0, 5, 0.0, 0.434), (5, 5, 0.566, 1)]
)
def test_the_bounds_of_a_share_are_wilsons(
    connection: duckdb.DuckDBPyConnection, hits: int, trials: int, low: float, high: float
) -> None:
    found = connection.execute("SELECT wilson_low($1, $2), wilson_high($1, $2)", [hits, trials]).fetchone()
    assert found == pytest.approx((low, high), abs=0.0005)
