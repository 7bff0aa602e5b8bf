"""Nothing is appended to a ledger whose files were replaced, or whose last entry does not match its digest."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from ledger.errors import LedgerError
from ledger.log import EMPTY, SqliteStore
from ledger.log.base import Row
from ledger.log.open_files import ReplacedError
from ledger.log.paths import left_by_sqlite, seen_of
from ledger.log.watched import COMMITS_PER_CHECKPOINT, WatchedStore
from tests.contracts.log_builders import RECORDER, batch, play


def altered(ledger: Path, column: str, value: object) -> None:
    """Change the last entry, as another program does that removes the triggers."""
    with closing(sqlite3.connect(ledger, isolation_level=None)) as other:
        other.execute("DROP TRIGGER entries_are_never_changed")
        other.execute(f"UPDATE entries SET {column} = ? WHERE position = (SELECT max(position) FROM entries)", [value])


@pytest.mark.parametrize(("column", "value"), [("recorded_by", "Eve"), ("event", "{}"), ("digest", bytes(32))])
def test_nothing_is_chained_to_an_altered_entry(ledger: Path, column: str, value: object) -> None:
    seen_of(ledger).unlink()
    with SqliteStore(ledger) as store:
        altered(ledger, column, value)
        assert_is_refused(store, 2)
    with SqliteStore(ledger) as store:
        assert_is_refused(store, 2)


def test_an_entry_that_is_altered_between_two_appends_is_noticed(ledger: Path) -> None:
    with SqliteStore(ledger) as store:
        store.append(batch(play()), recorded_by=RECORDER)
        altered(ledger, "happened_at", "2026-01-05T18:30:00.000000Z")
        assert_is_refused(store, 3)


def assert_is_refused(store: SqliteStore, position: int) -> None:
    with pytest.raises(LedgerError) as refused:
        store.append(batch(play()), recorded_by=RECORDER)
    assert (refused.value.code, refused.value.values["position"]) == ("damaged", position)
    assert store.head().position == position


def replaced(ledger: Path) -> None:
    shutil.copy(ledger, ledger.with_name("copy"))
    ledger.with_name("copy").replace(ledger)


@pytest.mark.parametrize(
    "change",
    [Path.unlink, replaced, *(lambda ledger, at=at: left_by_sqlite(ledger)[at].unlink() for at in (0, 1))],
    ids=["removed", "replaced", "without its log", "without the index of its log"],
)
def test_an_open_ledger_appends_nothing_to_replaced_files(ledger: Path, change: Callable[[Path], object]) -> None:
    with SqliteStore(ledger) as store:
        store.append(batch(play()), recorded_by=RECORDER)
        change(ledger)
        for _ in range(2):
            with pytest.raises(ReplacedError):
                store.append(batch(play()), recorded_by=RECORDER)
        assert store.head().position == 3


@pytest.fixture
def audits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list of the known positions at each reading of the whole ledger."""
    made: list[int] = []
    audit = WatchedStore._audit

    def counted(store: WatchedStore) -> None:
        made.append(store._known.position)
        audit(store)

    monkeypatch.setattr(WatchedStore, "_audit", counted)
    return made


def watched(ledger: Path) -> WatchedStore:
    with SqliteStore(ledger, access="read") as store:
        return WatchedStore(ledger, "write", store.head(), lambda rescue: None)


def test_what_programs_of_ours_do_is_not_taken_for_a_change_by_others(ledger: Path, audits: list[int]) -> None:
    with watched(ledger) as store, watched(ledger) as second:
        for _ in range(COMMITS_PER_CHECKPOINT):
            second.append(batch(play()), recorded_by=RECORDER)
        second.settle()
        with SqliteStore(ledger) as command:
            command.append_all([batch(*[play()] * 500, stream=f"table/{name}") for name in "abcdefgh"], recorded_by="x")
            command.set_display_name("Ann", "Anna")
        assert store.current() is store
        store.append(batch(play()), recorded_by=RECORDER)
        assert store.current() is store
    assert audits == []


