"""A command line at a ledger of its own, and a small club's records to ask about."""

from pathlib import Path

import pytest

from tests.cli.commands import CommandLine, empty_ledger, quarrels, ruled_club, small_club
from tests.history.quick_sandbox import forked_answers, quick_queries  # noqa: F401 - pytest finds them here
from tests.quick_history import quick_history  # noqa: F401 - pytest finds it here
from tests.quick_plots import quick_plots  # noqa: F401


@pytest.fixture
def bare_cli(tmp_path: Path) -> CommandLine:
    """A command line without a ledger."""
    return CommandLine(tmp_path)


@pytest.fixture
def cli(bare_cli: CommandLine) -> CommandLine:
    """A command line at an empty ledger."""
    return bare_cli.made_by(empty_ledger)


@pytest.fixture
def club(bare_cli: CommandLine) -> CommandLine:
    """A command line at the ledger of `small_club`."""
    return bare_cli.made_by(small_club)


@pytest.fixture
def ruled(bare_cli: CommandLine) -> CommandLine:
    """A command line at the ledger of `ruled_club`."""
    return bare_cli.made_by(ruled_club)


@pytest.fixture(scope="session")
def full(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A command line at the ledger of `quarrels`, to which no test adds a table."""
    return CommandLine(tmp_path_factory.mktemp("full")).made_by(quarrels)
