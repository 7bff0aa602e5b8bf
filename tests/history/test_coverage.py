"""The tool that measures how often intervals hold the true mean, on little data; and the page that it wrote."""

import re
from pathlib import Path

import duckdb
import pytest

from tests.history.naive import KINDS, documented_minima
from tools.coverage.measuring import SIZES, Coverage, coverages, covered, covered_by
from tools.coverage.page import PAGE, with_coverage
from tools.coverage.pools import CLUBS, amounts, make_pool, tables
from tools.coverage.summary import FLOOR, least_tables, minima, read, summarise, write


def coverage(
    variant: str, kind: str, *shares: float | None, who: str = "", what: str = "", amounts: int = 1
) -> Coverage:
    fields = {"variant": variant, "club": "mixed" if who else "even", "kind": kind, "what": what, "who": who}
    return Coverage(**fields, amounts=amounts, shares=dict(zip(SIZES, shares, strict=False)))


BELL = [round(10 * sum(step * factor % 7 - 3 for factor in (1, 3, 5))) for step in range(2000)]
RARE_LOSSES = [1, 2] * 495 + [-500] * 10


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a few deals and tables enough to draw from."""
    monkeypatch.setattr("tools.coverage.pools._LEAST", 4)
    monkeypatch.setattr("tools.coverage.pools._LEAST_TABLES", 2)


def test_intervals_of_amounts_without_skew_hold_as_often_as_they_say(connection: duckdb.DuckDBPyConnection) -> None:
    assert covered(connection, BELL, 1000, [12]) == {12: pytest.approx(0.95, abs=0.03)}


def test_small_samples_miss_rare_losses(connection: duckdb.DuckDBPyConnection) -> None:
    shares = covered(connection, RARE_LOSSES, 500, [2, 10])
    assert shares[2] is None  # two amounts never have an interval
    assert shares[10] is not None
    assert shares[10] < 0.3


def test_whole_tables_are_drawn_where_their_deals_are_alike(connection: duckdb.DuckDBPyConnection) -> None:
    pool = [(8.0 * amount, 8.0, 8.0 * amount * amount) for amount in BELL[:200]]
    by_table, by_deal = (covered_by(connection, by, pool, 300, [12])[12] for by in ("tables", "deals"))
    assert by_table == pytest.approx(0.95, abs=0.04)
    assert by_deal is not None
    assert by_deal < 0.6


@pytest.mark.usefixtures("few")
def test_a_pool_has_the_deals_of_its_game_by_who_plays(tmp_path: Path) -> None:
    make_pool("couillon mit4", "even", 40, tmp_path / "even")
    make_pool("kop", "mixed", 80, tmp_path / "mixed")
    with duckdb.connect(tmp_path / "even", read_only=True) as even, duckdb.connect(tmp_path / "mixed") as mixed:
        assert set(amounts(even, "points")) == {("", "strong"), ("led", "strong")}
        assert set(amounts(even, "partner")) == {("", "strong"), ("pair", "")}
        assert set(amounts(even, "defender")) == {("", "strong")}
        points = amounts(mixed, "points")
        assert {("", who) for who in ("weak", "careful", "strong", "bold")} <= set(points)
        assert {("normal of all", ""), ("normal", "weak")} <= set(amounts(mixed, "contract"))
        weak = tables(mixed)["weak"]
    assert sum(made for made, _, _ in weak) == sum(points["", "weak"])
    assert sum(squares for _, _, squares in weak) == sum(amount**2 for amount in points["", "weak"])


@pytest.mark.usefixtures("few")
def test_everything_is_measured() -> None:
    measured = coverages("kop", "mixed", deals=120, samples=10)
    assert {one.kind for one in measured} == {*KINDS, "by tables", "by deals", "means", "shares"}


def test_the_minimum_is_the_smallest_size_that_is_enough_for_every_kind_and_player() -> None:
    measured = [
        coverage("couillon mit4", "partner", None, 0.96, 0.95),
        coverage("couillon mit4", "partner", *[0.90] * 8, 0.94, who="weak"),
        coverage("couillon six24", "partner", 0.95, 0.94, 0.93),
        coverage("baska", "contract", *[0.96] * 8, who="weak", what="du", amounts=3),
        coverage("baska", "contract", *[0.80] * 6, 0.90, 0.96, who="strong", what="du"),
        coverage("kop", "gain", 0.5, 0.6, 0.7),
        coverage("ombre", "points", 0.94, 0.924, 0.95),
        coverage("baska", "by tables", 0.92, 0.94, 0.95),
    ]
    least = minima(measured)
    assert least["partner"] == {"couillon": SIZES[8]}
    assert least["contract"] == {"baska": SIZES[6]}  # over all players of the club
    assert least["gain"] == {"kop": None}
    assert least["points"] == {"ombre": FLOOR}
    assert least_tables(measured) == 5


def test_the_page_has_the_lowest_and_the_mean_coverage_from_the_minimum_on() -> None:
    page = "# Page\n\n## Measured coverage\n\nout of date\n\n## Next\n\nstays\n"
    measured = [
        coverage("kop", "points", *[0.90] * 6, *[0.951] * 10, 0.962),
        coverage("kop", "contract", *[0.8] * len(SIZES)),
        coverage("kop", "by tables", *[0.94] * 5),
    ]
    written = with_coverage(page, summarise(measured))
    assert written.startswith("# Page\n\n## Measured coverage\n")
    assert written.endswith("\n\n## Next\n\nstays\n")
    assert "out of date" not in written
    assert "| kop | 20 | none |" in written
    assert "| kop | 95.1/95.2 | (80.0/80.0) |" in written


def test_a_stored_measurement_is_read_as_it_was_written(tmp_path: Path) -> None:
    write(read(), tmp_path)
    assert read(tmp_path) == read()
    write(summarise([coverage("kop", "by tables", None, 0.94, who="weak")]), tmp_path)
    (of_all, of_worst) = read(tmp_path).lowest
    assert (of_all.club, of_worst.club, of_all.shares[SIZES[0]], of_all.shares[SIZES[1]]) == (
        "mixed", "mixed, one kind", None, 94.0
    )  # fmt: skip


def measured_shares(of: str, game: str) -> list[dict[int, float]]:
    """Return the stored shares of one kind of interval in a game and all its forms; without an interval, 100."""
    rows = [one for one in read().lowest if (one.kind, one.game.partition(" ")[0]) == (of, game) and one.club in CLUBS]
    return [{size: 100.0 if share is None else share for size, share in row.shares.items()} for row in rows]


@pytest.mark.parametrize("kind", KINDS)
def test_the_documented_minima_follow_from_the_measured_coverage(kind: str) -> None:
    for game, least in documented_minima()[kind].items():
        measured = measured_shares(kind, game)
        assert len(measured) >= (1 if kind == "du" else 2), game  # the even club calls no du
        assert all(share >= 92.5 for shares in measured for size, share in shares.items() if size >= least)
        if least > FLOOR:
            assert any(share < 93 for shares in measured for size, share in shares.items() if size < least)


def test_the_least_number_of_tables_is_the_documented_one(connection: duckdb.DuckDBPyConnection) -> None:
    match = re.search(r"Below\s+(\d+) tables `--by table`", PAGE.read_text(encoding="utf-8"))
    assert match
    least = int(match[1])
    assert connection.execute("SELECT minimum_tables()").fetchone() == (least,)
    rows = [row for game in documented_minima()["points"] for row in measured_shares("by tables", game)]
    assert rows
    assert all(share >= 92.5 for row in rows for size, share in row.items() if size >= least)
