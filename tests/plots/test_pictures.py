"""Rules for every picture: no label twice or over another one, no empty frame, and the same face in all names."""

import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from io import BytesIO
from itertools import product
from typing import Any

import pytest
from fontTools.ttLib import TTFont

from ledger.history import Filters, History
from ledger.plots.charts import plot_spec, why_nothing
from ledger.plots.export import html, png, svg, svg_with_font
from ledger.plots.figures import figures, plots
from ledger.plots.fonts import LATIN, font_of, with_letters_named
from ledger.plots.lines import POINTS_MAX, thinned
from ledger.plots.panels import round_ticks, share_axis, whole_ticks
from ledger.plots.rows import Figures
from ledger.plots.style import CONFIG, FONT, FONTS
from tests.covering import IS_SOAK, covering, wider_in_soak
from tests.history.helpers import opened_history
from tests.history.season import rows
from tests.plots.scenes import boxes, hidden, labels, scene_of, views, with_role
from tests.plots.seasons import SEASONS, season_of

LANGUAGES = ("en", "ja")


@pytest.fixture(scope="module")
def history_of() -> Iterator[Callable[[str], History]]:
    """Make the read model of a season by its name when a test first needs it."""
    with ExitStack() as stack:

        @cache
        def made(name: str) -> History:
            return stack.enter_context(opened_history(season_of(name)))

        yield made


def drawn(history: History, plot: str, lang: str = "en") -> Figures:
    (player,) = history.query("SELECT min(player) FROM points").rows[0]
    filters = Filters(player=(player or "Ann") if plot == "year" else None)
    return figures(history, plot, filters, {}, lang)


CHOSEN = {
    "calendar": ("one_deal", "en"), "deal-points": ("one_outlier", "en"), "head-to-head": ("forty_players", "en"),
    "pool": ("one_deal", "en"), "ratings": ("forty_players", "ja"), "year": ("many_deals", "en"),
}  # fmt: skip
"""Seasons in which labels of a plot overlapped, or a frame was empty."""

OTHERS = covering(sorted(plots().keys() - CHOSEN.keys()), ["games_mixed", "one_evening", "three_players"], LANGUAGES)
WHOLE = product(sorted(plots()), sorted(SEASONS), LANGUAGES) if IS_SOAK else ()


@pytest.mark.parametrize(("plot", "season", "lang"), [
    *((plot, *how) for plot, how in CHOSEN.items()),
    *OTHERS,
    *(pytest.param(*row, marks=pytest.mark.soak) for row in WHOLE),
])  # fmt: skip
def test_no_label_is_there_twice_or_over_another_one_and_no_frame_is_empty(
    history_of: Callable[[str], History], plot: str, season: str, lang: str
) -> None:
    scene = scene_of(plot_spec(drawn(history_of(season), plot, lang), lang))
    for role, label in (("axis", "axis-label"), ("legend", "legend-label")):
        for group in with_role(scene, role):
            shown = labels(group, label)
            assert len(shown) == len(set(shown)), shown
    placed = list(boxes(scene))
    assert hidden(placed) == []
    assert [view for view in views(scene) if not any(mark.get("items") for mark in view)] == []


@wider_in_soak
@pytest.mark.parametrize("plot", sorted(plots()))
def test_a_plot_of_nothing_says_why_and_what_to_do(history_of: Callable[[str], History], plot: str) -> None:
    plotted = drawn(history_of("nothing"), plot)
    for lang in LANGUAGES if IS_SOAK else [LANGUAGES[sorted(plots()).index(plot) % 2]]:
        scene = scene_of(plot_spec(plotted, lang))
        shown = "".join(box.text for box in boxes(scene)).replace(" ", "")
        assert why_nothing(plotted, lang).replace(" ", "") in shown
        assert not list(with_role(scene, "axis"))


def test_filters_that_leave_nothing_are_named(history_of: Callable[[str], History]) -> None:
    plotted = figures(history_of("one_evening"), "pool", Filters(game="kop"), {})
    assert why_nothing(plotted, "en") == (
        "Nothing to draw: no pool of Ombre or Quadrille held anything among the chosen deals (Kop). "
        "Leave out a filter, or give other days."
    )


@pytest.mark.parametrize(("low", "high", "most", "ticks"), [
    (0, 1, 5, [0, 1]), (1, 1, 3, [1]), (1, 2, 3, [1, 2]), (0.5, 2.5, 10, [1, 2]), (0, 9, 3, [0, 5]),
    (-130, 410, 8, [-100, 0, 100, 200, 300, 400]), (0, 50_000, 4, [0, 20_000, 40_000]),
])  # fmt: skip
def test_ticks_of_counts_are_whole_and_round(low: float, high: float, most: int, ticks: list[int]) -> None:
    assert whole_ticks(low, high, most) == ticks


def test_ticks_of_shares_have_as_many_decimals_as_they_need_to_differ() -> None:
    class Alt:
        Axis = dict

    axes: list[dict[str, Any]] = [share_axis(Alt, high) for high in (1, 0.3, 0.012)]
    assert [axis["format"] for axis in axes] == [".0%", ".0%", ".1%"]
    assert round_ticks(0, 0.012, 6) == [0, 0.005, 0.01]


