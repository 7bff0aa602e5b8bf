"""Write `docs/trickledger.1`, the man page (man(7)) of the command line, from the commands' own help."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import Final

import click

from ledger import __version__
from ledger.cli import main as trickledger
from tools.commands import options, paragraphs

PAGE: Final = Path(__file__).parents[1] / "docs" / "trickledger.1"

_LINE: Final = 80

_ENVIRONMENT: Final = (
    ("TRICKLEDGER_LEDGER", "The ledger's file, if --ledger is not given."),
    ("TRICKLEDGER_LANG", "The language of answers (en or ja), if --lang is not given."),
    ("TRICKLEDGER_SEASON_FROM", "The day on which seasons begin (MM-DD), if --season-from is not given."),
    ("LC_ALL, LC_MESSAGES, LANG", "The language, if neither of these names one."),
    ("TZ", "The time zone of all times, if neither the session nor --tz names one."),
    ("TMPDIR", "The folder for temporary files of large SQL queries."),
    ("XDG_CACHE_HOME", "The folder for the read model of a ledger in a folder that cannot be written to."),
)
_FILES: Final = (
    ("club.ledger", "The ledger in the current folder, used if no other is named."),
    ("club.ledger.history.duckdb", "Its read model, used by statistics, plots, reports and queries."),
    ("club.key, club.pub", "The keys that sign and verify checkpoints."),
    ("club.checkpoint", "The newest signed checkpoint."),
)
_STATUSES: Final = (
    ("0", "Done; audit: no finding of severity error; verify: undamaged."),
    ("1", "audit found an error, or verify found damage."),
    ("2", "The command line is wrong."),
    ("3", "Input was rejected: it is malformed, or against rules that are enforced here. Nothing was stored."),
    ("4", "A conflict: an unexpected version, an id that is already used for something else, or a locked ledger."),
    ("5", "The ledger cannot be read: missing, damaged, or not a ledger."),
)


def page() -> str:
    """Return the whole page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    context = click.Context(trickledger, info_name="trickledger")
    first, *others = paragraphs(trickledger)
    yield '.\\" Written by python -m tools.man from the help of the commands.'
    yield f'.TH TRICKLEDGER 1 "" "trickledger {_escaped(__version__)}" "User Commands"'
    yield from (".SH NAME", *_wrapped(f"trickledger - {_as_name(first.lines[0])}"))
    yield from (".SH SYNOPSIS", *_usage(trickledger, context))
    yield ".SH DESCRIPTION"
    yield from _wrapped(first.lines[0])
    for paragraph in others:
        yield from _text(paragraph.lines, is_unbroken=paragraph.is_unbroken)
    yield ".SH OPTIONS"
    yield from _definitions(options(trickledger, context))
    yield ".SH COMMANDS"
    for name in trickledger.list_commands(context):
        yield from _command(name, trickledger.commands[name], context)
    yield from (".SH ENVIRONMENT", *_definitions(_ENVIRONMENT))
    yield from (".SH FILES", *_definitions(_FILES))
    yield from (".SH EXIT STATUS", *_definitions(_STATUSES))


def _command(name: str, command: click.Command, parent: click.Context) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    yield f".SS {_escaped(name)}"
    yield from _usage(command, context)
    for paragraph in paragraphs(command):
        yield from _text(paragraph.lines, is_unbroken=paragraph.is_unbroken)
    yield from _definitions(options(command, context))


def _usage(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the command's name, then its arguments."""
    usage = re.sub(r"\s+", " ", command.get_usage(context).removeprefix("Usage: "))
    yield f".B {_escaped(context.command_path)}"
    yield from _wrapped(usage.removeprefix(context.command_path).strip())


def _text(lines: list[str], *, is_unbroken: bool) -> Iterator[str]:
    yield ".PP"
    if is_unbroken:
        yield from (".nf", *map(_escaped, lines), ".fi")
    else:
        yield from _wrapped(lines[0])


def _definitions(definitions: Iterator[tuple[str, str]] | tuple[tuple[str, str], ...]) -> Iterator[str]:
    for name, meaning in definitions:
        yield from (".TP", f".B {_escaped(name)}", *_wrapped(meaning))


def _as_name(sentence: str) -> str:
    """Return the first sentence in the form of a NAME section: lower case, without a full stop."""
    return sentence[0].lower() + sentence[1:].removesuffix(".")


def _wrapped(text: str) -> list[str]:
    """Wrap running text into lines for roff."""
    lines = wrap(_escaped(text), _LINE, break_long_words=False, break_on_hyphens=False)
    return [f"\\&{line}" if line.startswith(".") else line for line in lines]


def _escaped(text: str) -> str:
    """Escape text for roff: hyphens stay as typed, and no line is read as a request."""
    plain = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    plain = plain.replace("^", "\\(ha").replace("~", "\\(ti").replace('"', "\\(dq")
    plain = "".join(sign if sign.isascii() else f"\\[u{ord(sign):04X}]" for sign in plain)
    return f"\\&{plain}" if plain.startswith(".") else plain


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="ascii")
