"""What holds of every picture, whatever was played: no label twice, none over another one, no empty frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from typing import Any

import pytest

from ledger.history import Filters, History
from ledger.plots.charts import plot_spec, why_nothing
from ledger.plots.figures import figures, plots
from ledger.plots.lines import POINTS_MAX, thinned
from ledger.plots.panels import round_ticks, share_axis, whole_ticks
from ledger.plots.rows import Figures
from tests.covering import covering
from tests.history.helpers import asking
from tests.history.season import rows
from tests.plots.scenes import boxes, hidden, labels, scene_of, views, with_role
from tests.plots.seasons import SEASONS, season_of

LANGUAGES = ("en", "ja")


@pytest.fixture(scope="module")
def history_of() -> Iterator[Callable[[str], History]]:
    """The read model of a season by its name, made when it is first asked for."""
    with ExitStack() as stack:

        @cache
        def made(name: str) -> History:
            return stack.enter_context(asking(season_of(name)))

        yield made


def drawn(history: History, plot: str, lang: str = "en") -> Figures:
    (player,) = history.query("SELECT min(player) FROM points").rows[0]
    filters = Filters(player=(player or "Ann") if plot == "year" else None)
    return figures(history, plot, filters, {}, lang)


CHOSEN = [
    ("calendar", "one_deal", "en"), ("deal-points", "one_outlier", "en"), ("head-to-head", "forty_players", "en"),
    ("pool", "one_deal", "en"), ("ratings", "forty_players", "ja"), ("year", "many_deals", "en"),
]  # fmt: skip
"""Plots and seasons in which labels met, or a frame was empty."""


@pytest.mark.parametrize(("plot", "season", "lang"), [*CHOSEN, *covering(sorted(plots()), sorted(SEASONS), LANGUAGES)])
def test_no_label_is_there_twice_or_over_another_one_and_no_frame_is_empty(
    history_of: Callable[[str], History], plot: str, season: str, lang: str
) -> None:
    scene = scene_of(plot_spec(drawn(history_of(season), plot, lang), lang))
    for role, label in (("axis", "axis-label"), ("legend", "legend-label")):
        for group in with_role(scene, role):
            shown = labels(group, label)
            assert len(shown) == len(set(shown)), shown
    found = list(boxes(scene))
    assert hidden(found) == []
    assert [view for view in views(scene) if not any(mark.get("items") for mark in view)] == []


@pytest.mark.parametrize("plot", sorted(plots()))
def test_a_plot_of_nothing_says_why_and_what_to_do(history_of: Callable[[str], History], plot: str) -> None:
    found = drawn(history_of("nothing"), plot)
    for lang in LANGUAGES:
        scene = scene_of(plot_spec(found, lang))
        shown = "".join(box.text for box in boxes(scene)).replace(" ", "")
        assert why_nothing(found, lang).replace(" ", "") in shown
        assert not list(with_role(scene, "axis"))


def test_filters_that_leave_nothing_are_named(history_of: Callable[[str], History]) -> None:
    found = figures(history_of("one_evening"), "pool", Filters(game="kop"), {})
    assert why_nothing(found, "en") == (
        "Nothing to draw: no pool of Ombre or Quadrille ever held anything among those chosen (Kop). "
        "Choose more: leave out a filter, or give other days."
    )


@pytest.mark.parametrize(("low", "high", "most", "ticks"), [
    (0, 1, 5, [0, 1]), (1, 1, 3, [1]), (1, 2, 3, [1, 2]), (0.5, 2.5, 10, [1, 2]), (0, 9, 3, [0, 5]),
    (-130, 410, 8, [-100, 0, 100, 200, 300, 400]), (0, 50_000, 4, [0, 20_000, 40_000]),
])  # fmt: skip
def test_ticks_of_counts_are_whole_and_round(low: float, high: float, most: int, ticks: list[int]) -> None:
    assert whole_ticks(low, high, most) == ticks


def test_ticks_of_shares_have_as_many_decimals_as_tell_them_apart() -> None:
    class Alt:
        Axis = dict

    axes: list[dict[str, Any]] = [share_axis(Alt, high) for high in (1, 0.3, 0.012)]
    assert [axis["format"] for axis in axes] == [".0%", ".0%", ".1%"]
    assert round_ticks(0, 0.012, 6) == [0, 0.005, 0.01]


def test_a_long_line_keeps_its_extremes_and_its_ends() -> None:
    line = [{"player": "Ann", "number": number, "points": (number * 7) % 100} for number in range(5000)]
    line[1234]["points"], line[4321]["points"] = 900, -900
    kept = thinned(line, ("player",), "points")
    assert len(kept) <= POINTS_MAX and [kept[0], kept[-1]] == [line[0], line[-1]]
    assert {900, -900} <= {row["points"] for row in kept}
    assert thinned(line[:POINTS_MAX], ("player",), "points") == line[:POINTS_MAX]


@pytest.mark.parametrize("plot", ["cumulative", "pool", "standings"])
def test_a_season_of_thousands_is_drawn_with_few_points_and_says_so(
    history_of: Callable[[str], History], plot: str
) -> None:
    found = drawn(history_of("many_deals"), plot)
    lines: dict[str, int] = {}
    for row in found.rows:
        line = row.get("player") or row["table_name"]
        lines[line] = lines.get(line, 0) + 1
    assert POINTS_MAX // 4 < max(lines.values()) <= POINTS_MAX
    assert "up to 200 points" in found.left_out


def test_cumulative_lines_reach_their_extremes_and_end_at_the_standings(history_of: Callable[[str], History]) -> None:
    history = history_of("many_deals")
    totals = history.query(
        "WITH moved AS (SELECT *, coalesce(deal, max(deal) OVER (PARTITION BY table_name)) AS step FROM points) "
        "SELECT sum(sum(amount)) OVER (PARTITION BY player ORDER BY first_position, step) "
        "FROM moved JOIN tables USING (table_name) GROUP BY player, first_position, step"
    ).rows
    found = drawn(history, "cumulative").rows
    points = {row["points"] for row in found}
    assert (min(points), max(points)) == (min(totals)[0], max(totals)[0])
    ends = {row["player"]: row["points"] for row in found}
    assert ends == {row["player"]: row["points"] for row in rows(history, "standings")}
