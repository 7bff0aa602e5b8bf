"""How commands print: JSON as bytes and nothing else, text through one console, errors on standard error."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TypeVar

import click
import msgspec

from ledger.cli.words import phrase
from ledger.errors import ConflictError
from ledger.log.companions import draft_of
from ledger.log.stores import LEDGER_FILE
from ledger.log.whole_files import remove
from ledger.text.layout import Part, visible

if TYPE_CHECKING:
    from rich.console import Console

Command = TypeVar("Command", bound=Callable[..., Any])

_AS_WIDE_AS_IT_NEEDS: Final = 100_000


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
    """The file of `--output`. It gets its name when it is whole: what stood there before is lost to no error.

    Raises `ConflictError` where a ledger stands there.
    """
    path = Path(name)
    if name == "-":
        yield sys.stdout.buffer
        return
    if path.exists() and not path.is_file():  # a device or a pipe
        with path.open("wb") as file:
            yield file
        return
    path = path.resolve()
    draft = draft_of(path)
    try:
        if path.exists():
            _refuse_database(path, name)
        with draft.open("wb") as file:
            yield file
        if path.exists():
            shutil.copymode(path, draft)
        draft.replace(path)
    except OSError as error:
        error.filename = name
        raise
    finally:
        remove(draft)


def _refuse_database(path: Path, name: str) -> None:
    with path.open("rb") as file:
        if file.read(len(LEDGER_FILE)) == LEDGER_FILE:
            raise ConflictError("exists", phrase("is_database", file=name))


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


def say(text: str = "", *, nl: bool = True, err: bool = False) -> None:
    """Print text for people; what others wrote in it reaches the terminal as something to read, and no more."""
    click.echo(visible(text), nl=nl, err=err)


def show(parts: Iterable[Part]) -> None:
    """Print an answer for people: its lines and its tables."""
    for part in parts:
        if isinstance(part, str):
            say(part)
        else:
            console().print(part)


def print_json(answer: object) -> None:
    """One JSON value on one line."""
    click.echo(msgspec.json.encode(answer), file=sys.stdout)


def print_utf8(text: str, *, nl: bool = True) -> None:
    """Print text for programs: in UTF-8, whatever the terminal would have."""
    click.echo(text.encode(), nl=nl)


def console() -> Console:
    """Where tables go: texts as they are, for `[red]` is a name like any other, and unbroken where nobody looks on a
    screen.
    """
    from ledger.cli.paper import Paper

    is_screen = sys.stdout.isatty()
    return Paper(
        soft_wrap=not is_screen,
        highlight=False,
        markup=False,
        emoji=False,
        width=None if is_screen else _AS_WIDE_AS_IT_NEEDS,
    )