def test_a_long_line_keeps_its_extremes_and_its_ends() -> None:
    line = [{"player": "Ann", "number": number, "points": (number * 7) % 100} for number in range(5000)]
    line[1234]["points"], line[4321]["points"] = 900, -900
    left = thinned(line, ("player",), "points")
    assert len(left) <= POINTS_MAX and [left[0], left[-1]] == [line[0], line[-1]]
    assert {900, -900} <= {row["points"] for row in left}
    assert thinned(line[:POINTS_MAX], ("player",), "points") == line[:POINTS_MAX]
    short = [row | {"player": "Ben"} for row in line[:POINTS_MAX]]
    assert thinned(line + short, ("player",), "points") == left + short


@pytest.mark.parametrize("plot", ["cumulative", "pool", "standings"])
def test_a_season_of_thousands_has_few_points_and_a_note(history_of: Callable[[str], History], plot: str) -> None:
    plotted = drawn(history_of("many_deals"), plot)
    lines: dict[str, int] = {}
    for row in plotted.rows:
        line = row.get("player") or row["table_name"]
        lines[line] = lines.get(line, 0) + 1
    assert POINTS_MAX // 4 < max(lines.values()) <= POINTS_MAX
    assert "up to 200 points" in plotted.left_out


def test_cumulative_lines_reach_their_extremes_and_end_at_the_standings(history_of: Callable[[str], History]) -> None:
    history = history_of("many_deals")
    totals = history.query(
        "WITH moved AS (SELECT *, coalesce(deal, max(deal) OVER (PARTITION BY table_name)) AS step FROM points) "
        "SELECT sum(sum(amount)) OVER (PARTITION BY player ORDER BY first_position, step) "
        "FROM moved JOIN tables USING (table_name) GROUP BY player, first_position, step"
    ).rows
    drawn_rows = drawn(history, "cumulative").rows
    points = {row["points"] for row in drawn_rows}
    assert (min(points), max(points)) == (min(totals)[0], max(totals)[0])
    ends = {row["player"]: row["points"] for row in drawn_rows}
    assert ends == {row["player"]: row["points"] for row in rows(history, "standings")}


NAMES = ["Łukasz Śliwa", "Zażółć Gęślą", "Ève", "鈴木 一郎", "Ann"]


def spec() -> dict[str, Any]:
    rows = [{"game": "ombre", "player": name, "number": 1, "points": -number} for number, name in enumerate(NAMES)]
    return plot_spec(
        Figures(name="cumulative", position=1, digest=None, filters={}, rows=rows, series=NAMES, left_out="")
    )


def signs_of(font: bytes) -> set[str]:
    return set(map(chr, TTFont(BytesIO(font)).getBestCmap()))


def brought(text: str) -> set[str]:
    """Return the characters of the font embedded in a picture."""
    face = re.search(r'@font-face \{ font-family: "(.+?)"; src: url\("data:font/ttf;base64,(.+?)"\); \}', text)
    assert face and face[1] == FONT
    return signs_of(b64decode(face[2]))


def test_a_font_has_the_requested_signs_and_no_others() -> None:
    assert signs_of(font_of("Łśąęć é鈴♠")) == set("Łśąęć é鈴♠")
    assert font_of("Łé鈴") == font_of("鈴éŁ")


def test_letters_of_another_font_are_as_large_as_their_neighbours() -> None:
    font = TTFont(BytesIO(font_of("nńaąoöőczćž")))
    widths = {chr(code): font["hmtx"][name][0] for code, name in font.getBestCmap().items()}
    assert widths["ą"] == pytest.approx(widths["a"], rel=0.02)
    assert widths["ő"] == pytest.approx(widths["o"], rel=0.02)
    assert widths["ć"] == pytest.approx(widths["c"], rel=0.02)


def test_a_drawing_and_a_page_bring_the_signs_of_all_names() -> None:
    names = set("".join(NAMES)) | set("−1")  # that minus is not the sign on keyboards
    assert names <= brought(svg_with_font(spec()))
    assert names <= brought(html(spec()))


def test_the_fonts_end_in_a_generic_family() -> None:
    assert CONFIG["font"] == FONTS and FONTS.endswith(", sans-serif")
    families = set(re.findall(r'font-family="([^"]+)"', svg(spec())))
    assert families == {FONTS}


def test_texts_with_letters_that_the_font_lacks_are_named_and_no_others() -> None:
    drawn = svg(spec())
    named = re.findall(rf'<text[^>]*font-family="{LATIN}"[^>]*>([^<]+)</text>', with_letters_named(drawn))
    assert sorted(named) == ["Zażółć Gęślą", "Łukasz Śliwa"]


def picture_of(sign: str, font: str) -> bytes:
    return png({"mark": {"type": "text", "font": font, "fontSize": 40}, "data": {"values": [{}]},
                "encoding": {"text": {"value": sign}}, "width": 200, "height": 60})  # fmt: skip


@pytest.mark.parametrize(("font", "signs"), [(FONTS, "ŁLśsąaęeć"), ("Noto Sans JP", "愛鈴累♠♥♦♣é")])
def test_each_sign_is_drawn_as_itself(font: str, signs: str) -> None:
    pictures = [picture_of(sign, font) for sign in signs]
    assert len(set(pictures)) == len(pictures)  # signs that a font lacks look all alike
    assert picture_of("\U000e0ff0", font) not in pictures
