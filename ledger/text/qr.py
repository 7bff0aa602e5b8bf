"""QR codes: a link that a phone reads from a screen or from paper."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import Any, Final

from ledger.extras import module_of_extra

_BLOCKS: Final = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
_BORDER_MODULES: Final = 4
"""The standard's width (ISO/IEC 18004, 9.1)."""

_SCALE_PIXELS: Final = 8
"""The size of a module in a picture."""


def qr_lines(text: str) -> list[str]:
    """Return lines of two rows of modules each, in half blocks, to be shown dark on light.

    Raise `NotFoundError` if the package that draws them is not installed.
    """
    rows: list[Sequence[bool]] = [
        tuple(map(bool, row)) for row in _made(text, error="l").matrix_iter(border=_BORDER_MODULES)
    ]
    return [
        "".join(_BLOCKS[pair] for pair in zip_longest(upper, lower, fillvalue=False))
        for upper, lower in zip_longest(rows[::2], rows[1::2], fillvalue=())
    ]


def qr_path(text: str) -> tuple[int, str]:
    """Return the width of a code in modules, and its dark modules as data of an SVG path.

    Raise `NotFoundError` as `qr_lines` does.
    """
    rows = [tuple(map(bool, row)) for row in _made(text, error="m").matrix_iter(border=0)]
    runs = (f"M{start} {y}h{length}v1h-{length}z" for y, row in enumerate(rows) for start, length in _dark_runs(row))
    return len(rows), "".join(runs)


def _dark_runs(row: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield start and length of each run of dark modules."""
    place = 0
    for is_dark, run in groupby(row):
        length = len(list(run))
        if is_dark:
            yield place, length
        place += length


def qr_file(text: str, kind: str) -> bytes:
    """Return the code as a file, `svg` or `png`. Raise `NotFoundError` as `qr_lines` does.

    On paper up to 15 % of it may be lost (level M); a small screen has no room for that.
    """
    file = io.BytesIO()
    _made(text, error="m").save(file, kind=kind, scale=_SCALE_PIXELS, border=_BORDER_MODULES, light="white")
    return file.getvalue()


def _made(text: str, *, error: str) -> Any:
    return module_of_extra("serve", "segno").make(text, error=error, micro=False)
