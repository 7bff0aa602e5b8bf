"""The file itself refuses changes, whatever program opens it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.log import SqliteStore
from tests.contracts.log_builders import RECORDER, an_id, batch, play

COLUMNS = "stream, version, id, recorded_at, recorded_by, happened_at, event, digest"
NEW_ID = an_id(9)


@pytest.fixture
def foreign(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A plain connection to a ledger with three entries; afterwards they must still be as they were."""
    path = tmp_path / "club.ledger"
    with SqliteStore.create(path) as store:
        store.append(batch(play("SA"), play("SK"), play("SQ"), ids=[1, 2, 3]), recorded_by=RECORDER)
        before = list(store.read())
    connection = sqlite3.connect(path, isolation_level=None)
    yield connection
    connection.close()
    with SqliteStore.open(path) as store:
        assert list(store.read()) == before


def test_no_column_can_be_changed_and_no_entry_take_the_place_of_another(foreign: sqlite3.Connection) -> None:
    changes = [f"UPDATE entries SET {column} = {column}" for column in ("position", *COLUMNS.split(", "))]
    for change in (*changes, "UPDATE OR REPLACE entries SET position = 1"):
        with pytest.raises(sqlite3.IntegrityError, match="an entry is never changed"):
            foreign.execute(f"{change} WHERE position = 2")


@pytest.mark.parametrize("condition", ["1", "position = 3", "stream = 'table/ombre-1'"])
def test_nothing_can_be_removed(foreign: sqlite3.Connection, condition: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="an entry is never removed"):
        foreign.execute(f"DELETE FROM entries WHERE {condition}")


WRONG_PLACES: dict[str, dict[str, object]] = {
    "position taken": {"position": 2},
    "version taken": {"position": 4, "version": 2},
    "id taken": {"position": 4, "version": 4, "id": an_id(2)},
    "gap": {"position": 5, "version": 4},
    "before the first": {"position": 0, "version": 4},
    "gap in stream": {"position": 4, "version": 5},
    "stream begins at 2": {"position": 4, "stream": "table/other", "version": 2},
}


@pytest.mark.parametrize("changes", WRONG_PLACES.values(), ids=WRONG_PLACES)
def test_what_replaces_an_entry_or_leaves_a_gap_is_refused(
    foreign: sqlite3.Connection, changes: dict[str, object]
) -> None:
    entry = dict(zip(COLUMNS.split(", "), foreign.execute(f"SELECT {COLUMNS} FROM entries").fetchall()[1], strict=True))
    entry |= {"version": 4, "id": NEW_ID} | changes
    for verb in ("INSERT", "INSERT OR REPLACE", "REPLACE", "INSERT OR ABORT"):
        with pytest.raises(sqlite3.IntegrityError, match="an entry follows the one before, and replaces none"):
            foreign.execute(f"{verb} INTO entries ({', '.join(entry)}) VALUES (:{', :'.join(entry)})", entry)


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO entries SELECT * FROM entries WHERE position = 2 ON CONFLICT DO UPDATE SET event = '{}'",
        f"INSERT INTO entries (position, {COLUMNS}) SELECT 4, stream, 4, '{NEW_ID}', recorded_at, recorded_by,"
        " happened_at, x'00', digest FROM entries WHERE position = 3",
    ],
    ids=["upsert", "column of another type"],
)
def test_an_upsert_and_another_type_of_column_are_refused(foreign: sqlite3.Connection, statement: str) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        foreign.execute(statement)
