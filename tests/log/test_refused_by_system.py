"""Refusals of the system are reported correctly: a missing permission is no disk fault, and a full disk no damage."""

import shutil
import sqlite3
from collections import namedtuple
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.errors import UnreadableError
from ledger.log import SqliteStore
from ledger.log.sqlite_errors import translated
from tests.contracts.log_builders import RECORDER, batch, play
from tests.japanese import assert_has_japanese
from tests.permissions import bound, permitting

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "club" / "club.ledger"
    path.parent.mkdir()
    with SqliteStore.create(path) as store:
        store.append(batch(play()), recorded_by=RECORDER)
    yield path


def test_a_ledger_without_read_permission_is_reported_as_such(ledger: Path) -> None:
    with permitting(ledger, 0):
        refused = bound(ledger, "verify")
    expected = (
        f"trickledger: you have no permission to read the ledger {ledger}; "
        "ask the owner of the file and its folder, or use a copy\n"
    )
    assert (refused.returncode, refused.stderr) == (5, expected)


def test_a_folder_that_may_not_be_entered_is_reported_as_such(ledger: Path) -> None:
    with permitting(ledger.parent, 0):
        refused = bound(ledger, "tables", "--format", "json")
    assert refused.returncode == 5
    assert '"code":"forbidden"' in refused.stderr and "no permission to read the ledger" in refused.stderr


def test_no_ledger_is_made_where_there_is_no_permission(ledger: Path) -> None:
    other = ledger.with_name("other.ledger")
    with permitting(ledger.parent, 0o555):
        refused = bound(other, "init")
    assert (refused.returncode, refused.stderr) == (
        5,
        f"trickledger: no ledger can be written to {other}: Permission denied\n",
    )


def test_an_empty_log_left_in_a_folder_that_cannot_be_written_to_hides_nothing(ledger: Path) -> None:
    ledger.with_name("club.ledger-wal").touch()
    with permitting(ledger.parent, 0o555):
        said = bound(ledger, "verify").stdout
    assert said.startswith("Undamaged: 1 entries") and "Not checked for removed entries" not in said


def test_a_log_that_cannot_be_read_where_it_lies_is_named(ledger: Path) -> None:
    wal = ledger.with_name("club.ledger-wal")
    wal.write_bytes(b"entries")
    with permitting(ledger.parent, 0o555):
        refused = bound(ledger, "tables")
    assert refused.returncode == 5
    assert refused.stderr == (
        f"trickledger: {wal} must be read together with {ledger}, but you have no permission to write to their folder; "
        "copy both files to another folder\n"
    )


def _failed(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    return error


def test_a_read_that_fails_on_a_full_disk_lacks_room(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite needs some room for reading too, and reports a disk fault."""
    monkeypatch.setattr(shutil, "disk_usage", lambda place: Usage(1, 1, 0))
    error = translated(_failed(sqlite3.SQLITE_IOERR_SHMSIZE), ledger, 1.0)
    assert (error.code, str(error)) == (
        "no_space",
        f"the disk of {ledger} is full; nothing was recorded; free some space and try again",
    )
    assert_has_japanese(error.said, str(ledger))


def test_a_disk_that_fails_with_room_left_is_the_one_at_fault(ledger: Path) -> None:
    error = translated(_failed(sqlite3.SQLITE_IOERR_READ), ledger, 1.0)
    assert (error.code, isinstance(error, UnreadableError)) == ("disk", True)
    assert "the disk cannot read or write" in str(error)
