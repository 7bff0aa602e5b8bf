"""How commands print: JSON as bytes and nothing else, text through one console, errors on standard error."""

from __future__ import annotations

import io
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from ledger.errors import ConflictError
from ledger.log.companions import draft_of
from ledger.log.whole_files import remove

Command = TypeVar("Command", bound=Callable[..., Any])

_DRIVING: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What a terminal obeys instead of showing it, but for tabs and line feeds; the marks that turn the direction of
writing, too.
"""
_DATABASE: Final = b"SQLite format 3\0"
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
        if file.read(len(_DATABASE)) == _DATABASE:
            raise ConflictError(f"{name} is a database, perhaps a ledger; it was not overwritten: name another file")


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


def visible(text: str) -> str:
    """The text with everything that would drive a terminal shown as in `\\x1b`."""
    return _DRIVING.sub(lambda sign: sign[0].encode("unicode_escape").decode(), text)


def say(text: str = "", *, nl: bool = True, err: bool = False) -> None:
    """Print text for people; what others wrote in it reaches the terminal as something to read, and no more."""
    click.echo(visible(text), nl=nl, err=err)


def print_json(answer: object) -> None:
    """One JSON value on one line."""
    click.echo(msgspec.json.encode(answer), file=sys.stdout)


class _Paper(Console):
    """A console for texts of others. A reader who has gone away is left to the caller; rich would end with status 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def render_str(self, text: str, **how: Any) -> Text:
        return super().render_str(visible(text), **how)


def console() -> Console:
    """Where text goes: as it is, for `[red]` is a name like any other, and unbroken where nobody looks on a screen."""
    is_screen = sys.stdout.isatty()
    return _Paper(
        soft_wrap=not is_screen,
        highlight=False,
        markup=False,
        emoji=False,
        width=None if is_screen else _AS_WIDE_AS_IT_NEEDS,
    )


def errors_console() -> Console:
    """Where progress bars go."""
    return Console(stderr=True)


@contextmanager
def told_progress(*, is_shown: bool = True) -> Iterator[Callable[[str, int, int], None]]:
    """Tells on a screen what is being done, how much of it is done, and of how much; to nobody where nobody looks."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    is_hidden = not (is_shown and sys.stderr.isatty())
    with Progress(*columns, console=errors_console(), transient=True, disable=is_hidden) as bar:
        task = bar.add_task("", total=None)

        def tell(what: str, done: int, total: int) -> None:
            bar.update(task, description=what, completed=done, total=total)

        yield tell
