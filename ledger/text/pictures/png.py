"""The picture of a table as PNG by resvg, without a browser or a network.

Names are set in the letters of the plots, and in a system font if these lack a character. A character without a font
would be drawn as an empty box; it raises an error instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple
from unicodedata import category

from ledger.errors import MalformedError, NotFoundError
from ledger.extras import module_of_extra
from ledger.plots.fonts import LATIN_FILE, latin_folder
from ledger.text.catalogue import phrase
from ledger.text.pictures.seats import marked_up

EXTRA: Final = "serve"
SYSTEM_FOLDERS: Final = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path("/Library/Fonts"))

_SLANTED: Final = ("Italic", "Oblique")


class Font(NamedTuple):
    """A font file, its family, and its characters."""

    path: Path
    family: str
    signs: frozenset[str]


def preferred_font() -> Font:
    """Return Noto Sans JP, which has Latin and Japanese characters."""
    path: Path = module_of_extra(EXTRA, "pylopdf_fonts_jp").sans_path()
    return font_in(path)


@cache
def latin_font() -> Font:
    """Return the font of all Latin letters in the face of the preferred font, which lacks some of them."""
    return font_in(latin_folder() / LATIN_FILE)


def fonts_for(text: str) -> list[Font]:
    """Return one font with every character of the text, if possible the preferred one; else several that have them
    together.

    One font is better than single letters from another: a composed accent would be beside its letter. Raise
    `NotFoundError` (`not_installed`) for the first character that no font has.
    """
    wanted = [sign for sign in text if _is_drawn(sign)]
    preferred = preferred_font()
    if preferred.signs.issuperset(wanted):
        return [preferred]
    latin = latin_font()
    if latin.signs.union(preferred.signs).issuperset(wanted):
        return [latin] if latin.signs.issuperset(wanted) else [latin, preferred]
    whole = next((font for font in _system_fonts() if font.signs.issuperset(wanted)), None)
    if whole is not None:
        return [whole]
    fonts = [preferred]
    for sign in wanted:
        if not any(sign in font.signs for font in fonts):
            fonts.append(_font_with(sign, text))
    return fonts


def _is_drawn(sign: str) -> bool:
    """Return whether a character is visible: no blank and no mark of direction, joining or variation."""
    return not sign.isspace() and category(sign) != "Cf" and not "\ufe00" <= sign <= "\ufe0f"


def _font_with(sign: str, text: str) -> Font:
    for font in _system_fonts():
        if sign in font.signs:
            return font
    raise NotFoundError("not_installed", phrase("picture.no_sign", sign=sign, name=text))


def _system_fonts() -> Iterator[Font]:
    return map(font_in, _system_files())


@cache
def _system_files() -> tuple[Path, ...]:
    """Return font files, upright ones first, then by length of name: the plain ones have short names."""
    files = chain.from_iterable(map(_files_in, SYSTEM_FOLDERS))
    return tuple(sorted(files, key=lambda file: (any(map(file.stem.count, _SLANTED)), len(file.stem), str(file))))


def _files_in(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.suffix.lower() in (".ttf", ".otf"))


@cache
def font_in(path: Path) -> Font:
    """Return the font of a file, without characters if it cannot be read."""
    font_type = module_of_extra(EXTRA, "fontTools.ttLib").TTFont
    try:
        with path.open("rb") as file:
            font = font_type(file, lazy=True)
            return Font(path, font["name"].getBestFamilyName() or "", frozenset(map(chr, font.getBestCmap() or ())))
    except Exception:  # a broken system file may raise anything
        return Font(path, "", frozenset())


SCALE_MAX: Final = 4

_SET_TEXT: Final = re.compile(r"<text([^>]*)>([^<]*)</text>")


def picture_png(svg: str, scale: int = 1) -> bytes:
    """Return the SVG of `table_svg` as a PNG file of 400 × 440 pixels times `scale`.

    Raise `MalformedError` for a scale outside 1 to 4, `NotFoundError` (`not_installed`) without the extra `serve`, or
    if no font has a character of a name.
    """
    if not 1 <= scale <= SCALE_MAX:
        raise MalformedError("scale", phrase("picture.scale", most=SCALE_MAX), str(scale))
    preferred = preferred_font()
    files = {str(preferred.path): None}

    def in_its_font(match: re.Match[str]) -> str:
        attributes, text = match.groups()
        first, *others = fonts_for(unescape(text))
        files.update((str(font.path), None) for font in (first, *others))
        family = "" if first == preferred else f' style="font-family: {marked_up(repr(first.family))}"'
        return f"<text{attributes}{family}>{text}</text>"

    drawn = module_of_extra(EXTRA, "resvg_py").svg_to_bytes(
        svg_string=_SET_TEXT.sub(in_its_font, svg),
        zoom=scale,
        skip_system_fonts=True,
        font_files=list(files),
        font_family=preferred.family,
        sans_serif_family=preferred.family,
    )
    return bytes(drawn)