def test_what_another_program_does_is_looked_at_once(ledger: Path, audits: list[int]) -> None:
    with watched(ledger) as store:
        store.append(batch(play()), recorded_by=RECORDER)
        os.utime(ledger)
        for _ in range(3):
            store.append(batch(play()), recorded_by=RECORDER)
            assert store.current() is store
        assert audits == [3, 4], "when it is noticed, and when the log was brought into the ledger"


def test_the_log_is_filled_many_times_without_a_look_at_the_whole_ledger(ledger: Path, audits: list[int]) -> None:
    sizes = set()
    with watched(ledger) as store:
        for count in (5, 1, 9, 1, 1, 3, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1):
            for _ in range(count):
                store.append(batch(play()), recorded_by=RECORDER)
            store.settle(at_once=count > 1)
            sizes.add(left_by_sqlite(ledger)[0].stat().st_size)
    assert (len(sizes) > 1, audits) == (True, [])


@pytest.mark.parametrize(("bytes_left", "is_sound"), [(0, False), (20, False), (9_000, False), (-4_096, True)])
def test_a_log_that_is_cut_off_during_a_commit_loses_nothing_that_is_acknowledged(
    ledger: Path, monkeypatch: pytest.MonkeyPatch, bytes_left: int, is_sound: bool
) -> None:
    """SQLite writes behind the gap: the size is as expected, and only this process reads the pages before it."""
    rescues: list[Path | None] = []
    with SqliteStore(ledger, access="read") as reader:
        store = WatchedStore(ledger, "write", reader.head(), rescues.append)
    wal = left_by_sqlite(ledger)[0]
    plain = WatchedStore._insert

    def cut_off(store: WatchedStore, rows: Sequence[Row]) -> None:
        plain(store, rows)
        os.truncate(wal, bytes_left if bytes_left >= 0 else wal.stat().st_size + bytes_left)

    with store:
        for _ in range(5):
            store.append(batch(*[play()] * 50), recorded_by=RECORDER)
        with monkeypatch.context() as patched, nullcontext() if is_sound else pytest.raises(ReplacedError):
            patched.setattr(WatchedStore, "_insert", cut_off)
            store.append(batch(play()), recorded_by=RECORDER)
        known = store.head()
        crashed = ledger.with_name("crashed")  # with what a process that is killed here leaves
        shutil.copy(ledger, crashed)
        shutil.copy(wal, left_by_sqlite(crashed)[0])
    if is_sound:
        with SqliteStore(crashed, access="read") as store:
            assert (store.head(), rescues) == (known, [])
    else:
        (rescue,) = rescues
        assert rescue is not None and len(rescue.read_bytes().splitlines()) == 251


def test_a_sound_copy_in_its_place_goes_on(ledger: Path) -> None:
    with watched(ledger) as store:
        store.append(batch(play()), recorded_by=RECORDER)
        with SqliteStore(ledger) as command:
            command.append(batch(play()), recorded_by=RECORDER)
        ledger.with_name("away").mkdir()
        for file in (ledger, *left_by_sqlite(ledger)):
            shutil.copy(file, ledger.with_name("away"))
            file.unlink()
        with SqliteStore(ledger.with_name("away") / ledger.name) as copy:
            copy.append(batch(play()), recorded_by=RECORDER)
        shutil.move(ledger.with_name("away") / ledger.name, ledger)
        with store.current() as successor:
            assert successor is not store
            assert successor.append(batch(play()), recorded_by=RECORDER).first_position == 6


def test_a_ledger_that_was_never_served_is_no_successor(ledger: Path) -> None:
    with SqliteStore(ledger) as store:
        head = store.head()
        for known, is_refused in ((EMPTY, False), (head, False), (type(head)(1, head.digest), True)):
            if is_refused:
                with pytest.raises(ReplacedError):
                    WatchedStore(ledger, "write", known, lambda rescue: None)
            else:
                WatchedStore(ledger, "write", known, lambda rescue: None).close()
