"""Plots are readable in grey and by colour-blind people: nothing is shown by colour alone."""

from itertools import combinations
from typing import Any

import pytest

from ledger.plots.charts import plot_spec
from ledger.plots.distribution import beyond_note, in_bars
from ledger.plots.lines import spread_out
from ledger.plots.pools import shortened
from ledger.plots.rows import Figures
from ledger.plots.style import COLOURS, DASHES, DIVERGING, LINES_MAX, SHAPES
from tests.plots.scenes import layers_of, layers_with, panels_of, rows_in, rows_of

EIGHT = [f"player {number}" for number in range(LINES_MAX)]


def lightness(colour: str) -> float:
    """Return the relative luminance of WCAG 2, 0 for black to 1 for white."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def figures(name: str, rows: list[dict[str, Any]], series: list[str]) -> Figures:
    return Figures(name=name, position=1, digest="0" * 64, filters={}, rows=rows, series=series, left_out="")


LINES: dict[str, dict[str, Any]] = {
    "cumulative": {"game": "ombre", "number": 1, "points": 3},
    "standings": {"game": "ombre", "unit": "day", "step": 1, "moment": "2026-01-01", "place": 1, "points": 3},
    "ratings": {"game": "ombre", "number": 1, "rating": 25.0, "low": 20.0, "high": 30.0},
}


def spec_of_lines(name: str, *changes: dict[str, Any], players: list[str] = EIGHT) -> dict[str, Any]:
    """Return the specification of a plot of lines, with a row for each player and each change of it."""
    rows = [LINES[name] | {"player": player} | change for player in players for change in changes or ({},)]
    return plot_spec(figures(name, rows, players))


@pytest.mark.parametrize("name", sorted(LINES))
def test_each_line_has_a_colour_a_dash_and_a_shape_of_its_own(name: str) -> None:
    line, points = layers_of(spec_of_lines(name))[:2]
    for layer, channel in ((line, "color"), (line, "strokeDash"), (points, "color"), (points, "shape")):
        scale = layer["encoding"][channel]["scale"]
        assert scale["domain"] == EIGHT
        assert len({str(value) for value in scale["range"]}) == len(EIGHT)


def test_names_stay_where_their_lines_end_unless_they_would_hide_each_other() -> None:
    assert spread_out([1, 5, 9], 2) == [1, 5, 9]
    assert spread_out([1, 5, 5, 9], 2) == [1, 4, 6, 9]
    assert spread_out([0, 0, 1], 2) == pytest.approx([-5 / 3, 1 / 3, 7 / 3])
    assert spread_out([], 2) == []
    assert spread_out([8, 9, 9], 2, 0, 9) == [5, 7, 9]


def test_an_interval_is_behind_the_end_of_its_line_and_hides_no_other() -> None:
    spec = spec_of_lines("ratings", {"number": 1}, {"number": 2, "rating": 27.0})
    interval = layers_of(spec)[-1]
    assert interval["mark"]["type"] == "rule"
    assert (interval["encoding"]["y"]["field"], interval["encoding"]["y2"]["field"]) == ("low", "high")
    places = [row["behind"] for row in rows_of(spec, interval)]
    assert min(places) > 2 and max(places) < interval["encoding"]["x"]["scale"]["domain"][1]
    assert len(set(places)) == len(EIGHT)


def test_days_lie_as_far_apart_as_they_are_and_places_from_the_first_at_the_top() -> None:
    days = ({"moment": "2026-01-01"}, {"moment": "2026-01-08", "place": 3}, {"moment": "2026-06-01", "place": 12})
    spec = spec_of_lines("standings", *days)
    line = layers_of(spec)[0]["encoding"]
    assert (line["x"]["type"], line["x"]["scale"]["type"]) == ("temporal", "utc")
    assert line["x"]["axis"]["values"] == [day["moment"] for day in days]
    assert line["y"]["scale"]["reverse"] and line["y"]["scale"]["domain"] == [0.5, 12.5]
    assert line["y"]["axis"]["values"] == list(range(1, 13))


def test_many_places_have_as_much_room_as_few() -> None:
    few, many = (panels_of(spec_of_lines("standings", {"place": place}))[0]["height"] for place in (20, 60))
    assert many == 3 * few


def test_deals_of_an_evening_are_numbers() -> None:
    spec = spec_of_lines("standings", {"unit": "deal", "moment": "2"}, {"unit": "deal", "moment": "10"})
    assert layers_of(spec)[0]["encoding"]["x"]["type"] == "quantitative"
    assert {row["number"] for row in rows_in(spec)} == {2, 10}


@pytest.mark.parametrize("name", ["cumulative", "standings"])
def test_each_game_has_a_picture_of_its_own_in_which_players_keep_their_colours(name: str) -> None:
    spec = spec_of_lines(name, {"game": "ombre"}, {"game": "kop"})
    assert [panel["title"]["text"] for panel in panels_of(spec)] == ["Ombre", "Kop"]
    for panel, game in zip(panels_of(spec), ("ombre", "kop"), strict=True):
        assert {row["game"] for row in rows_of(spec, panel["layer"][0])} == {game}
        assert panel["layer"][0]["encoding"]["color"]["scale"]["domain"] == EIGHT


def test_each_table_has_its_pool_in_a_small_picture_on_the_scale_of_its_game() -> None:
    tables = {"t2": "ombre", "t10": "quadrille", "t1": "ombre"}
    rows = [
        {"game": game, "table_name": table, "deal": deal, "pool_after": deal * (500 if game == "ombre" else 4)}
        for table, game in tables.items()
        for deal in (1, 2)
    ]
    ombre, quadrille = plot_spec(figures("pool", rows, list(tables)))["concat"]
    for part, names, domain in ((ombre, ["t2", "t1"], [0, 1080]), (quadrille, ["t10"], [0, 8.64])):
        assert [panel["title"]["text"] for panel in panels_of(part)] == names
        assert all(panel["layer"][0]["encoding"]["y"]["scale"]["domain"] == domain for panel in panels_of(part))


def test_long_names_of_tables_lose_their_middle_unless_that_makes_them_alike() -> None:
    assert shortened(["evening-of-the-club-1", "t"], 11) == {"evening-of-the-club-1": "eveni…lub-1", "t": "t"}
    alike = ["evening-one-of-the-club", "evening-two-of-the-club"]
    assert shortened(alike, 11) == dict(zip(alike, alike, strict=True))


def test_every_line_has_contrast_with_the_paper_and_a_shape_where_grey_makes_two_alike() -> None:
    assert all(1.05 / (lightness(colour) + 0.05) > 2 for colour in COLOURS)
    assert len(COLOURS) == len(DASHES) == len(SHAPES) == LINES_MAX
    for one, other in combinations(range(LINES_MAX), 2):
        assert SHAPES[one] != SHAPES[other] and DASHES[one] != DASHES[other]


def test_every_line_carries_its_shape_at_its_end() -> None:
    rows = [{"game": "ombre", "player": "Ann", "number": number, "points": number} for number in range(1, 201)]
    marked = [row["number"] for row in rows_in(plot_spec(figures("cumulative", rows, ["Ann"]))) if row["is_marked"]]
    assert marked[-1] == 200 and 8 <= len(marked) <= 13


def met(player: str, other: str, ahead: int, level: int, behind: int) -> dict[str, Any]:
    tables = ahead + level + behind
    share = (ahead + level / 2) / tables
    return {"player": player, "opponent_player": other, "tables": tables, "ahead": ahead, "level": level,
            "behind": behind, "share_ahead": share, "low": share / 2, "high": 1 - share / 2}  # fmt: skip


RIVALS = ["Ann", "Bob", "Cleo"]


def heat_map(lang: str = "en") -> dict[str, Any]:
    rows = [met("Ann", "Bob", 3, 0, 1), met("Bob", "Ann", 1, 0, 3), met("Bob", "Cleo", 1, 2, 1)]
    return plot_spec(figures("head-to-head", [*rows, met("Cleo", "Bob", 1, 2, 1)], RIVALS), lang)


def cells(spec: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["player"], row["opponent_player"]): row for row in rows_in(spec)}


def test_a_cell_of_the_heat_map_says_in_figures_what_its_colour_and_size_say() -> None:
    assert abs(lightness(DIVERGING[0]) - lightness(DIVERGING[2])) < 0.15  # in grey, the ends look alike
    spec = heat_map()
    fields = [layer["encoding"]["text"]["field"] for layer in layers_with(spec, "text")]
    assert fields == ["share_shown", "interval_shown", "count_shown"]
    assert [cells(spec)["Ann", "Bob"][field] for field in fields] == ["75%", "38–62%", "3/4"]
    (square,) = layers_with(spec, "square")
    assert (square["encoding"]["color"]["field"], square["encoding"]["size"]["field"]) == ("share_ahead", "tables")
    assert square["encoding"]["size"]["scale"]["domain"][0] == 0  # twice the tables, twice the ink
    assert square["encoding"]["x"]["sort"] == square["encoding"]["y"]["sort"] == RIVALS


@pytest.mark.parametrize(
    ("lang", "signs"), [("en", ("never met", "the same player", "level")), ("ja", ("対戦なし", "本人", "互角"))]
)
def test_players_who_never_met_are_level_or_equal_are_in_the_legend(lang: str, signs: tuple[str, str, str]) -> None:
    spec = heat_map(lang)
    shown_cells = cells(spec)
    never_met, oneself, level = signs
    assert shown_cells["Ann", "Cleo"]["sign"] == shown_cells["Cleo", "Ann"]["sign"] == never_met
    assert [shown_cells[player, player]["sign"] for player in RIVALS] == [oneself] * 3
    assert shown_cells["Bob", "Cleo"]["sign"] == level and shown_cells["Ann", "Bob"]["sign"] is None
    (sign,) = layers_with(spec, "point")
    scale = sign["encoding"]["shape"]["scale"]
    assert set(scale["domain"]) == set(signs) and len(set(scale["range"])) == 3


def test_contracts_show_share_interval_and_counts() -> None:
    row = {"game": "ombre", "contract": "solo", "decided": 10, "won": 8, "share_won": 0.8, "low": 0.49, "high": 0.943}
    spec = plot_spec(figures("contracts", [row], []))
    interval, share = layers_of(spec)
    assert (interval["encoding"]["x"]["field"], interval["encoding"]["x2"]["field"]) == ("low", "high")
    assert share["encoding"]["x"]["field"] == "share_won"
    assert (panels_of(spec)[0]["title"]["text"], rows_in(spec)[0]["shown"]) == ("Ombre", "solo, 8 of 10")
    japanese = plot_spec(figures("contracts", [row], []), "ja")
    assert (panels_of(japanese)[0]["title"]["text"], rows_in(japanese)[0]["shown"]) == ("オンブル", "ソロ、10回中8回")
    assert (rows_in(japanese)[0]["contract"], rows_in(japanese)[0]["game"]) == ("solo", "ombre")


def test_the_contract_of_a_game_that_is_gone_is_shown_as_it_was_recorded() -> None:
    row = {"game": "tarot", "contract": "petite", "decided": 2, "won": 1, "share_won": 0.5, "low": 0.1, "high": 0.9}
    spec = plot_spec(figures("contracts", [row], []), "ja")
    assert (panels_of(spec)[0]["title"]["text"], rows_in(spec)[0]["shown"]) == ("tarot", "petite、2回中1回")


def test_the_points_of_a_contract_are_hollow_where_no_interval_is_known() -> None:
    known = {"game": "kop", "contract": "solo", "declared": 20, "mean_points": 2.5, "mean_low": -1.0, "mean_high": 6.0}
    unknown = known | {"contract": "zolo", "declared": 2, "mean_points": -8.0, "mean_low": None, "mean_high": None}
    spec = plot_spec(figures("contract-points", [known, unknown], []))
    interval, point = layers_of(spec)
    encoding = interval["encoding"]
    assert (encoding["x"]["field"], encoding["x2"]["field"]) == ("mean_low", "mean_high")
    assert interval["transform"] == [{"filter": "isValid(datum.mean_low)"}]
    assert point["encoding"]["fill"]["condition"]["test"] == "isValid(datum.mean_low)"
    low, high = encoding["x"]["scale"]["domain"]
    assert low < -8 and high > 6


def test_bars_are_of_one_round_width_with_zero_in_the_middle_of_one() -> None:
    rows = [{"game": "ombre", "points": points, "times": 2, "share": 0.01} for points in range(-50, 50)]
    bars = in_bars(rows).within
    assert {bar["high"] - bar["low"] for bar in bars} == {5} and (bars[10]["low"], bars[10]["high"]) == (-2.5, 2.5)
    assert [bar["times"] for bar in bars[1:-1]] == [10] * 19 and sum(bar["times"] for bar in bars) == 200
    assert sum(bar["share"] for bar in bars) == pytest.approx(1)


@pytest.mark.parametrize(("core", "far", "beyond", "note"), [
    (range(-5, 6), {20: 1}, [], ""),
    (range(-5, 6), {5_000: 2, 52_000: 1, -900: 1}, [("◀", 1), ("▶", 3)],
     "◀ farther out: 1, at −900; ▶ farther out: 3, from 5,000 to 52,000"),
    ([0], {52_000: 1}, [("▶", 1)], "▶ farther out: 1, at 52,000"),
])  # fmt: skip
def test_what_lies_far_out_sets_no_bars_and_is_counted_at_the_end(
    core: list[int], far: dict[int, int], beyond: list[tuple[str, int]], note: str
) -> None:
    times = dict.fromkeys(core, 30) | far
    rows = [{"game": "ombre", "points": points, "times": count} for points, count in times.items()]
    bars = in_bars(rows)
    assert {bar["high"] - bar["low"] for bar in bars.within} == {1}
    assert [(bar["sign"], bar["times"]) for bar in bars.beyond] == beyond
    assert sum(bar["times"] for bar in [*bars.within, *bars.beyond]) == sum(times.values())
    assert beyond_note(rows, "en") == note


def test_a_day_is_in_the_column_of_its_week_and_the_row_of_its_weekday() -> None:
    days = {"2026-01-01": (0, "Thu"), "2026-01-05": (1, "Mon"), "2026-12-31": (52, "Thu"), "2024-12-31": (52, "Tue")}
    rows = [{"played_on": day, "tables": 1, "deals": number} for number, day in enumerate(days, 1)]
    spec = plot_spec(figures("calendar", rows, []))
    assert [panel["title"]["text"] for panel in panels_of(spec)] == ["2024", "2026"]
    assert {row["played_on"]: (row["week"], row["weekday"]) for row in rows_in(spec)} == days
    scales = [layer["encoding"]["size"]["scale"]["domain"] for layer in layers_of(spec)]
    assert scales == [[0, 4], [0, 4]]  # a square is as large in one year as in another
