"""A command line at a ledger of its own, and a small club's records to ask about."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import FINE, FIRST_DEAL, OPENED, RAISE, REVOKE, CommandLine, result


@pytest.fixture
def bare_cli(tmp_path: Path) -> CommandLine:
    """A command line without a ledger."""
    return CommandLine(tmp_path)


@pytest.fixture
def cli(bare_cli: CommandLine) -> CommandLine:
    """A command line at an empty ledger."""
    bare_cli.ok("init")
    return bare_cli


@pytest.fixture
def club(cli: CommandLine) -> CommandLine:
    """A ledger with the table `t` (a won game, later corrected to a codille) and the table with the revoke.

    Positions 1 to 3: the table as first written, 4: its correction, 5 and on: the revoke.
    """
    cli.record(OPENED, FIRST_DEAL, result(5, 2, 2))
    cli.record(
        {
            "type": "corrected",
            "version": 3,
            "action": "replace",
            "events": [result(3, 5, 1)],
            "reason": "the columns of the sheet were read the wrong way",
        }
    )
    cli.ok("import", REVOKE)
    return cli


@pytest.fixture
def ruled(club: CommandLine) -> CommandLine:
    """The revoke in dispute (entry 39) and fined (entry 40)."""
    club.ok(*RAISE, "--by", "director")
    club.ok(*FINE, "--rule", "6.5", "--by", "director")
    return club
