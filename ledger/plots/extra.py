"""The packages of the extra `plots`, which are loaded when a plot is drawn."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from ledger.extras import module_of_extra

extra_module: Final = partial(module_of_extra, "plots")


def font_file() -> Path:
    """The font that all text is set in: Noto Sans JP, which has Latin and Japanese signs and the suits of cards."""
    path: Path = extra_module("pylopdf_fonts_jp").sans_path()
    return path
