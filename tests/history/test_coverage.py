"""The tool that measures how often intervals hold the true mean, on little; and the page that it wrote."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from tests.history.naive_means import KINDS, told_minima
from tools.coverage.measuring import SIZES, SIZES_OF, Coverage, covered, covered_as_deals, covered_by_tables
from tools.coverage.page import MINIMA, PAGE, minima, with_coverage
from tools.coverage.pools import amounts, amounts_at_tables, make_pool


def coverage(game: str, kind: str, *shares: float, method: str | None = None, policy: str = "careful") -> Coverage:
    told = dict(zip(SIZES, shares, strict=False))
    return Coverage(game=game, policy=policy, kind=kind, what="", method=method, shares=told)


BELL = [round(10 * sum(step * factor % 7 - 3 for factor in (1, 3, 5))) for step in range(2000)]
RARE_LOSSES = [1] * 990 + [-500] * 10


def test_intervals_of_amounts_without_skew_hold_as_often_as_they_say(connection: duckdb.DuckDBPyConnection) -> None:
    assert covered(connection, BELL, 12, 1000) == pytest.approx(0.95, abs=0.03)


def test_what_no_small_sample_shows_is_found_out(connection: duckdb.DuckDBPyConnection) -> None:
    assert covered(connection, RARE_LOSSES, 10, 500) < 0.3


def test_whole_tables_are_drawn_where_their_deals_are_alike(connection: duckdb.DuckDBPyConnection) -> None:
    tables = [[amount] * 8 for amount in BELL[:200]]
    by_table = covered_by_tables(connection, tables, 12, 300)
    by_deal = covered(connection, [amount for table in tables for amount in table], 96, 300)
    assert by_table == pytest.approx(0.95, abs=0.04)
    assert by_deal == pytest.approx(0.95, abs=0.04)  # deals drawn one by one know nothing of their tables
    assert covered_as_deals(connection, tables, 12, 300) < 0.6


def test_a_pool_has_the_deals_of_its_game(tmp_path: Path) -> None:
    make_pool("couillon", "counting", 40, tmp_path / "pool.duckdb")
    with duckdb.connect(tmp_path / "pool.duckdb", read_only=True) as pool:
        (player,) = amounts(pool, "player").values()
        at_tables = amounts_at_tables(pool)
        assert set(amounts(pool, "declarer")) == {"plain"}
        of_first = amounts_at_tables(pool, seat=0)
    assert len(player) >= 4 * 40
    assert sorted(amount for table in at_tables for amount in table) == sorted(player)
    assert of_first == at_tables[::4]


def test_in_a_pool_the_company_changes_table_by_table(tmp_path: Path) -> None:
    def made(name: str, *company: str) -> list[list[int]]:
        make_pool("kop", "counting", 60, tmp_path / name, company)
        with duckdb.connect(tmp_path / name, read_only=True) as pool:
            return amounts_at_tables(pool, seat=0)

    alike, blind, mixed = made("alike"), made("blind", "random"), made("mixed", "random", "counting")
    assert made("counting", "counting") == alike
    assert sorted(map(tuple, mixed)) == sorted(map(tuple, [alike[0], blind[1], alike[2]]))


def test_the_minimum_is_the_smallest_size_that_is_enough_for_whatever_is_told_of_whoever_plays() -> None:
    found = [
        coverage("kop", "player", 0.97, 0.96, 0.95),
        coverage("kop", "declarer", 0.90, 0.929, 0.93, policy="counting"),
        coverage("kop", "declarer", 0.10, 0.10, 0.10, method="another"),
        coverage("kop", "gain", 0.5, 0.6, 0.7),
        coverage("ombre", "player", 0.94, 0.926, 0.95),
        coverage("couillon", "player", 1, 0.3, 0.95),
    ]
    assert minima(found, ("player", "declarer")) == {"kop": 10, "ombre": 5, "couillon": 10}
    assert minima(found, ("gain",)) == {"kop": None}


def test_the_page_is_written_anew_where_its_tables_stand() -> None:
    page = "# Page\n\n### Measured coverage\n\nout of date\n\n## Next\n\nstays\n"
    told = with_coverage(page, [coverage("kop", "player", *([0.951] * len(SIZES)))])
    assert told.startswith("# Page\n\n### Measured coverage\n")
    assert told.endswith("\n\n## Next\n\nstays\n")
    assert "out of date" not in told
    assert f"| kop | careful | player |{' 95.1 |' * len(SIZES)}" in told


@pytest.mark.parametrize("kind", KINDS)
def test_the_told_minima_follow_from_the_told_coverage(kind: str) -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    for game, told in told_minima()[kind].items():
        measured = [row for row in rows if row[0] == game and row[2].partition(",")[0] in MINIMA[kind]]
        column = SIZES_OF[MINIMA[kind][0]].index(told) + 3
        assert all(float(row[column]) >= 93 for row in measured)
        if column > 3:
            assert any(row[column - 1].startswith("(") for row in measured)
