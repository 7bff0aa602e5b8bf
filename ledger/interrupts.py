"""Ctrl-C while a command is loading: it exits silently. A running command handles Ctrl-C itself."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

INTERRUPTED: Final = 130
"""The exit status of shells for Ctrl-C."""


def end_quietly() -> None:
    """Make Ctrl-C end the process at once, unless the caller had it ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


@contextmanager
def interruptible() -> Iterator[None]:
    """Make Ctrl-C raise `KeyboardInterrupt` inside the block if it would end the process silently outside."""
    if signal.getsignal(signal.SIGINT) is not _end:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, _end)


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)
