"""Has Python look for garbage seldom where much is made and hardly any of it is garbage: folding, and large answers."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

SELDOM: Final = 50_000
"""So many more objects than before, and it is looked for. With Python's own 700 to 2,000 a fold takes a third more, a
league table twice as long."""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Within, garbage is looked for seldom; afterwards as before."""
    usual = gc.get_threshold()
    gc.set_threshold(SELDOM, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)
