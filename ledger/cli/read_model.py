"""The read model as commands ask it: level with the ledger before it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ledger.cli.progress import told_if_slow
from ledger.cli.state import CliState
from ledger.text.words import label

if TYPE_CHECKING:
    from ledger.history import History

Command = TypeVar("Command", bound=Callable[..., Any])


def rebuild_option(command: Command) -> Command:
    """`--rebuild`."""
    return click.option("--rebuild", is_flag=True, help="Make the read model anew first, from the whole ledger.")(
        command
    )


@contextmanager
def caught_up_history(state: CliState, *, rebuild: bool) -> Iterator[History]:
    """The read model of the ledger, level with it, open for questions."""
    from ledger.history import open_history

    with open_history(caught_up(state, rebuild=rebuild)) as history:
        yield history


def caught_up(state: CliState, *, rebuild: bool) -> Path:
    """Where the read model of the ledger lies, now level with it."""
    from ledger.history import catch_up, default_history_path, usable_cores

    path = default_history_path(state.ledger_path)
    with told_if_slow(label(state.lang, "progress.reading_ledger")) as tell, state.store() as store:
        catch_up(store, path, progress=tell, workers=usable_cores(), rebuild=rebuild)
    return path
