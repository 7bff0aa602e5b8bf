"""The read model as commands ask it: level with the ledger before it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ledger import api
from ledger.cli.progress import told_if_slow
from ledger.cli.state import CliState
from ledger.text.words import label

if TYPE_CHECKING:
    from ledger.history import History

Command = TypeVar("Command", bound=Callable[..., Any])


def read_model_options(command: Command) -> Command:
    """`--history --rebuild`."""
    rebuild = click.option("--rebuild", is_flag=True, help="Make the read model anew first, from the whole ledger.")
    return history_option(rebuild(command))


def history_option(command: Command) -> Command:
    """`--history`."""
    return click.option(
        "--history",
        "read_model",
        type=click.Path(path_type=Path, dir_okay=False, readable=False),
        metavar="PATH",
        help="The file of the read model; default: beside the ledger, or in your cache.",
    )(command)


@contextmanager
def caught_up_history(state: CliState, read_model: Path | None, *, rebuild: bool) -> Iterator[History]:
    """The read model of the ledger in that file, or where it lies by default; level with the ledger, and open."""
    from ledger.history import usable_cores

    with ExitStack() as stack:
        with told_if_slow(label(state.lang, "progress.reading_ledger")) as tell:
            caught_up = api.open_history(
                state.ledger_path,
                history=read_model,
                rebuild=rebuild,
                progress=tell,
                workers=usable_cores(),
                tz=state.tz,
            )
            history = stack.enter_context(caught_up)
        yield history
