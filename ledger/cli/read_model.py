"""The read model as commands ask it: level with the ledger before it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ledger import api
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
    from ledger.history import usable_cores

    with ExitStack() as stack:
        with told_if_slow(label(state.lang, "progress.reading_ledger")) as tell:
            caught_up = api.open_history(state.ledger_path, rebuild=rebuild, progress=tell, workers=usable_cores())
            history = stack.enter_context(caught_up)
        yield history
