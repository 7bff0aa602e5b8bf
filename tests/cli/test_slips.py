"""A slip in a hand record as `import` tells it: on standard error, in the report, as a question at a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import CommandLine
from tests.cli.terminal import at_a_terminal
from tests.recording.test_slips import SLIP

HINT = "line 10: HT was played in line 9; with HQ all that follows is in order"


@pytest.fixture
def slip(cli: CommandLine) -> Path:
    return cli.file("slip.toml", SLIP.encode())


@pytest.mark.parametrize(
    ("typed", "status", "has_queen"),
    [("t\n", 0, True), ("a\n", 0, False), ("s\n", 3, None), ("x\nt\n", 0, True), ("\x04", 3, None)],
    ids=["taken", "as typed", "stopped", "asked again", "nobody there"],
)
def test_at_a_terminal_it_is_asked(
    cli: CommandLine, slip: Path, typed: str, status: int, has_queen: bool | None
) -> None:
    ended, shown = at_a_terminal(cli, typed, "import", slip)
    assert ended == status
    assert HINT in shown
    assert "[t] so it was meant [a] record it as typed [s] stop" in shown
    cards = [entry["event"].get("card") for entry in cli.entries()]
    assert (cards.count("HQ") == 1 if cards else None) == has_queen
