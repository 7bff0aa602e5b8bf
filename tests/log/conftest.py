from pathlib import Path

import pytest

from ledger.log import MemoryStore, SqliteStore
from tests.contracts.log_builders import RECORDER, batch, play, remark


@pytest.fixture
def store() -> MemoryStore:
    """Return a store of twelve entries: odd positions are of table/a, even ones of table/b."""
    store = MemoryStore()
    for number in range(1, 13):
        stream = "table/a" if number % 2 else "table/b"
        store.append(batch(remark(f"remark {number}"), stream=stream, ids=[number]), recorded_by=RECORDER)
    return store


@pytest.fixture
def path(store: MemoryStore, tmp_path: Path) -> Path:
    """Return the path of a file with the twelve entries."""
    with SqliteStore.create(tmp_path / "club.ledger") as made:
        made.append_envelopes(row.envelope() for row in store.read())
    return made.path


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Return the path of a ledger with two entries."""
    path = tmp_path / "club.ledger"
    with SqliteStore.create(path) as store:
        store.append(batch(play(), play()), recorded_by=RECORDER)
    return path
