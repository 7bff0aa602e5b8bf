"""Plots can be read in grey and by the colour-blind: nothing is told by colour alone."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from ledger.plots.charts import plot_spec
from ledger.plots.figures import Figures
from ledger.plots.style import COLOURS, DASHES, DIVERGING, LINES_MAX, SHAPES

EIGHT = [f"player {number}" for number in range(LINES_MAX)]


def lightness(colour: str) -> float:
    """The relative luminance of WCAG 2, 0 for black to 1 for white."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def figures(name: str, rows: list[dict[str, Any]], series: list[str]) -> Figures:
    return Figures(name=name, position=1, digest="0" * 64, filters={}, rows=rows, series=series, left_out="")


LINES: dict[str, dict[str, Any]] = {
    "cumulative": {"number": 1, "points": 3},
    "standings": {"unit": "day", "step": 1, "moment": "2026-01-01", "place": 1, "points": 3},
    "ratings": {"number": 1, "rating": 25.0, "low": 20.0, "high": 30.0},
    "pool": {"deal": 1, "pool_after": 5},
}


@pytest.mark.parametrize("name", sorted(LINES))
def test_each_line_has_a_colour_a_dash_and_a_shape_of_its_own(name: str) -> None:
    of = "table_name" if name == "pool" else "player"
    spec = plot_spec(figures(name, [LINES[name] | {of: one} for one in EIGHT], EIGHT))
    line, points = spec["layer"][:2]
    for layer, channel in ((line, "color"), (line, "strokeDash"), (points, "color"), (points, "shape")):
        scale = layer["encoding"][channel]["scale"]
        assert scale["domain"] == EIGHT
        assert len({str(value) for value in scale["range"]}) == len(EIGHT)


def test_every_line_stands_out_from_the_paper() -> None:
    assert all(1.05 / (lightness(colour) + 0.05) > 2 for colour in COLOURS)


def test_what_grey_makes_alike_shapes_keep_apart() -> None:
    assert len(COLOURS) == len(DASHES) == len(SHAPES) == LINES_MAX
    for one, other in combinations(range(LINES_MAX), 2):
        assert SHAPES[one] != SHAPES[other] and DASHES[one] != DASHES[other]


def test_every_line_carries_its_shape_at_its_end() -> None:
    rows = [{"player": "Ann", "number": number, "points": number} for number in range(1, 201)]
    spec = plot_spec(figures("cumulative", rows, ["Ann"]))
    values = next(iter(spec["datasets"].values())) if "datasets" in spec else spec["data"]["values"]
    marked = [row["number"] for row in values if row["is_marked"]]
    assert marked[-1] == 200 and 8 <= len(marked) <= 13


def test_a_cell_of_the_heat_map_says_in_figures_what_its_colour_says() -> None:
    assert abs(lightness(DIVERGING[0]) - lightness(DIVERGING[2])) < 0.15  # in grey, the ends look alike
    met = {"tables": 4, "ahead": 3, "level": 0, "behind": 1, "share_ahead": 0.75}
    spec = plot_spec(figures("head-to-head", [met | {"player": "Ann", "opponent_player": "Bob"}], ["Ann", "Bob"]))
    assert {layer["encoding"]["text"]["field"] for layer in spec["layer"][1:]} == {"share_shown", "count_shown"}
    (row,) = spec["data"]["values"]
    assert (row["share_shown"], row["count_shown"]) == ("75%", "3/4")


def test_contracts_show_share_interval_and_counts() -> None:
    row = {"game": "ombre", "contract": "solo", "decided": 10, "won": 8, "share_won": 0.8, "low": 0.49, "high": 0.943}
    spec = plot_spec(figures("contracts", [row], []))
    interval, share = spec["layer"]
    assert (interval["encoding"]["x"]["field"], interval["encoding"]["x2"]["field"]) == ("low", "high")
    assert share["encoding"]["x"]["field"] == "share_won"
    assert spec["data"]["values"][0]["shown"] == "solo (ombre), 8 of 10"
    (japanese,) = plot_spec(figures("contracts", [row], []), "ja")["data"]["values"]
    assert japanese["shown"] == "ソロ(オンブル)、10回中8回"
    assert (japanese["contract"], japanese["game"]) == ("solo", "ombre")


def test_the_contract_of_a_game_that_is_gone_is_shown_as_it_was_recorded() -> None:
    row = {"game": "tarot", "contract": "petite", "decided": 2, "won": 1, "share_won": 0.5, "low": 0.1, "high": 0.9}
    spec = plot_spec(figures("contracts", [row], []), "ja")
    assert spec["data"]["values"][0]["shown"] == "petite(tarot)、2回中1回"
