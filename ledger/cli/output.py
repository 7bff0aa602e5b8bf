"""Printing: JSON as bytes, text through one console, errors on standard error."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TypeVar

import click
import msgspec

from ledger.cli.errors import wrong_value
from ledger.cli.language import phrase
from ledger.errors import ConflictError, UsageError
from ledger.log.atomic_files import publish, remove
from ledger.log.paths import Sidecar, draft_of, refuse_protected_files
from ledger.outside import is_handed_over
from ledger.text.layout import Part, visible

if TYPE_CHECKING:
    from rich.console import Console

Command = TypeVar("Command", bound=Callable[..., Any])

ROW_FORMS: Final = {".csv": "csv", ".json": "json", ".parquet": "parquet", ".txt": "text", "": "text"}
LINE_FORMS: Final = {".ndjson": "ndjson", ".jsonl": "ndjson", "": "ndjson"}
HAND_RECORD_FORMS: Final = {".toml": "toml", "": "toml"}
"""Formats for `format_from`: of rows, of lines of events, and of hand records."""

_AS_WIDE_AS_IT_NEEDS: Final = 100_000


overwrite_option: Final = click.option("--overwrite", is_flag=True, help="Replace the file of --output.")
"""The option to pass on to `output_file`; files that belong to a ledger are never replaced."""


def output_option(command: Command) -> Command:
    """Add the options `--output FILE` (default: standard output) and `--overwrite`, for `output_file`."""
    return click.option(
        "--output",
        "-o",
        type=click.Path(dir_okay=False, allow_dash=True),
        default="-",
        help="File to write; default: standard output.",
    )(overwrite_option(command))


class _FileName(click.Path):
    """The path of a file; an empty one is an error, since it would be the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if not path.name and param is not None:
            raise wrong_value(max(param.opts, key=len), phrase("usage.no_file_name", text=str(value)))
        return path


A_FILE: Final = _FileName(path_type=Path, dir_okay=False)


def format_from(output: str | None, given: str | None, known: Mapping[str, str]) -> str:
    """Return the form that the file of `--output` is written in.

    `known`: the form for each ending of a name, e.g. `{".csv": "csv", ".txt": "text", "": "text"}`; the empty ending is
    for names without one and for standard output (None or `-`). `given`: the form of `--format`, None where the user
    did not type that option. Raises `UsageError` for another ending, and for one that contradicts `given`.
    """
    suffix = PurePath(output or "-").suffix.lower()
    if suffix not in known:
        endings = tuple(ending for ending in known if ending)
        raise UsageError("usage", phrase("usage.no_form", text=output or "-", known=endings))
    if suffix and given not in (None, known[suffix]):
        raise UsageError("usage", phrase("usage.two_forms", text=output, ending=suffix, form=given))
    return given or known[suffix]


@contextmanager
def output_file(name: str, *, overwrite: bool) -> Iterator[BinaryIO]:
    """Open the file of `--output`; it gets its name when it is complete, so no error destroys an older file.

    Raise `ConflictError` as `check_output`.
    """
    path = Path(name)
    if name == "-":
        yield sys.stdout.buffer
        return
    if not is_file_to_be(name):
        with path.open("ab" if path.is_file() else "wb") as file:
            yield file
        return
    check_output(name, overwrite=overwrite)
    path = path.resolve()
    draft = draft_of(path)
    try:
        with draft.open("wb") as file:
            yield file
        if overwrite:
            if path.exists():
                shutil.copymode(path, draft)
            draft.replace(path)
        else:
            publish(draft, path)
    except FileExistsError:
        raise _exists(name) from None
    except OSError as error:
        error.filename = name
        raise
    finally:
        remove(draft)


def check_output(name: str, *, overwrite: bool, but: tuple[Sidecar, ...] = ()) -> None:
    """Raise `ConflictError` if the file of `--output` exists and may not be replaced, or belongs to a ledger.

    `but`: files of a ledger that it may be.
    """
    path = Path(name)
    if not is_file_to_be(name):
        return
    for place in {Path(os.path.abspath(path)), path.resolve()}:  # noqa: PTH100 - where a link stands, and what it means
        refuse_protected_files(place, name, but=but)
    if path.exists() and not overwrite:
        raise _exists(name)


def is_file_to_be(name: str) -> bool:
    """Return whether the name is a file to create, not standard output, a device, a pipe, or a stream that the shell
    opened (`/dev/stdout`).
    """
    path = Path(name)
    return name != "-" and not is_handed_over(name) and (path.is_file() or not path.exists())


def _exists(name: str) -> ConflictError:
    return ConflictError("exists", phrase("output_exists", file=name))


@contextmanager
def printing_to(file: BinaryIO) -> Iterator[None]:
    """Redirect everything printed inside the block to the file, which may be standard output itself."""
    if file is sys.stdout.buffer:
        yield
        return
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    try:
        with redirect_stdout(text):
            yield
    finally:
        text.flush()
        text.detach()  # the caller closes the file


def say(text: str = "", *, nl: bool = True, err: bool = False) -> None:
    """Print text for people; control characters in names and notes are shown, not executed by the terminal."""
    click.echo(visible(text), nl=nl, err=err)


def show(parts: Iterable[Part]) -> None:
    """Print an answer for people: its lines and tables."""
    for part in parts:
        if isinstance(part, str):
            say(part)
        else:
            console().print(part)


def print_json(answer: object) -> None:
    """Print one JSON value on one line."""
    click.echo(msgspec.json.encode(answer), file=sys.stdout)


def print_utf8(text: str, *, nl: bool = True) -> None:
    """Print text for programs in UTF-8, whatever the terminal's encoding."""
    click.echo(text.encode(), nl=nl)


def console() -> Console:
    """Return a console for tables that prints text verbatim (`[red]` is a valid name) and does not wrap lines unless on
    a terminal.
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
