"""The fonts of plots, and the packages of the extra `plots`, which are loaded when a plot is drawn.

All names have one face: Noto Sans JP, with missing letters from Source Sans, from which its Latin letters were copied.
A font with the characters of a picture can be embedded in it, so that it looks the same where no font is installed.
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
from threading import RLock
from typing import Any, Final

from ledger.extras import module_of_extra
from ledger.plots.style import FONT, FONTS

extra_module: Final = partial(module_of_extra, "plots")


def font_file() -> Path:
    """Return the file of the font for all text: Noto Sans JP, with Latin and Japanese characters and card suits."""
    path: Path = extra_module("pylopdf_fonts_jp").sans_path()
    return path


LATIN: Final = "Ledger Latin"
"""The family with the letters that Noto Sans JP lacks, made by `tools.letters` in its size and weight."""

LATIN_FILE: Final = "latin.ttf"

_LATIN_BEFORE: Final = 0x0250
_PUNCTUATION: Final = range(0x2010, 0x2070)

_NO_GLYPH: Final = ".notdef"
_reading: Final = RLock()
_TEXT: Final = re.compile(r"<text\b.*?</text>", re.DOTALL)


def more_letters_file() -> Path:
    """Return the file of the letters that Noto Sans JP lacks."""
    with as_file(files("ledger.plots").joinpath("vendored", "letters", "letters.ttf")) as path:
        return path


def with_letters_named(svg: str) -> str:
    """Set each text with a letter that the font lacks in the family of all Latin letters.

    Readers would otherwise take such a letter from the fonts of the system.
    """
    lacking = _more_letters()

    def named(text: re.Match[str]) -> str:
        if lacking.isdisjoint(map(ord, unescape(text[0]))):
            return text[0]
        return text[0].replace(f'font-family="{FONTS}"', f'font-family="{LATIN}"')

    return _TEXT.sub(named, svg)


@cache
def latin_folder() -> Path:
    """Return a temporary folder with the family of all Latin letters; it is removed when the process ends."""
    with _reading:
        has = set(_opened(font_file()).getBestCmap())
    known = {code for code in has if code < _LATIN_BEFORE or code in _PUNCTUATION} | _more_letters()
    folder = mkdtemp(prefix="trickledger-fonts-")
    atexit.register(rmtree, folder, ignore_errors=True)
    path = Path(folder, LATIN_FILE)
    path.write_bytes(font_of(set(map(chr, known)), LATIN))
    return path.parent


@cache
def _more_letters() -> frozenset[int]:
    with _reading:
        has = set(_opened(font_file()).getBestCmap())
        return frozenset(_opened(more_letters_file()).getBestCmap()) - has


@lru_cache(maxsize=32)  # a font takes longer than the rest of a picture, and a club's pictures use the same characters
def face(characters: frozenset[str]) -> str:
    """Return a CSS rule that embeds the font with these characters."""
    source = "data:font/ttf;base64," + b64encode(font_of(characters)).decode()
    return f'@font-face {{ font-family: "{FONT}"; src: url("{source}"); }}'


def with_face(page: str) -> str:
    """Return an HTML page that embeds the font of its characters, for those that the reader's fonts lack."""
    return page.replace("<head>", f"<head><style>{face(frozenset(page))}</style>", 1)


def font_of(characters: Collection[str], family: str = FONT) -> bytes:
    """Return a TrueType font of these characters only, as far as the font has them.

    The original outlines are of a kind that WeasyPrint confuses unless HarfBuzz's subsetter is installed, which is a
    system package.
    """
    with _reading:
        return _font_of(characters, family)


def _font_of(characters: Collection[str], family: str) -> bytes:
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
    # The same characters always give the same font; without these two it would contain the time.
    builder.font.recalcTimestamp = False
    builder.font["head"].created = builder.font["head"].modified = sources[0]["head"].modified
    made = BytesIO()
    builder.save(made)
    return made.getvalue()


@cache  # its tables take longer to read than a picture's characters, and stay read
def _opened(file: Path) -> Any:
    """Return a font file, of which one thread at a time may read."""
    return extra_module("fontTools.ttLib").TTFont(file)


def _truetype(glyph: Any) -> Any:
    """Convert an outline of cubic curves to quadratic ones, with an error of at most a thousandth of its height."""
    pen = extra_module("fontTools.pens.ttGlyphPen").TTGlyphPen(None)
    glyph.draw(extra_module("fontTools.pens.cu2quPen").Cu2QuPen(pen, max_err=1, reverse_direction=True))
    return pen.glyph()
