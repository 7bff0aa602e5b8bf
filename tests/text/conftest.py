"""Texts are read where people read them: on the command line."""

from __future__ import annotations

import pytest

from tests.cli.commands import ROOT, CommandLine
from tests.cli.conftest import bare_cli, cli, club, ruled

__all__ = ["bare_cli", "cli", "club", "ruled"]


@pytest.fixture
def examples(cli: CommandLine) -> CommandLine:
    for name in (
        "quadrille/06-partner-reveals-himself-and-stop",
        "ombre/12a-defended-won",
        "couillon/07-bottom-card-decides",
        "kop/01-exactly-53",
    ):
        cli.ok("import", ROOT / "replays" / f"{name}.toml")
    return cli
