"""Each writer remembers the head of a ledger, and a rollback is never accepted silently."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ledger.errors import ConflictError, MalformedError, UsageError
from ledger.log import SqliteStore
from ledger.log.growth import verify_growth
from ledger.log.paths import seen_draft_of, seen_of
from ledger.log.rollback_detection import read_known_head
from ledger.log.writer_queue import WriterQueue
from tests.contracts.log_builders import RECORDER, batch, play


def position(ledger: Path) -> int | None:
    seen = read_known_head(ledger)
    return None if seen is None else seen.position


def roll_back(ledger: Path) -> None:
    """Replace the ledger by a copy made three entries earlier."""
    shutil.copyfile(ledger, ledger.with_name("old"))
    with SqliteStore(ledger) as store:
        store.append(batch(play(), play(), play()), recorded_by=RECORDER)
    shutil.copyfile(ledger.with_name("old"), ledger)


def test_the_first_append_is_seen_at_once_and_the_last_one_at_the_end(ledger: Path) -> None:
    with SqliteStore(ledger) as store:
        store.append(batch(play()), recorded_by=RECORDER)
        assert position(ledger) == 3
        store.append(batch(play()), recorded_by=RECORDER)
        store.append(batch(play()), recorded_by=RECORDER)
        assert position(ledger) == 3
    assert position(ledger) == 5
    assert json.loads(seen_of(ledger).read_bytes()) == {
        "position": 5,
        "digest": verify_growth(ledger).head.digest.hex(),
    }


def test_what_a_killed_writer_left_is_gone_with_the_next_one(ledger: Path) -> None:
    before = {file.name for file in ledger.parent.iterdir()}
    seen_draft_of(ledger).write_text('{"position": 7, "dig')
    assert position(ledger) == 2
    with SqliteStore(ledger) as store:
        store.append(batch(play()), recorded_by=RECORDER)
    assert position(ledger) == 3
    assert {file.name for file in ledger.parent.iterdir()} == before


def test_what_is_seen_never_goes_back(ledger: Path) -> None:
    with SqliteStore(ledger) as slow, SqliteStore(ledger) as quick:
        for store in (slow, quick, slow, quick):
            store.append(batch(play()), recorded_by=RECORDER)
        quick.close()
        assert position(ledger) == 6
    assert position(ledger) == 6


def test_a_refused_process_stays_refused_until_the_rollback_is_accepted(ledger: Path) -> None:
    roll_back(ledger)
    with SqliteStore(ledger) as store:
        for _ in range(2):
            with pytest.raises(ConflictError) as refused:
                store.append(batch(play()), recorded_by=RECORDER)
            assert (refused.value.code, refused.value.values["expected"], refused.value.values["actual"]) == (
                "rolled_back",
                5,
                2,
            )
        accepted = verify_growth(ledger, accept_rollback="a slip")
        assert (accepted.damage, accepted.is_rolled_back) == (None, False)
        store.append(batch(play()), recorded_by=RECORDER)
    assert verify_growth(ledger).rollbacks == accepted.rollbacks


def test_every_rollback_is_recorded(ledger: Path) -> None:
    for reason in ("first", "second"):
        roll_back(ledger)
        verify_growth(ledger, accept_rollback=reason)
    assert [one.reason for one in verify_growth(ledger).rollbacks] == ["first", "second"]


def test_a_reader_writes_nothing_and_does_not_wait_for_a_writer(ledger: Path) -> None:
    seen_of(ledger).unlink()
    with SqliteStore(ledger, access="read") as store:
        store.remember_head()
    assert not seen_of(ledger).exists()
    queue = WriterQueue(ledger.with_name("club.ledger-lock"))
    assert queue.enter(1)
    with SqliteStore(ledger, access="allowed") as store:
        store.remember_head()
        assert not seen_of(ledger).exists()
        queue.leave()
        store.remember_head()
    queue.close()
    assert position(ledger) == 2


@pytest.mark.parametrize("reason", ["", " \n", "x" * 10_001])
def test_a_reason_is_a_text_of_some_length(ledger: Path, reason: str) -> None:
    roll_back(ledger)
    with pytest.raises(MalformedError):
        verify_growth(ledger, accept_rollback=reason)


def test_an_empty_ledger_of_which_nothing_is_known_has_nothing_to_accept(tmp_path: Path) -> None:
    path = tmp_path / "new.ledger"
    SqliteStore.create(path).close()
    assert not verify_growth(path).is_growth_checked
    with pytest.raises(UsageError):
        verify_growth(path, accept_rollback="why not")


def test_writers_side_by_side_leave_the_furthest_entry(ledger: Path) -> None:
    def write(_: int) -> None:
        with SqliteStore(ledger) as store:
            for _ in range(5):
                store.append(batch(play()), recorded_by=RECORDER)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(8)))
    assert position(ledger) is not None
    assert 2 < (position(ledger) or 0) <= 42
    assert verify_growth(ledger).damage is None
