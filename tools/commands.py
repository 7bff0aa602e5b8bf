"""Write `docs/reference/commands.md`, the reference of the command line, from the commands' own help."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from textwrap import wrap
from typing import Final, NamedTuple

import click

from ledger.cli import main as trickledger
from ledger.schemas import ANSWERS, VEGA_LITE

PAGE: Final = Path(__file__).parents[1] / "docs" / "reference" / "commands.md"

_HEAD: Final = """\
# Every command

The output of `trickledger COMMAND --help`, on one page, written by `make reference`.
[Tutorials](../tutorials/recorder.md) show whole tasks with their real output.
[The contract](contract.md) describes JSON answers and exit statuses.
Each command below links to [the schema](schemas.md) of its JSON answer.
"""
_UNBROKEN: Final = "\b"
"""The mark of click above a paragraph that keeps its lines: examples and lists."""


def page() -> str:
    """Return the whole page."""
    context = click.Context(trickledger, info_name="trickledger", **trickledger.context_settings)
    parts = [_HEAD, _section("## Before the command", trickledger, context)]
    for name in trickledger.list_commands(context):
        command = trickledger.commands[name]
        within = click.Context(command, info_name=name, parent=context)
        parts.append(_section(f"## `{name}`", command, within) + _answers(name))
    return "\n".join(parts)


def _section(heading: str, command: click.Command, context: click.Context) -> str:
    usage = command.get_usage(context).removeprefix("Usage: ")
    lines = [heading, "", "```text", re.sub(r"\s+", " ", usage), "```", ""]
    for paragraph in paragraphs(command):
        shown = ["```text", *paragraph.lines, "```"] if paragraph.is_unbroken else _wrapped(paragraph.lines[0])
        lines += [*shown, ""]
    lines += ["| option | |", "|---|---|"]
    lines += ["| `{}` | {} |".format(*map(_cell, record)) for record in options(command, context)]
    return "\n".join(lines) + "\n"


def _wrapped(text: str) -> list[str]:
    """Return the lines of a paragraph; the `-` for standard input begins none of them, where it would make a list."""
    return [line.replace("\0", " ") for line in wrap(text.replace(" - ", " -\0"), 118, break_on_hyphens=False)]


def _answers(command: str) -> str:
    """Return the line that links to the schemas of a command's JSON answers, by the options that select them."""
    ways = [f"{_link(name)}{f' (`{way}`)' if way else ''}" for way, name in ANSWERS.get(command, {}).items()]
    return f"\nJSON: {', '.join(ways)}\n" if ways else ""


def _link(schema: str) -> str:
    return f"[Vega-Lite]({schema})" if schema == VEGA_LITE else f"[{schema}](../../schemas/{schema}.json)"


class Paragraph(NamedTuple):
    """A paragraph of a help text; an unbroken one keeps its lines, any other is one line."""

    lines: list[str]
    is_unbroken: bool = False


def paragraphs(command: click.Command) -> Iterator[Paragraph]:
    """Yield the paragraphs of a command's help."""
    for paragraph in cleandoc(command.help or "").split("\n\n"):
        lines = paragraph.splitlines()
        if lines and lines[0] == _UNBROKEN:
            yield Paragraph(lines[1:], is_unbroken=True)
        elif lines:
            yield Paragraph([" ".join(lines)])


def options(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    """Yield the options that the command's help shows, each with its syntax and its description."""
    for option in command.params:
        if isinstance(option, click.Option) and (record := option.get_help_record(context)) is not None:
            yield record


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", r"\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
