"""A picture of the table as PNG, drawn by resvg without a browser; nothing is fetched."""

from __future__ import annotations

import re
from html import unescape
from typing import Final

from ledger.errors import MalformedError
from ledger.extras import module_of_extra
from ledger.text.pictures.fonts import EXTRA, fonts_for
from ledger.text.words import phrase

SCALE_MAX: Final = 4

_SET_TEXT: Final = re.compile(r"<text[^>]*>([^<]*)</text>")
_FAMILY: Final = "Noto Sans JP"


def picture_png(svg: str, scale: int = 1) -> bytes:
    """What `table_svg` drew, 400 × 440 pixels times `scale`.

    Raises `MalformedError` for a scale that is not from 1 to 4, `NotFoundError` (`not_installed`) without the extra, or
    where no font has a sign of a name.
    """
    if not 1 <= scale <= SCALE_MAX:
        raise MalformedError("scale", phrase("picture.scale", most=SCALE_MAX), str(scale))
    fonts = fonts_for(map(unescape, _SET_TEXT.findall(svg)))
    draw = module_of_extra(EXTRA, "resvg_py").svg_to_bytes
    drawn = draw(
        svg_string=svg,
        zoom=scale,
        skip_system_fonts=True,
        font_files=list(map(str, fonts)),
        font_family=_FAMILY,
        sans_serif_family=_FAMILY,
    )
    return bytes(drawn)
