"""The season that many tests ask, and its read model: made once a worker, as none of them changes either."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.history import History, catch_up, open_history
from tests.history.season import Season, make_season


@pytest.fixture(scope="session")
def season() -> Season:
    return make_season()


@pytest.fixture(scope="session")
def season_path(season: Season, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("season") / "club.history.duckdb"
    catch_up(season.store, path)
    return path


@pytest.fixture(scope="session")
def season_history(season_path: Path) -> Iterator[History]:
    with open_history(season_path) as history:
        yield history
