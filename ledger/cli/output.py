"""How commands print: JSON as bytes and nothing else, text through one console, errors on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click
import msgspec
from rich.console import Console

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
