"""What is carried away from a ledger is what was recorded, or it is not carried away."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from ledger.errors import UnreadableError
from ledger.log import MemoryStore, Row
from ledger.log.sound import sound_rows
from tests.contracts.log_builders import RECORDER, batch, remark
from tests.log.proof_builders import altered

SIZE = 12


@pytest.fixture
def store() -> MemoryStore:
    """Twelve entries: odd positions are of table/a, even ones of table/b."""
    store = MemoryStore()
    for number in range(1, SIZE + 1):
        stream = "table/a" if number % 2 else "table/b"
        store.append(batch(remark(f"remark {number}"), stream=stream), recorded_by=RECORDER)
    return store


def answered_before(position: int, rows: list[Row], streams: Collection[str] = ()) -> list[int]:
    """The positions that are answered before the one at which the rows are found to be damaged."""
    answered = []
    with pytest.raises(UnreadableError, match=f"^the ledger is damaged at position {position}; verify it, and restore"):
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
