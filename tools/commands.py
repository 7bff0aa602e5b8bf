"""Write `docs/reference/commands.md`, the reference of the command line, from the commands' own help."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from inspect import cleandoc
from pathlib import Path
from textwrap import wrap
from typing import Final, NamedTuple

import click

from ledger.cli import main as trickledger
from ledger.schemas import ANSWERS, VEGA_LITE

Record = tuple[str, str]
"""The syntax of an option, and its description."""

PAGE: Final = Path(__file__).parents[1] / "docs" / "reference" / "commands.md"

_HEAD: Final = """\
# Every command

`trickledger help COMMAND` says more, with examples; the linked pages show tasks with their real output.
[The contract](contract.md#7-the-command-lines-frame) lists exit statuses.
Numbers begin with 1 unless a range follows.
After `JSON:` is the [schema](schemas.md) of the answer with `--format json`, after `Lines:` that of each line.
"""
_SHARED: Final = """\
## Options of many commands

Each command below names those that it takes.

"""
_FILTERS: Final = """\
## Filters

`plot` and `stats` take these ([details](statistics.md#filters)):

"""
_SHARED_BY: Final = 3
"""An option that so many commands have, with the same meaning, is described once."""

_FILTERED: Final = ["plot", "stats"]
"""The commands whose common options are filters."""

_FORMAT: Final = "--format [text|json]"
"""The option of each command that has a line `JSON:`."""

_MORE: Final[Mapping[str, tuple[str, ...]]] = {
    "audit": ("how-to/reading",),
    "backup": ("how-to/backups",),
    "check": ("reference/hand-records#before-it-is-imported",),
    "checkpoint": ("how-to/prove-a-deal",),
    "compare": ("reference/hand-records#before-it-is-imported",),
    "correct": ("how-to/correct-the-record", "how-to/disputes#corrections"),
    "dispute": ("how-to/disputes",),
    "export": ("how-to/merge-ledgers", "how-to/private-names", "reference/hand-records#back-from-the-ledger"),
    "fmt": ("reference/hand-records#before-it-is-imported",),
    "import": ("how-to/recording", "reference/hand-records#while-the-game-goes-on", "how-to/merge-ledgers"),
    "new": ("reference/hand-records",),
    "open-hands": ("explanation/hidden-hands#when-hands-are-shown",),
    "players": ("how-to/private-names", "how-to/player-spellings"),
    "plot": ("how-to/plots",),
    "query": ("how-to/ask-in-sql",),
    "rebuild": ("how-to/lake",),
    "receipt": ("how-to/prove-a-deal",),
    "record": ("how-to/recording",),
    "replay": ("how-to/reading",),
    "report": ("how-to/plots",),
    "restore": ("how-to/backups",),
    "ruling": ("how-to/disputes",),
    "score": ("how-to/reading",),
    "serve": ("how-to/serving",),
    "session": ("how-to/evenings",),
    "stats": ("reference/statistics",),
    "token": ("how-to/access",),
    "verify": ("how-to/damaged-ledger", "how-to/prove-a-deal"),
}
"""The pages that say what the help of a command says after its first paragraph."""

_UNBROKEN: Final = "\b"
"""The mark of click above a paragraph that keeps its lines: examples and lists."""

_EXAMPLE: Final = re.compile(r"(?:^| )Example: trickledger .*")


def page() -> str:
    """Return the whole page."""
    context = click.Context(trickledger, info_name="trickledger", **trickledger.context_settings)
    within = {
        name: click.Context(trickledger.commands[name], info_name=name, parent=context)
        for name in trickledger.list_commands(context)
    }
    users: dict[tuple[str, str], list[str]] = {}
    for name, one in within.items():
        for record in options(one.command, one):
            users.setdefault(record, []).append(name)
    shared = [record for record, names in users.items() if len(names) >= _SHARED_BY]
    filters = [record for record, names in users.items() if names == _FILTERED]
    parts = [_HEAD, "\n".join(_section("## Before the command", trickledger, context, [], []))]
    parts += [_SHARED + _listed(sorted(shared)), _FILTERS + _listed(filters)]
    parts += [
        "\n".join([*_section(f"## `{name}`", one.command, one, shared, filters), *_answers(one)]).rstrip() + "\n"
        for name, one in within.items()
    ]
    return "\n".join(parts)


def _section(
    heading: str, command: click.Command, context: click.Context, shared: list[Record], filters: list[Record]
) -> Iterator[str]:
    yield from (heading, "")
    if usage := " ".join(command.collect_usage_pieces(context)[1:]):
        yield from (f"`{context.info_name} {usage}`", "")
    more = _MORE.get(context.info_name or "", ())
    for number, paragraph in enumerate(paragraphs(command)):
        if paragraph.is_unbroken:
            is_shown = not any(line.strip().startswith("trickledger ") for line in paragraph.lines)
            yield from ("```text", *paragraph.lines, "```", "") if is_shown else ()
        elif (text := _EXAMPLE.sub("", paragraph.lines[0])) and not (number and more):
            yield from (*_wrapped(re.sub(":$", ".", text)), "")
    own = list(options(command, context))
    if described := [record for record in own if record not in shared and record not in filters]:
        yield _listed(described)
    named = [f"`{_long_name(name)}`" for name, meaning in own if (name, meaning) in shared and name != _FORMAT]
    named += ["[filters](#filters)"] if set(filters) & set(own) else []
    if named:
        yield from _wrapped(f"Also: {', '.join(named)}.")
    if more:
        yield f"See {', '.join(map(_page, more))}."


def _page(address: str) -> str:
    path, _, heading = address.partition("#")
    name = (heading or path.partition("/")[2]).replace("-", " ")
    return f"[{name}](../{path}.md{f'#{heading}' if heading else ''})"


def _long_name(syntax: str) -> str:
    """Return the first long name of an option."""
    return next(name for name in re.split(r"[ ,]+", syntax) if name.startswith("--"))


def _listed(records: list[Record]) -> str:
    return "".join(f"{line}\n" for name, meaning in records for line in _bullet(f"`{name}`: {_squeezed(meaning)}"))


def _bullet(text: str) -> list[str]:
    return wrap(f"- {text}", 118, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)


def _squeezed(text: str) -> str:
    return re.sub(
        r"\s+", " ", text.replace("; 1 or more]", "]").replace("[1 or more; ", "[").replace("[1 or more]", "")
    ).strip()


def _wrapped(text: str) -> list[str]:
    """Return the lines of a paragraph; the `-` for standard input begins none of them, where it would make a list."""
    return [line.replace("\0", " ") for line in wrap(text.replace(" - ", " -\0"), 118, break_on_hyphens=False)]


def _answers(context: click.Context) -> Iterator[str]:
    """Yield the line that links to the schemas of a command's JSON answers, by the options that select them."""
    ways: dict[str, list[str]] = {}
    for way, name in ANSWERS.get(context.info_name or "", {}).items():
        ways.setdefault(name, []).extend([f"`{way}`"] if way else [])
    links = [_link(name) + (f" ({', '.join(selecting)})" if selecting else "") for name, selecting in ways.items()]
    if links:
        has_format = any("--format" in option.opts for option in context.command.params)
        yield f"{'JSON' if has_format else 'Lines'}: {', '.join(links)}."


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


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
