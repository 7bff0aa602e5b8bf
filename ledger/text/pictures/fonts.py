"""Fonts for the names in a picture of pixels: that of the extra; where it lacks a sign, one of the system.

A sign that no font has would be drawn as an empty box: it is an error instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

from ledger.errors import NotFoundError
from ledger.extras import module_of_extra
from ledger.text.words import phrase

EXTRA: Final = "serve"
SYSTEM_FOLDERS: Final = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path("/Library/Fonts"))


def fonts_for(texts: Iterable[str]) -> list[Path]:
    """The files of the fonts that these texts are set in, the preferred one first.

    Raises `NotFoundError` (`not_installed`) for the first sign that none of them has.
    """
    preferred: Path = module_of_extra(EXTRA, "pylopdf_fonts_jp").sans_path()
    fonts = [preferred]
    for text in texts:
        for sign in text:
            if not sign.isspace() and not any(ord(sign) in _signs_of(font) for font in fonts):
                fonts.append(_font_with(sign, text))
    return fonts


def _font_with(sign: str, text: str) -> Path:
    for font in _system_fonts():
        if ord(sign) in _signs_of(font):
            return font
    raise NotFoundError("not_installed", phrase("picture.no_sign", sign=sign, name=text))


@cache
def _system_fonts() -> tuple[Path, ...]:
    """In the order of their names, upright ones of text first."""
    found = chain.from_iterable(map(_fonts_in, SYSTEM_FOLDERS))
    return tuple(
        sorted(
            found,
            key=lambda font: (any(word in font.stem for word in ("Italic", "Oblique")), len(font.stem), str(font)),
        )
    )


def _fonts_in(folder: Path) -> Iterator[Path]:
    return (font for font in folder.rglob("*") if font.suffix.lower() in (".ttf", ".otf"))


@cache
def _signs_of(font: Path) -> frozenset[int]:
    """The signs that a font has; none where it cannot be read."""
    font_type = module_of_extra(EXTRA, "fontTools.ttLib").TTFont
    try:
        with font.open("rb") as file:
            return frozenset(font_type(file, lazy=True).getBestCmap() or ())
    except Exception:  # whatever a broken file of the system makes it raise
        return frozenset()
