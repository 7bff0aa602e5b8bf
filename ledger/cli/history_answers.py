"""What `stats` and `query` share: catching up before they answer, and printing rows as text, JSON or CSV."""

from __future__ import annotations

import csv
import io
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from ledger.cli.output import console, errors_console
from ledger.cli.state import CliState
from ledger.history import Answer, History, catch_up, default_history_path, open_history, plain, usable_cores

Command = TypeVar("Command", bound=Callable[..., Any])

PATIENCE_S: Final = 0.5
"""After so long a catch-up shows how far it is."""


def rebuild_option(command: Command) -> Command:
    """`--rebuild`."""
    return click.option("--rebuild", is_flag=True, help="Make the read model anew first, from the whole ledger.")(
        command
    )


@contextmanager
def caught_up_history(state: CliState, *, rebuild: bool) -> Iterator[History]:
    """The read model of the ledger, level with it, open for questions."""
    with open_history(caught_up(state, rebuild=rebuild)) as history:
        yield history


def caught_up(state: CliState, *, rebuild: bool) -> Path:
    """Where the read model of the ledger lies, now level with it."""
    path = default_history_path(state.ledger_path)
    columns = (TextColumn("reading the ledger", markup=False), BarColumn(), MofNCompleteColumn())
    bar = Progress(*columns, console=errors_console(), transient=True, disable=not sys.stderr.isatty())
    begun, task = time.monotonic(), bar.add_task("")

    def tell(done: int, total: int) -> None:
        if time.monotonic() - begun > PATIENCE_S:
            bar.start()
        bar.update(task, completed=done, total=total)

    try:
        with state.store() as store:
            catch_up(store, path, progress=tell, workers=usable_cores(), rebuild=rebuild)
    finally:
        bar.stop()
    return path


def print_csv(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """A line of names, then a line a row, in UTF-8; null is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_csv_value(value) for value in row] for row in rows)
    click.echo(text.getvalue().encode(), nl=False)


def print_table(answer: Answer) -> None:
    """The rows for people, numbers to the right."""
    shown = Table(box=None, pad_edge=False)
    for place, name in enumerate(answer.columns):
        is_number = any(_is_number(row[place]) for row in answer.rows)
        shown.add_column(name, justify="right" if is_number else "left")
    for row in answer.rows:
        shown.add_row(*map(_text, row))
    console().print(shown)


def json_text(value: object) -> str:
    """The value as JSON on one line; integers of any size, as SQL has them."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def json_rows(answer: Answer) -> list[dict[str, Any]]:
    """The rows as objects; what SQL keeps as JSON is in them as it is."""
    named = list(zip(answer.columns, answer.types, strict=True))
    return [
        {
            name: json.loads(value) if kind == "JSON" and value is not None else plain(value)
            for (name, kind), value in zip(named, row, strict=True)
        }
        for row in answer.rows
    ]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _text(value: Any) -> str:
    """A value for people."""
    if value is None:
        return "–"
    simple = plain(value)
    return simple if isinstance(simple, str) else json_text(simple)


def _csv_value(value: Any) -> Any:
    simple = plain(value)
    return json_text(simple) if isinstance(simple, bool | list | dict) else simple


def print_rows_json(rows: Sequence[dict[str, Any]]) -> None:
    """A list of objects, one a line within the list."""
    click.echo(("[" + ",\n".join(map(json_text, rows)) + "]").encode())
