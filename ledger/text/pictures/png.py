"""A picture of the table as PNG, drawn by resvg without a browser; nothing is fetched."""

from __future__ import annotations

import re
from html import unescape
from typing import Final

from ledger.errors import MalformedError
from ledger.extras import module_of_extra
from ledger.text.pictures.fonts import EXTRA, fonts_for, preferred_font
from ledger.text.pictures.markup import marked_up
from ledger.text.words import phrase

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

    def in_its_font(found: re.Match[str]) -> str:
        attributes, text = found.groups()
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
