"""The reference of the command line, from the commands' own help: writes `docs/commands.md`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Final

import click

from ledger.cli import main as trickledger
from ledger.schemas import ANSWERS, VEGA_LITE

PAGE: Final = Path(__file__).parents[1] / "docs" / "commands.md"

_HEAD: Final = """\
# Every command

What `trickledger COMMAND --help` says, on one page; `make reference` writes it. Whole tasks, with what is really
printed, are in [the guide](guide.md); what an answer in JSON holds, and what an exit status means, is in
[the contract](contract.md), and field by field in [the schemas](schemas.md), to which each command links below.
"""
_UNBROKEN: Final = "\b"
"""Stands above a paragraph whose lines click leaves as they are: examples and lists."""


def page() -> str:
    """The whole page."""
    context = click.Context(trickledger, info_name="trickledger")
    parts = [_HEAD, _section("## Before the command", trickledger, context)]
    for name in trickledger.list_commands(context):
        command = trickledger.commands[name]
        within = click.Context(command, info_name=name, parent=context)
        parts.append(_section(f"## `{name}`", command, within) + _answers(name))
    return "\n".join(parts)


def _section(heading: str, command: click.Command, context: click.Context) -> str:
    usage = command.get_usage(context).removeprefix("Usage: ")
    lines = [heading, "", "```text", re.sub(r"\s+", " ", usage), "```", ""]
    for paragraph in _paragraphs(cleandoc(command.help or "")):
        lines += [*paragraph, ""]
    lines += ["| option | |", "|---|---|"]
    for option in command.params:
        if isinstance(option, click.Option) and (record := option.get_help_record(context)) is not None:
            lines.append("| `{}` | {} |".format(*map(_cell, record)))
    return "\n".join(lines) + "\n"


def _answers(command: str) -> str:
    """What describes its answer in JSON, by what it is asked with."""
    ways = [f"{_link(name)}{f' (`{way}`)' if way else ''}" for way, name in ANSWERS.get(command, {}).items()]
    return f"\nJSON: {', '.join(ways)}\n" if ways else ""


def _link(schema: str) -> str:
    return f"[Vega-Lite]({schema})" if schema == VEGA_LITE else f"[{schema}](../schemas/{schema}.json)"


def _paragraphs(text: str) -> Iterator[list[str]]:
    """The paragraphs as Markdown: what click leaves unbroken stands in a block."""
    for paragraph in text.split("\n\n"):
        lines = paragraph.splitlines()
        if lines and lines[0] == _UNBROKEN:
            yield ["```text", *lines[1:], "```"]
        elif lines:
            yield [" ".join(lines)]


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", r"\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
