"""The guide shows the real output of commands; the reference names every command and option."""

import re

import click

from ledger.cli import main
from tests.cli.guide import GUIDE, run, settled
from tools.commands import PAGE, page

TEXT = GUIDE.read_text(encoding="utf-8")


def test_every_example_of_the_guide_prints_what_it_shows() -> None:
    shown, printed = settled(TEXT).splitlines(), settled(run(TEXT)).splitlines()
    assert printed == shown, "write the outputs anew: python -m tests.cli.guide"


def test_every_command_and_option_is_in_the_reference() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "write it anew: make reference"


def test_the_guide_names_every_option_before_the_command() -> None:
    options = [option for option in main.params if isinstance(option, click.Option) and option.name != "help"]
    assert [name for option in options for name in option.opts if f"`{name}" not in TEXT] == []


def test_the_guide_names_no_option_that_does_not_exist() -> None:
    known = {name for command in [main, *main.commands.values()] for option in command.params for name in option.opts}
    shown = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", TEXT))
    assert shown <= known | {"--help"}


def test_every_link_of_the_guide_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (GUIDE.parent / target).exists(), target
    headings = {
        re.sub(r"[^\w -]", "", line).strip().lower().replace(" ", "-") for line in re.findall(r"^#+ (.*)$", TEXT, re.M)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", TEXT)) <= headings
