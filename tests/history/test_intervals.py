"""The bounds of shares and means are those of the textbook, and as cautious as measured."""

from math import inf
from random import Random

import duckdb
import pytest

from tests.history.naive import KINDS, documented_minima, interval, interval_by_units, quantile_of_t


def mean_interval(connection: duckdb.DuckDBPyConnection, amounts: list[int]) -> list[float] | None:
    sql = "SELECT mean_interval(histogram(amount)) FROM unnest($amounts::BIGINT[]) AS drawn(amount)"
    row = connection.execute(sql, {"amounts": amounts}).fetchone()
    assert row is not None
    return row[0]


SAMPLES = {
    "two": [3, -1], "two values": [-5] * 20 + [10] * 9, "even": list(range(-30, 31)),
    "a few big ones": [0] * 60 + [1] * 30 + [40, 90, -120], "many": [step % 17 for step in range(4000)],
    "bell": [round(Random(1).gauss(3, 20)) for _ in range(300)], "all the same": [-4] * 12,
}  # fmt: skip


@pytest.mark.parametrize("name", SAMPLES)
def test_bounds_of_a_mean_are_those_of_t_with_four_squares(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    assert mean_interval(connection, SAMPLES[name]) == pytest.approx(interval(SAMPLES[name]), rel=1e-4)


def test_the_quantile_of_t_is_where_its_density_leaves_a_twentieth(connection: duckdb.DuckDBPyConnection) -> None:
    freedoms = [*range(1, 13), 29, 200]
    rows = connection.execute("SELECT student_t(unnest($1::INTEGER[]))", [freedoms]).fetchall()
    assert [quantile for (quantile,) in rows] == pytest.approx([quantile_of_t(one) for one in freedoms], rel=1e-5)


def test_a_few_equal_amounts_do_not_prove_that_there_are_no_others(connection: duckdb.DuckDBPyConnection) -> None:
    few, many = mean_interval(connection, [1] * 5), mean_interval(connection, [1] * 500)
    assert few is not None
    assert many is not None
    assert few[0] < 0.5 < many[0] < 1 < many[1] < few[1]


def test_the_order_of_the_amounts_does_not_matter(connection: duckdb.DuckDBPyConnection) -> None:
    amounts = SAMPLES["a few big ones"]
    assert mean_interval(connection, amounts) == mean_interval(connection, amounts[::-1])


@pytest.mark.parametrize("amounts", [[], [7]])
def test_fewer_than_two_amounts_have_no_bounds(connection: duckdb.DuckDBPyConnection, amounts: list[int]) -> None:
    assert mean_interval(connection, amounts) is None


def bounds_of(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, list[int]], unit: str | None, least: int = 2
) -> list[float] | None:
    sql = """
        SELECT bounds_of(amounts, $least), bounds_of_deals(amounts, $least)
        FROM (
          SELECT amounts_of(amount, table_name, $unit) AS amounts
          FROM (SELECT unnest($names) AS table_name, unnest($amounts) AS amount)
        )"""
    names = [name for name, amounts in tables.items() for _ in amounts]
    parameters = {"names": names, "amounts": [one for amounts in tables.values() for one in amounts]}
    row = connection.execute(sql, {**parameters, "unit": unit, "least": least}).fetchone()
    assert row is not None
    assert unit is not None or row[0] == row[1]
    return row[0]


ALIKE_AT_A_TABLE = {f"t{number}": [number % 5 * 10 - 20] * (10 + number % 3) for number in range(12)}
"""Players who win once at a table always win there: these are 12 facts, not 132."""


def test_by_table_the_sums_of_whole_tables_are_what_is_independent(connection: duckdb.DuckDBPyConnection) -> None:
    units = [(sum(amounts), len(amounts)) for amounts in ALIKE_AT_A_TABLE.values()]
    by_table = bounds_of(connection, ALIKE_AT_A_TABLE, "table")
    by_deal = bounds_of(connection, ALIKE_AT_A_TABLE, None)
    assert by_table == pytest.approx(interval_by_units(units), rel=1e-4)
    assert by_deal == pytest.approx(interval([one for table in ALIKE_AT_A_TABLE.values() for one in table]), rel=1e-4)
    assert by_table is not None
    assert by_deal is not None
    assert by_table[1] - by_table[0] > 3 * (by_deal[1] - by_deal[0])


def test_tables_of_one_deal_are_deals(connection: duckdb.DuckDBPyConnection) -> None:
    tables = {f"t{number}": [amount] for number, amount in enumerate(SAMPLES["two values"])}
    assert bounds_of(connection, tables, "table") == pytest.approx(bounds_of(connection, tables, None))


def test_a_few_tables_say_too_little_of_others(connection: duckdb.DuckDBPyConnection) -> None:
    tables = {f"t{number}": [1, 5, 2, 7 + number] for number in range(5)}
    four = dict(list(tables.items())[:4])
    assert bounds_of(connection, tables, "table") is not None
    assert bounds_of(connection, four, "table") is None
    assert bounds_of(connection, four, None) is not None


@pytest.mark.parametrize("unit", [None, "table"])
def test_fewer_deals_than_the_minimum_have_no_bounds(connection: duckdb.DuckDBPyConnection, unit: str | None) -> None:
    tables = {"a": [1, 2, 4], "b": [3, 5], "c": [2], "d": [7], "e": [0]}
    assert bounds_of(connection, tables, unit, least=8) is not None
    assert bounds_of(connection, tables, unit, least=9) is None


@pytest.mark.parametrize(
    ("amounts", "is_shown"),
    [([-60] * 13, False), ([-60] * 12 + [-40], False), ([-60] * 12 + [-90], False), ([-60] * 11 + [-40, -90], True),
     ([7], False), ([-5] * 6 + [5] * 6, True), ([0.5] * 9 + [1.5, 2.5], True)],
)  # fmt: skip
@pytest.mark.parametrize("unit", [None, "table"])
def test_amounts_that_hardly_vary_have_no_bounds(
    connection: duckdb.DuckDBPyConnection, amounts: list[int], is_shown: bool, unit: str | None
) -> None:
    tables = {f"t{number}": [amount] for number, amount in enumerate(amounts)}
    assert (bounds_of(connection, tables, unit) is not None) is is_shown


@pytest.mark.parametrize("mean", KINDS)
def test_the_minima_are_those_that_were_measured(connection: duckdb.DuckDBPyConnection, mean: str) -> None:
    minima = documented_minima()[mean]
    assert minima
    games = [*minima, "a game of somebody else"]
    rows = connection.execute("SELECT minimum_deals(unnest($1::VARCHAR[]), $2)", [games, mean]).fetchall()
    assert [inf if least is None else least for (least,) in rows] == [*minima.values(), max(minima.values())]
