"""QR codes: a link that a phone reads from a screen or from paper."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import Any, Final

from ledger.extras import module_of_extra

_BLOCKS: Final = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
_BORDER_MODULES: Final = 4
"""As the standard wants it (ISO/IEC 18004, 9.1)."""

_SCALE_PIXELS: Final = 8
"""Of a module in a picture."""


def qr_lines(text: str) -> list[str]:
    """Two rows of modules a line, in half blocks, to be shown dark on light.

    Raises `NotFoundError` where the package that draws them is not installed.
    """
    rows: list[Sequence[bool]] = [
        tuple(map(bool, row)) for row in _made(text, error="l").matrix_iter(border=_BORDER_MODULES)
    ]
    return [
        "".join(_BLOCKS[pair] for pair in zip_longest(upper, lower, fillvalue=False))
        for upper, lower in zip_longest(rows[::2], rows[1::2], fillvalue=())
    ]


def qr_path(text: str) -> tuple[int, str]:
    """How many modules wide a code is, and its dark ones as the data of an SVG path, for a page that draws it itself.

    Raises as `qr_lines`.
    """
    rows = [tuple(map(bool, row)) for row in _made(text, error="m").matrix_iter(border=0)]
    runs = (f"M{start} {y}h{length}v1h-{length}z" for y, row in enumerate(rows) for start, length in _dark_runs(row))
    return len(rows), "".join(runs)


def _dark_runs(row: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Where dark modules that lie side by side begin, and how many they are."""
    place = 0
    for is_dark, run in groupby(row):
        length = len(list(run))
        if is_dark:
            yield place, length
        place += length


def qr_file(text: str, kind: str) -> bytes:
    """The code as a file, `svg` or `png`. Raises as `qr_lines`.

    On paper up to 15 % of it may be lost (level M); a small screen has no room for that.
    """
    file = io.BytesIO()
    _made(text, error="m").save(file, kind=kind, scale=_SCALE_PIXELS, border=_BORDER_MODULES, light="white")
    return file.getvalue()


def _made(text: str, *, error: str) -> Any:
    return module_of_extra("serve", "segno").make(text, error=error, micro=False)
