from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from ledger.history.model.schema import create_tables
from tests.cli.commands import ROOT, CommandLine, revoke_alone
from tests.history.quick_sandbox import forked_answers, quick_sandbox  # noqa: F401 - pytest finds them here
from tests.history.season import season, season_history, season_path  # noqa: F401 - pytest finds them here
from tests.quick_history import quick_history  # noqa: F401 - pytest finds it here


@pytest.fixture
def history(tmp_path: Path) -> Path:
    """Where a test puts its read model."""
    return tmp_path / "club.history.duckdb"


def opening_night(cli: CommandLine) -> None:
    """A ledger with a session of which one deal has a finding; its read model is level with it."""
    revoke_alone(cli)
    cli.ok("import", ROOT / "replays/session/opening-night-1.toml")
    cli.ok("stats", "standings")


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """That ledger in the folder of the test, from which commands are given."""
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path).made_by(opening_night)


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """A database in memory with the tables of a read model, empty."""
    with duckdb.connect() as connection:
        create_tables(connection)
        yield connection
