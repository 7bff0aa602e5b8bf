"""Names look alike whatever letters they have, also where no font is installed."""

from __future__ import annotations

import re
from base64 import b64decode
from io import BytesIO
from typing import Any

import pytest
from fontTools.ttLib import TTFont

from ledger.plots.charts import plot_spec
from ledger.plots.fonts import LATIN, font_of, with_letters_named
from ledger.plots.rows import Figures
from ledger.plots.style import CONFIG, FONT, FONTS
from ledger.plots.writing import html, png, svg, svg_with_font

NAMES = ["Łukasz Śliwa", "Zażółć Gęślą", "Ève", "鈴木 一郎", "Ann"]


def spec() -> dict[str, Any]:
    rows = [{"game": "ombre", "player": name, "number": 1, "points": -number} for number, name in enumerate(NAMES)]
    return plot_spec(
        Figures(name="cumulative", position=1, digest=None, filters={}, rows=rows, series=NAMES, left_out="")
    )


def signs_of(font: bytes) -> set[str]:
    return set(map(chr, TTFont(BytesIO(font)).getBestCmap()))


def brought(text: str) -> set[str]:
    """The signs of the font that a picture brings along."""
    face = re.search(r'@font-face \{ font-family: "(.+?)"; src: url\("data:font/ttf;base64,(.+?)"\); \}', text)
    assert face and face[1] == FONT
    return signs_of(b64decode(face[2]))


def test_a_font_has_the_signs_asked_for_and_no_others() -> None:
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
