"""The guide shows what the commands really print, and names every command and option."""

from __future__ import annotations

import re

import click
import pytest

from ledger.cli import main
from tests.cli.guide import GUIDE, run, settled

TEXT = GUIDE.read_text(encoding="utf-8")


def section(command: str) -> str:
    """What the reference at the end of the guide says of the command."""
    found = re.search(rf"^### `{command}`\n(.*?)(?=^### |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found, f"docs/guide.md has no section ### `{command}`"
    return found[1]


def test_every_example_of_the_guide_prints_what_it_shows() -> None:
    shown, printed = settled(TEXT).splitlines(), settled(run(TEXT)).splitlines()
    assert printed == shown, "write the outputs anew: python -m tests.cli.guide"


@pytest.mark.parametrize("command", sorted(main.commands))
def test_the_guide_names_every_command_and_option(command: str) -> None:
    words = section(command)
    options = [option for option in main.commands[command].params if isinstance(option, click.Option)]
    missing = [name for option in options for name in option.opts if f"`{name}" not in words]
    assert not missing


def test_the_guide_names_every_option_before_the_command() -> None:
    options = [option for option in main.params if isinstance(option, click.Option) and option.name != "help"]
    assert [name for option in options for name in option.opts if f"`{name}" not in TEXT] == []


def test_the_guide_names_no_command_or_option_that_does_not_exist() -> None:
    known = {name for command in [main, *main.commands.values()] for option in command.params for name in option.opts}
    shown = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", TEXT))
    assert shown <= known | {"--help"}
    sections = re.findall(r"^### `(\w+)`$", TEXT, re.MULTILINE)
    assert sorted(sections) == sorted(main.commands)


def test_every_link_of_the_guide_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (GUIDE.parent / target).exists(), target
    headings = {
        re.sub(r"[^\w -]", "", line).strip().lower().replace(" ", "-") for line in re.findall(r"^#+ (.*)$", TEXT, re.M)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", TEXT)) <= headings
