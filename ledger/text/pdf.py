"""The page of a session report as PDF, by WeasyPrint: no browser, nothing fetched."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection
from io import BytesIO
from typing import Any, Final
from warnings import catch_warnings, filterwarnings

from ledger.plots.extra import extra_module, font_file
from ledger.plots.style import FONT

_NO_GLYPH: Final = ".notdef"


def page_pdf(page: str) -> bytes:
    """An HTML page as PDF, set in a font that has Japanese signs and the suits of cards."""
    with catch_warnings():
        # It wants HarfBuzz's subsetter; `_font_of` makes that unnecessary.
        filterwarnings("ignore", "HarfBuzz-Subset", DeprecationWarning)
        weasyprint = extra_module("weasyprint")
    fetcher = extra_module("weasyprint.urls").URLFetcher
    fonts: Any = extra_module("weasyprint.text.fonts").FontConfiguration()
    source = "data:font/ttf;base64," + b64encode(_font_of(set(page))).decode()
    face = f'@font-face {{ font-family: "{FONT}"; src: url("{source}"); }} body {{ font-family: "{FONT}"; }}'
    sheet = weasyprint.CSS(string=face, font_config=fonts, url_fetcher=fetcher(allowed_protocols=["data"]))
    document = weasyprint.HTML(string=page, url_fetcher=fetcher(allowed_protocols=[]))
    pdf: bytes = document.write_pdf(stylesheets=[sheet], font_config=fonts)
    return pdf


def _font_of(characters: Collection[str]) -> bytes:
    """The font with these characters alone, as TrueType.

    The outlines of the font are of the kind whose glyphs WeasyPrint mixes up where HarfBuzz's own subsetter is not
    installed, and that is a package of the system.
    """
    source = extra_module("fontTools.ttLib").TTFont(font_file())
    drawn, known = source.getGlyphSet(), source.getBestCmap()
    glyph_of = {ord(sign): known[ord(sign)] for sign in characters if ord(sign) in known}
    order = [_NO_GLYPH, *sorted(set(glyph_of.values()) - {_NO_GLYPH})]
    outlines = {name: _truetype(drawn[name]) for name in order}
    height = {"ascent": source["hhea"].ascent, "descent": source["hhea"].descent}
    builder = extra_module("fontTools.fontBuilder").FontBuilder(source["head"].unitsPerEm, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap(glyph_of)
    builder.setupGlyf(outlines)
    sides = {name: (round(drawn[name].width), getattr(outlines[name], "xMin", 0)) for name in order}
    builder.setupHorizontalMetrics(sides)
    builder.setupHorizontalHeader(**height)
    builder.setupOS2(sTypoAscender=height["ascent"], sTypoDescender=height["descent"])
    builder.setupNameTable({"familyName": FONT, "styleName": "Regular"})
    builder.setupPost()
    made = BytesIO()
    builder.save(made)
    return made.getvalue()


def _truetype(glyph: Any) -> Any:
    """An outline of cubic curves by quadratic ones, nowhere off by more than a thousandth of its height."""
    pen = extra_module("fontTools.pens.ttGlyphPen").TTGlyphPen(None)
    glyph.draw(extra_module("fontTools.pens.cu2quPen").Cu2QuPen(pen, max_err=1, reverse_direction=True))
    return pen.glyph()
