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
    """Return the path of the test's read model."""
    return tmp_path / "club.history.duckdb"


def opening_night(cli: CommandLine) -> None:
    """Make a ledger with a session with one finding, and its read model, up to date."""
    revoke_alone(cli)
    cli.ok("import", ROOT / "replays/session/opening-night-1.toml")
    cli.ok("stats", "standings")


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """Return that ledger, copied into the folder of the test, from which commands are run."""
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path).made_by(opening_night)


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a database in memory with the empty tables of a read model."""
    with duckdb.connect() as connection:
        create_tables(connection)
        yield connection
