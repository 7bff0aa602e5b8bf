"""How commands print: JSON as bytes and nothing else, text through one console, errors on standard error."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

Command = TypeVar("Command", bound=Callable[..., Any])


def format_option(command: Command) -> Command:
    """`--format text|json`, text by default."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="How to answer.",
    )(command)


def output_option(command: Command) -> Command:
    """`--output FILE`, standard output by default; to be opened with `output_file`."""
    return click.option(
        "--output",
        "-o",
        type=click.Path(dir_okay=False, allow_dash=True),
        default="-",
        help="File to write; default: stdout.",
    )(command)


@contextmanager
def output_file(name: str) -> Iterator[BinaryIO]:
    """The file of `--output`. It gets its name when it is whole: what stood there before is lost to no error."""
    path = Path(name)
    if name == "-":
        yield sys.stdout.buffer
        return
    if path.exists() and not path.is_file():  # a device or a pipe
        with path.open("wb") as file:
            yield file
        return
    path = path.resolve()
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with draft.open("wb") as file:
            yield file
        draft.replace(path)
    except OSError as error:
        error.filename = name
        raise
    finally:
        with suppress(OSError):
            draft.unlink()


@contextmanager
def printing_to(file: BinaryIO) -> Iterator[None]:
    """What is printed within goes to that file, which may be standard output itself."""
    if file is sys.stdout.buffer:
        yield
        return
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    try:
        with redirect_stdout(text):
            yield
    finally:
        text.flush()
        text.detach()  # whoever opened the file closes it


def print_json(answer: object) -> None:
    """One JSON value on one line."""
    click.echo(msgspec.json.encode(answer), file=sys.stdout)


class _Paper(Console):
    """A console that leaves a reader who has gone away to the caller; rich would end with exit status 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console() -> Console:
    """Where text goes: plain and as wide as it needs where nobody looks at it on a screen."""
    is_screen = sys.stdout.isatty()
    return _Paper(soft_wrap=not is_screen, highlight=False, width=None if is_screen else 160)


def errors_console() -> Console:
    """Where progress bars go."""
    return Console(stderr=True)


@contextmanager
def told_progress(*, is_shown: bool = True) -> Iterator[Callable[[str, int, int], None]]:
    """Tells on a screen what is being done, how much of it is done, and of how much; to nobody where nobody looks."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    is_hidden = not (is_shown and sys.stderr.isatty())
    with Progress(*columns, console=errors_console(), transient=True, disable=is_hidden) as bar:
        task = bar.add_task("", total=None)

        def tell(what: str, done: int, total: int) -> None:
            bar.update(task, description=what, completed=done, total=total)

        yield tell
