from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from ledger.history.model import schema
from ledger.history.model.schema import create_tables
from tests.cli.commands import ROOT, CommandLine
from tests.history.quick_sandbox import forked_answers, quick_sandbox  # noqa: F401 - pytest finds them here
from tests.history.season import season, season_history, season_path  # noqa: F401 - pytest finds them here

_COMMENTS = schema._comments


@pytest.fixture
def history(tmp_path: Path) -> Path:
    """Where a test puts its read model."""
    return tmp_path / "club.history.duckdb"


@pytest.fixture(scope="session")
def club_template(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A ledger with a session of which one deal has a finding; its read model, comments and all, is level with it."""
    command = CommandLine(tmp_path_factory.mktemp("club"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "_comments", _COMMENTS)
        command.ok("init")
        command.ok("import", ROOT / "replays/session/opening-night-1.toml", ROOT / "replays/ombre/revoke.toml")
        command.ok("stats", "standings")
    return command


@pytest.fixture
def club(club_template: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The same once more, in the folder of the test, from which commands are given."""
    for file in club_template.folder.glob("club.ledger*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path)


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """A database in memory with the tables of a read model, empty."""
    with duckdb.connect() as connection:
        create_tables(connection)
        yield connection
