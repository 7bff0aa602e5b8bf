"""Every answer and export of a ledger has the entries as recorded, or fails."""

from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from ledger.errors import UnreadableError
from ledger.log import MemoryStore, Row, SqliteStore
from ledger.log.stores import bulk_reader
from ledger.log.verified_rows import sound_rows
from tests.contracts.log_builders import an_id
from tests.log.damages import alter
from tests.log.proof_builders import altered

SIZE = 12


def answered_before(position: int, rows: list[Row], streams: Collection[str] = ()) -> list[int]:
    """Return the positions that are read before the one at which damage is reported."""
    answered = []
    with pytest.raises(UnreadableError, match=f"^the ledger is damaged at position {position}; verify it and restore"):
        for row in sound_rows(rows, SIZE, streams):
            answered.append(row.position)
    return answered


def test_a_sound_ledger_is_answered_as_it_is(store: MemoryStore) -> None:
    rows = list(store.read())
    assert list(sound_rows(rows, SIZE)) == list(sound_rows(rows, SIZE, {"table/a"})) == rows
    assert list(sound_rows([], 0)) == []


@pytest.mark.parametrize(
    "change",
    [
        {"payload": b'{"type":"noted","text":"remark 8"}'},
        {"payload": b'{"type":"noted","text:"remark 7"}'},
        {"payload": b'{"type":"hummed","text":"remark 7"}'},
        {"payload": None},
        {"recorded_by": "somebody"},
        {"stream": "table/c"},
        {"version": 9},
        {"digest": bytes(32)},
        {"digest": None},
    ],
    ids=str,
)
def test_an_altered_entry_is_not_answered(store: MemoryStore, change: dict[str, object]) -> None:
    rows = list(altered(store, 7, **change).read())
    assert answered_before(7, rows) == [1, 2, 3, 4, 5, 6]


def test_a_missing_entry_is_noticed_wherever_it_was(store: MemoryStore) -> None:
    rows = list(store.read())
    assert answered_before(1, rows[1:]) == []
    assert answered_before(7, [*rows[:6], *rows[7:]]) == [1, 2, 3, 4, 5, 6]
    assert len(answered_before(12, rows[:-1])) == 11
    assert len(answered_before(12, rows[:-1], {"table/a"})) == 11, "nobody knows of which table it was"


def test_of_the_streams_that_are_wanted_every_entry_must_fit_and_of_others_none(store: MemoryStore) -> None:
    rows = list(altered(store, 7, payload=b'{"type":"noted","text":"remark 8"}').read())
    assert list(sound_rows(rows, SIZE, {"table/b"})) == rows
    assert len(answered_before(7, rows, {"table/a"})) == 6
    assert len(answered_before(7, rows, {"table/a", "table/b"})) == 6


@pytest.mark.parametrize("digest", [bytes(32), None])
def test_what_follows_an_altered_digest_cannot_be_known_to_be_sound(store: MemoryStore, digest: object) -> None:
    rows = list(altered(store, 7, digest=digest).read())
    assert len(answered_before(8, rows, {"table/b"})) == 7


ALTERED = {
    "SET event = replace(event, 'remark 7', 'remark 8') WHERE position = 7": 7,
    "SET recorded_by = 'somebody' WHERE position = 1": 1,
    "SET recorded_at = '2026-01-05T18:30:00.000001Z' WHERE position = 11": 11,
    "SET digest = zeroblob(32) WHERE position = 7": 7,
    "SET version = 9 WHERE position = 11": 11,
}
"""SQL that alters an entry of `table/a`, and its position."""

READERS: dict[str, Callable[[SqliteStore], object]] = {
    "read": lambda store: list(store.read()),
    "read_stream": lambda store: store.read_stream("table/a"),
    "known_ids": lambda store: store.known_ids(map(an_id, range(1, SIZE + 1))),
    "events in bulk": lambda store: bulk_reader(store).events("table/a", SIZE),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("change", ALTERED)
def test_every_reader_refuses_an_altered_entry_and_names_its_position(path: Path, change: str, reader: str) -> None:
    alter(path, f"UPDATE entries {change}")
    with SqliteStore(path) as store:
        with pytest.raises(UnreadableError) as refused:
            READERS[reader](store)
        assert (refused.value.code, refused.value.values["position"]) == ("damaged", ALTERED[change])
        assert [row.position for row in store.read_stream("table/b")] == [2, 4, 6, 8, 10, 12]


@pytest.mark.parametrize("digest", [1, 5, 11])
def test_an_altered_digest_says_nothing_against_the_entry_after_it(path: Path, digest: int) -> None:
    alter(path, f"UPDATE entries SET digest = zeroblob(32) WHERE position = {digest}")
    with SqliteStore(path) as store:
        assert [row.position for row in store.read_stream("table/b")] == [2, 4, 6, 8, 10, 12]


@pytest.mark.parametrize("removed", [1, 5])
def test_a_stream_of_which_an_entry_is_missing_is_damaged(path: Path, removed: int) -> None:
    alter(path, f"DELETE FROM entries WHERE position = {removed}")
    with SqliteStore(path) as store, pytest.raises(UnreadableError, match="comes next"):
        store.read_stream("table/a")


def test_entries_before_and_after_an_altered_one_are_answered(path: Path) -> None:
    alter(path, "UPDATE entries SET recorded_by = 'somebody' WHERE position = 5")
    with SqliteStore(path) as store:
        assert len(store.read_stream("table/a", until_position=4)) == 2
        assert [row.version for row in store.read_stream("table/a", 3)] == [4, 5, 6]
        assert [row.position for row in store.read(5)] == [6, 7, 8, 9, 10, 11, 12]
        assert len(list(store.read(verified=False))) == SIZE
