"""QR codes as text: two rows of modules a line, in half blocks, to be shown dark on light."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from ledger.extras import module_of_extra

_BLOCKS: Final = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
_BORDER_MODULES: Final = 4
"""As the standard wants it (ISO/IEC 18004, 9.1)."""


def qr_lines(text: str) -> list[str]:
    """Raises `NotFoundError` where the package that draws them is not installed."""
    code = module_of_extra("serve", "segno").make(text, error="l", micro=False)
    rows: list[Sequence[bool]] = [tuple(map(bool, row)) for row in code.matrix_iter(border=_BORDER_MODULES)]
    return [
        "".join(_BLOCKS[pair] for pair in zip_longest(upper, lower, fillvalue=False))
        for upper, lower in zip_longest(rows[::2], rows[1::2], fillvalue=())
    ]
