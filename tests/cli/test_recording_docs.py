"""docs/recording.md: what it says is typed and shown is so, and each key stands there."""

from __future__ import annotations

import re

from ledger.recording.typed.meaning import LETTERS
from tests.cli.commands import ROOT, CommandLine
from tests.cli.test_record import KOP, typed

PAGE = (ROOT / "docs" / "recording.md").read_text(encoding="utf-8")


def block(name: str) -> str:
    return PAGE.split(f"<!-- {name} -->\n```text\n")[1].split("```")[0]


def test_the_deal_of_the_page_is_shown_as_the_page_says(cli: CommandLine) -> None:
    shown = typed(cli, *block("typed").splitlines(), words=KOP)
    assert block("shown") in shown


def test_the_page_counts_its_keys() -> None:
    assert f"{len(block('typed'))} keys" in PAGE


def test_each_command_has_its_row() -> None:
    table = PAGE.split("## Commands")[1].split("##")[0]
    assert set(re.findall(r"^\| `([a-z#!/])` ", table, re.MULTILINE)) == {*LETTERS, "#", "!", "/"}
