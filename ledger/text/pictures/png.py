"""Draw the picture of a table as PNG with resvg: no browser, nothing fetched.

Names are set in the letters of the plots; where these lack a sign, in a font of the system. A sign that no font has
would be drawn as an empty box: it is an error instead.
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
    """A file, what its letters are called by, and the signs that it has."""

    path: Path
    family: str
    signs: frozenset[str]


def preferred_font() -> Font:
    """Noto Sans JP, which has Latin and Japanese signs."""
    path: Path = module_of_extra(EXTRA, "pylopdf_fonts_jp").sans_path()
    return font_in(path)


@cache
def latin_font() -> Font:
    """All Latin letters in the face of the preferred font, which lacks some of them."""
    return font_in(latin_folder() / LATIN_FILE)


def fonts_for(text: str) -> list[Font]:
    """The font that has every sign of the text, the preferred one if it does; else several that have them together.

    One font is better than a letter of another among its own: an accent that is put together stands beside its letter.
    Raises `NotFoundError` (`not_installed`) for the first sign that none of them has.
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
    """Neither a blank nor a mark of direction, joining or variation."""
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
    """Upright ones first, and those with the shortest names, which are the plain ones."""
    files = chain.from_iterable(map(_files_in, SYSTEM_FOLDERS))
    return tuple(sorted(files, key=lambda file: (any(map(file.stem.count, _SLANTED)), len(file.stem), str(file))))


def _files_in(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.suffix.lower() in (".ttf", ".otf"))


@cache
def font_in(path: Path) -> Font:
    """The font of a file; without signs where it cannot be read."""
    font_type = module_of_extra(EXTRA, "fontTools.ttLib").TTFont
    try:
        with path.open("rb") as file:
            font = font_type(file, lazy=True)
            return Font(path, font["name"].getBestFamilyName() or "", frozenset(map(chr, font.getBestCmap() or ())))
    except Exception:  # whatever a broken file of the system makes it raise
        return Font(path, "", frozenset())


SCALE_MAX: Final = 4

_SET_TEXT: Final = re.compile(r"<text([^>]*)>([^<]*)</text>")


def picture_png(svg: str, scale: int = 1) -> bytes:
    """What `table_svg` drew as a whole file, 400 × 440 pixels times `scale`.

    Raises `MalformedError` for a scale that is not from 1 to 4, `NotFoundError` (`not_installed`) without the extra, or
    where no font has a sign of a name.
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
