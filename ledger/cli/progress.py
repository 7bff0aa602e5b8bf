"""Progress on standard error while a command works, if standard error is a terminal.

rich is imported only then, since it is slow to load.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from ledger.text.catalogue import Wording

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE_S: Final = 0.5
"""The seconds after which `progress_if_slow` shows itself."""


@contextmanager
def progress_bar(lang: str, *, is_shown: bool = True) -> Iterator[Callable[[str, int, int], None]]:
    """Show a progress bar; the yielded function takes the key of a step, how much is done, and the total."""
    if not (is_shown and sys.stderr.isatty()):
        yield lambda what, done, total: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn

    with _bar_of(_description(), BarColumn(), MofNCompleteColumn()) as bar:
        task = bar.add_task("", total=None)
        wording = Wording(lang)
        yield lambda what, done, total: bar.update(
            task, description=wording.known("progress", what), completed=done, total=total
        )


@contextmanager
def activity_spinner(begun: str, *, is_shown: bool = True) -> Iterator[Callable[[str], None]]:
    """Show activity of unknown length; the yielded function takes the text to show."""
    if not (is_shown and sys.stderr.isatty()):
        yield lambda now: None
        return
    from rich.progress import SpinnerColumn

    with _bar_of(SpinnerColumn(), _description()) as bar:
        task = bar.add_task(begun)
        yield lambda now: bar.update(task, description=now)


@contextmanager
def progress_if_slow(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show how much is done, and of how much, if the work takes longer than `PATIENCE_S`."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn

    bar = _bar_of(_description(), BarColumn(), MofNCompleteColumn())
    begun, task = time.monotonic(), bar.add_task(what)

    def report(done: int, total: int) -> None:
        if time.monotonic() - begun > PATIENCE_S:
            bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield report
    finally:
        bar.stop()


def _bar_of(*columns: Any) -> Progress:
    from rich.console import Console
    from rich.progress import Progress

    return Progress(*columns, console=Console(stderr=True), transient=True)


def _description() -> Any:
    from rich.progress import TextColumn

    return TextColumn("{task.description}", markup=False)
