"""Tutorials and how-to pages show the real output of commands; the reference names every command and option."""

import re
from pathlib import Path

import click
import pytest

from ledger.cli import main
from tests.cli.guide import DOCS, PAGES, run, settled

ALL = "".join(one.read_text(encoding="utf-8") for one in PAGES)

LONG = DOCS / "ja" / "tutorials" / "statistician.md"
"""A page that soak runs try: its English edition has the same commands."""
TRIED = [pytest.param(path, marks=pytest.mark.soak) if path == LONG else path for path in PAGES]


@pytest.mark.usefixtures("quick_plots")
@pytest.mark.parametrize("path", TRIED, ids=lambda path: str(path.relative_to(DOCS)))
def test_every_example_of_a_page_prints_what_it_shows(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    shown, printed = settled(text).splitlines(), settled(run(path)).splitlines()
    assert printed == shown, "write the outputs anew: python -m tests.cli.guide"


def test_the_page_on_scripts_names_every_option_before_the_command() -> None:
    text = (DOCS / "how-to" / "scripts.md").read_text(encoding="utf-8")
    options = [option for option in main.params if isinstance(option, click.Option) and option.name != "help"]
    assert [name for option in options for name in option.opts if f"`{name}" not in text] == []


def test_the_pages_name_no_option_that_does_not_exist() -> None:
    known = {name for command in [main, *main.commands.values()] for option in command.params for name in option.opts}
    shown = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", ALL))
    assert shown <= known | {"--help"}


def test_a_japanese_page_has_the_sections_of_the_english_one() -> None:
    both = [(page, DOCS / page.relative_to(DOCS / "ja")) for page in PAGES if page.is_relative_to(DOCS / "ja")]
    levels = [[re.findall("^#+ ", page.read_text("utf-8"), re.M) for page in pair if page.exists()] for pair in both]
    assert [pair[0].name for pair, of in zip(both, levels, strict=True) if of[0] != of[-1]] == []


def test_every_link_to_a_heading_leads_to_one() -> None:
    """From tutorials and how-to pages; links to files are checked with those of the whole project."""
    texts = {path.resolve(): path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")}
    broken = [
        (path.name, target, heading)
        for path in texts
        if path.parent.name in ("tutorials", "how-to")
        for target, heading in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", texts[path])
        if heading not in _anchors(texts.get((path.parent / target).resolve() if target else path, ""))
    ]
    assert broken == []


def _anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {
        *(re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings),
        *re.findall(r'id="([^"]+)"', text),
    }
