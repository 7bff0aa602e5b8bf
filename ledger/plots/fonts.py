"""The fonts of plots, and the packages of the extra `plots`, which are loaded when a plot is drawn.

All names have one face: Noto Sans JP, and what it lacks from Source Sans, of whose letters its Latin ones are copies. A
font of the signs that a picture shows can lie within the picture: it then looks alike where no font is installed.
"""

from __future__ import annotations

import atexit
import re
from base64 import b64encode
from collections.abc import Collection
from functools import cache, lru_cache, partial
from html import unescape
from importlib.resources import as_file, files
from io import BytesIO
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Final

from ledger.extras import module_of_extra
from ledger.plots.style import FONT, FONTS

extra_module: Final = partial(module_of_extra, "plots")


def font_file() -> Path:
    """The font that all text is set in: Noto Sans JP, which has Latin and Japanese signs and the suits of cards."""
    path: Path = extra_module("pylopdf_fonts_jp").sans_path()
    return path


LATIN: Final = "Ledger Latin"
"""The family that has the letters which Noto Sans JP lacks, as `tools.letters` made them: at its size and weight."""

LATIN_FILE: Final = "latin.ttf"

_LATIN_BEFORE: Final = 0x0250
_PUNCTUATION: Final = range(0x2010, 0x2070)

_NO_GLYPH: Final = ".notdef"
_TEXT: Final = re.compile(r"<text\b.*?</text>", re.DOTALL)


def more_letters_file() -> Path:
    with as_file(files("ledger.plots").joinpath("vendored", "letters", "letters.ttf")) as path:
        return path


def with_letters_named(svg: str) -> str:
    """The drawing, each text with a letter that the font lacks in the family that has all Latin ones: for a reader that
    looks for such a letter in the fonts of the system.
    """
    lacking = _more_letters()

    def named(text: re.Match[str]) -> str:
        if lacking.isdisjoint(map(ord, unescape(text[0]))):
            return text[0]
        return text[0].replace(f'font-family="{FONTS}"', f'font-family="{LATIN}"')

    return _TEXT.sub(named, svg)


@cache
def latin_folder() -> Path:
    """A folder with the family that has all Latin letters; it is there as long as the process."""
    has = set(_opened(font_file()).getBestCmap())
    known = {code for code in has if code < _LATIN_BEFORE or code in _PUNCTUATION} | _more_letters()
    folder = mkdtemp(prefix="trickledger-fonts-")
    atexit.register(rmtree, folder, ignore_errors=True)
    path = Path(folder, LATIN_FILE)
    path.write_bytes(font_of(set(map(chr, known)), LATIN))
    return path.parent


@cache
def _more_letters() -> frozenset[int]:
    has = set(_opened(font_file()).getBestCmap())
    return frozenset(_opened(more_letters_file()).getBestCmap()) - has


@lru_cache(
    maxsize=32
)  # a font takes longer to make than all else in a picture, and a club's pictures have the same signs
def face(characters: frozenset[str]) -> str:
    """A rule of CSS that holds the font with these characters."""
    source = "data:font/ttf;base64," + b64encode(font_of(characters)).decode()
    return f'@font-face {{ font-family: "{FONT}"; src: url("{source}"); }}'


def with_face(page: str) -> str:
    """A page of HTML that brings the font of its signs along, for what the reader's own fonts lack."""
    return page.replace("<head>", f"<head><style>{face(frozenset(page))}</style>", 1)


def font_of(characters: Collection[str], family: str = FONT) -> bytes:
    """The font with these characters alone, as far as it has them, as TrueType.

    The outlines of the font are of the kind whose glyphs WeasyPrint mixes up where HarfBuzz's own subsetter is not
    installed, and that is a package of the system.
    """
    sources = [_opened(font_file()), _opened(more_letters_file())]
    glyph_of, drawn = {}, {_NO_GLYPH: sources[0].getGlyphSet()[_NO_GLYPH]}
    for source in reversed(sources):
        known, glyphs = source.getBestCmap(), source.getGlyphSet()
        for code in known.keys() & set(map(ord, characters)):
            glyph_of[code] = f"u{code:04X}"
            drawn[glyph_of[code]] = glyphs[known[code]]
    order = [_NO_GLYPH, *sorted(drawn.keys() - {_NO_GLYPH})]
    outlines = {name: _truetype(drawn[name]) for name in order}
    height = {"ascent": sources[0]["hhea"].ascent, "descent": sources[0]["hhea"].descent}
    builder = extra_module("fontTools.fontBuilder").FontBuilder(sources[0]["head"].unitsPerEm, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap(glyph_of)
    builder.setupGlyf(outlines)
    sides = {name: (round(drawn[name].width), getattr(outlines[name], "xMin", 0)) for name in order}
    builder.setupHorizontalMetrics(sides)
    builder.setupHorizontalHeader(**height)
    builder.setupOS2(sTypoAscender=height["ascent"], sTypoDescender=height["descent"])
    builder.setupNameTable({"familyName": family, "styleName": "Regular", "psName": family.replace(" ", "")})
    builder.setupPost()
    # Of the same signs always the same font: without these two it would hold the time of day.
    builder.font.recalcTimestamp = False
    builder.font["head"].created = builder.font["head"].modified = sources[0]["head"].modified
    made = BytesIO()
    builder.save(made)
    return made.getvalue()


def _opened(file: Path) -> Any:
    return extra_module("fontTools.ttLib").TTFont(file)


def _truetype(glyph: Any) -> Any:
    """An outline of cubic curves by quadratic ones, nowhere off by more than a thousandth of its height."""
    pen = extra_module("fontTools.pens.ttGlyphPen").TTGlyphPen(None)
    glyph.draw(extra_module("fontTools.pens.cu2quPen").Cu2QuPen(pen, max_err=1, reverse_direction=True))
    return pen.glyph()
