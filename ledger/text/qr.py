"""QR codes: a link that a phone reads from a screen or from paper."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, Final

from ledger.extras import module_of_extra

_BORDER: Final = 4
"""Modules of quiet around the code (ISO/IEC 18004)."""

_SCALE: Final = 8
"""Pixels of a module in a picture."""

_HALVES: Final = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""Two modules, one above the other, on a dark screen: what is dark in the code is left as it is."""


def qr_text(content: str) -> str:
    """Lines for the terminal, two rows of modules in each."""
    rows = [list(map(bool, row)) for row in _made(content).matrix_iter(border=_BORDER)]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    return "".join(_line(above, below) for above, below in zip(rows[::2], rows[1::2], strict=True))


def qr_svg(content: str) -> bytes:
    return _saved(content, "svg")


def qr_png(content: str) -> bytes:
    return _saved(content, "png")


def _line(above: Sequence[bool], below: Sequence[bool]) -> str:
    return "".join(_HALVES[pair] for pair in zip(above, below, strict=True)) + "\n"


def _saved(content: str, kind: str) -> bytes:
    file = io.BytesIO()
    _made(content).save(file, kind=kind, scale=_SCALE, border=_BORDER, light="white")
    return file.getvalue()


def _made(content: str) -> Any:
    """The code; a link that is on paper for a year may lose 15 % of it (level M)."""
    return module_of_extra("serve", "segno").make(content, error="m", micro=False, boost_error=False)
