"""A backup gets its name only after it was read back, and a restored ledger equals the original."""

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ledger.errors import ConflictError, UnreadableError
from ledger.log import SqliteStore
from ledger.log.backup import back_up, delete_older, drill, restore
from ledger.log.verify import verify
from tests.contracts.log_builders import RECORDER, batch, play, remark
from tests.patience import wait_until

ENTRIES = 300


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    path = tmp_path / "club.ledger"
    with SqliteStore.create(path) as store:
        store.append(batch(*[play()] * (ENTRIES - 1), remark("the last one")), recorded_by=RECORDER)
    return path


def lines(path: Path) -> list[bytes]:
    with SqliteStore(path, access="read") as store:
        return [row.line() for row in store.read()]


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if not path.name.endswith("-lock")}


def damage(path: Path, old: bytes = b"the last one", new: bytes = b"the lost one") -> None:
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new))


def test_a_backup_holds_every_entry_in_one_file(ledger: Path) -> None:
    copied = back_up(ledger, ledger.with_name("backup.ledger"))
    assert lines(copied.path) == lines(ledger)
    assert (copied.entries, copied.digest) == (ENTRIES, verify(ledger).head.digest.hex())
    back_up(ledger, ledger.with_name("second.ledger"))
    assert {"club.ledger", "backup.ledger", "second.ledger"} <= files(ledger.parent)
    assert not [name for name in files(ledger.parent) if name.startswith((".", "second.ledger-"))]


def test_a_restored_ledger_has_the_head_of_the_backup_and_goes_on(ledger: Path) -> None:
    copied = back_up(ledger, ledger.with_name("backup.ledger"))
    before = copied.path.read_bytes()
    restored = restore(copied.path, ledger.with_name("restored.ledger"))
    assert (restored.entries, restored.digest) == (copied.entries, copied.digest)
    assert copied.path.read_bytes() == before
    with SqliteStore(restored.path) as store, SqliteStore(ledger) as old:
        assert store.ledger_id == old.ledger_id
        assert store.append(batch(play()), recorded_by=RECORDER).first_position == ENTRIES + 1


def test_old_backups_go_unless_they_have_more_than_the_new_one(ledger: Path) -> None:
    day = "club-2026-01-{:02}-183000.ledger".format
    for number in (1, 2, 9):
        back_up(ledger, ledger.with_name(day(number)))
    with SqliteStore(ledger.with_name(day(2))) as other:
        other.append(batch(play()), recorded_by=RECORDER)
    with SqliteStore.create(ledger.with_name(day(3))):  # another ledger under such a name
        pass
    ledger.with_name(day(4)).write_bytes(b"no ledger")
    newest = back_up(ledger, ledger.with_name(day(10)))
    done = delete_older(newest, ledger, datetime(2026, 1, 5, tzinfo=UTC))
    assert [path.name for path in done.deleted] == [day(1)]
    assert {day(number) for number in (2, 3, 4, 9, 10)} | {"club.ledger"} <= files(ledger.parent)


_RECORD_UNTIL_STOPPED = """
import sys
from select import select
from ledger.log import SqliteStore
from tests.contracts.log_builders import batch, play
print("recording", flush=True)
is_last = False
while not is_last:
    is_last = bool(select([sys.stdin], [], [], 0.005)[0])
    with SqliteStore(sys.argv[1]) as store:
        recorded = store.append(batch(*[play()] * 20), recorded_by="r").last_position
print(recorded, flush=True)
"""


@contextmanager
def recording(ledger: Path) -> Iterator[list[int]]:
    """Let another process record twenty entries at a time; afterwards the list holds the last one acknowledged."""
    command = [sys.executable, "-c", _RECORD_UNTIL_STOPPED, str(ledger)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "cwd": Path(__file__).parents[2]}
    acknowledged: list[int] = []
    with subprocess.Popen(command, **pipes) as writer:
        assert writer.stdout.readline() == b"recording\n"
        yield acknowledged
        acknowledged.append(int(writer.communicate(b"stop\n")[0]))


def test_a_backup_is_made_while_others_record(ledger: Path) -> None:
    with recording(ledger) as acknowledged:
        copies = [back_up(ledger, ledger.with_name(f"backup-{number}.ledger")) for number in range(3)]
    recorded = lines(ledger)
    assert [len(recorded)] == acknowledged > [copies[0].entries]
    for copied in copies:
        assert lines(copied.path) == recorded[: copied.entries]
        assert (copied.entries - ENTRIES) % 20 == 0, "a batch is in a backup whole or not at all"


def test_nothing_is_overwritten_without_the_option(ledger: Path) -> None:
    target = ledger.with_name("backup.ledger")
    target.write_bytes(b"something dear")
    for copy in (back_up, restore):
        with pytest.raises(ConflictError, match=r"backup\.ledger already exists; nothing was overwritten"):
            copy(ledger, target)
        assert target.read_bytes() == b"something dear"
    back_up(ledger, target, overwrite=True)
    assert lines(target) == lines(ledger)


def test_an_old_backup_is_replaced_with_its_sidecar_files(ledger: Path) -> None:
    target = ledger.with_name("backup.ledger")
    back_up(ledger, target)
    with closing(sqlite3.connect(f"file:{target}?mode=ro", uri=True)) as reader:
        reader.execute("SELECT * FROM entries").fetchone()  # leaves its -wal and -shm
    assert "backup.ledger-wal" in files(ledger.parent)
    with SqliteStore(ledger) as store:
        store.append(batch(play()), recorded_by=RECORDER)
    back_up(ledger, target, overwrite=True)
    assert lines(target) == lines(ledger)


def test_a_ledger_in_use_is_not_replaced(ledger: Path) -> None:
    backup = back_up(ledger, ledger.with_name("backup.ledger")).path
    with SqliteStore(ledger) as store:
        store.append(batch(play()), recorded_by=RECORDER)
        with pytest.raises(ConflictError, match=r"club\.ledger is in use; nothing was overwritten"):
            restore(backup, ledger, overwrite=True)
        with pytest.raises(ConflictError, match="is in use"):
            back_up(ledger, ledger, overwrite=True)
    assert len(lines(ledger)) == ENTRIES + 1
    assert restore(backup, ledger, overwrite=True).entries == ENTRIES
    assert len(lines(ledger)) == ENTRIES


def test_what_is_recorded_after_a_ledger_was_replaced_is_in_the_new_one(ledger: Path) -> None:
    backup = back_up(ledger, ledger.with_name("backup.ledger")).path

    def is_replaced() -> bool:
        with suppress(ConflictError):  # it is in use just then
            restore(backup, ledger, overwrite=True)
            return True
        return False

    with recording(ledger) as acknowledged:
        for _ in range(4):
            wait_until(is_replaced)
    assert verify(ledger).damage is None
    assert [len(lines(ledger))] == acknowledged, "the last one acknowledged is the last one there"


def test_a_ledger_that_cannot_be_replaced_stays_in_use(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    backup = back_up(ledger, ledger.with_name("backup.ledger")).path

    def fail(*_: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched, pytest.raises(UnreadableError, match="Input/output error"):
        patched.setattr(Path, "replace", fail)
        restore(backup, ledger, overwrite=True)
    with SqliteStore(ledger) as store, SqliteStore(ledger) as reader:
        assert store.append(batch(play()), recorded_by=RECORDER).first_position == reader.head().position


def test_a_linked_ledger_is_copied_with_its_log(ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "links"
    folder.mkdir()
    link = folder / "club.ledger"
    link.symlink_to(ledger)
    monkeypatch.setattr("ledger.log.sqlite_file.os.access", lambda *_: False)  # root may write to any folder
    with SqliteStore(ledger) as store:
        store.append(batch(play()), recorded_by=RECORDER)
        assert verify(link).entries == ENTRIES + 1
        assert back_up(link, tmp_path / "backup.ledger").entries == ENTRIES + 1


def test_a_damaged_ledger_is_named_with_the_position_and_the_old_backup_stays(ledger: Path) -> None:
    target = back_up(ledger, ledger.with_name("backup.ledger")).path
    before = target.read_bytes()
    damage(ledger)
    with pytest.raises(UnreadableError, match=rf"club\.ledger is damaged at position {ENTRIES}: the digest does not"):
        back_up(ledger, target, overwrite=True)
    assert target.read_bytes() == before
    assert not [name for name in files(ledger.parent) if name.startswith(".")]


def test_a_damaged_backup_is_not_restored(ledger: Path) -> None:
    backup = back_up(ledger, ledger.with_name("backup.ledger")).path
    damage(backup)
    with pytest.raises(UnreadableError, match=rf"backup\.ledger is damaged at position {ENTRIES}: .*; it was not cop"):
        restore(backup, ledger.with_name("restored.ledger"))
    assert "restored.ledger" not in files(ledger.parent)


@pytest.mark.skipif(not hasattr(os, "posix_fadvise"), reason="LEFT OUT: this system forgets no pages on request")
@pytest.mark.parametrize("forgotten", [b"the last one", b"SQLite format 3"], ids=["an entry", "the file's head"])
def test_a_copy_lost_by_the_disk_gets_no_name(ledger: Path, monkeypatch: pytest.MonkeyPatch, forgotten: bytes) -> None:
    def forget(file: int, *_: int) -> None:
        damage(Path(f"/proc/self/fd/{file}").readlink(), forgotten, bytes(len(forgotten)))

    monkeypatch.setattr(os, "posix_fadvise", forget)
    with pytest.raises(UnreadableError):
        back_up(ledger, ledger.with_name("backup.ledger"))
    assert not [name for name in files(ledger.parent) if "backup" in name]
    assert verify(ledger).damage is None


def another_ledger(path: Path, ledger: Path) -> None:
    with SqliteStore.create(path) as store, SqliteStore(ledger) as old:
        store.append_envelopes(row.envelope() for row in old.read())


def older_state(path: Path, ledger: Path) -> None:
    """Return the same ledger, sound in itself, without its last entry."""
    with SqliteStore(back_up(ledger, path).path) as store, SqliteStore(ledger) as newer:
        newer.append(batch(play()), recorded_by=RECORDER)
        store.head()


def another_ending(path: Path, ledger: Path) -> None:
    """Return the same ledger, sound in itself, with another last entry."""
    older_state(path, ledger)
    with SqliteStore(path) as store:
        store.append(batch(play("HK")), recorded_by=RECORDER)


@pytest.mark.skipif(not hasattr(os, "posix_fadvise"), reason="LEFT OUT: this system forgets no pages on request")
@pytest.mark.parametrize(("make", "complaint"), [
    (another_ledger, "has another id than the ledger"),
    (older_state, "has only 300 of 301 entries"),
    (another_ending, "differs at position 301"),
])  # fmt: skip
def test_a_copy_that_is_sound_but_not_the_ledger_gets_no_name(
    ledger: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, make, complaint: str
) -> None:
    other = tmp_path_factory.mktemp("other") / "other.ledger"
    make(other, ledger)
    content = other.read_bytes()
    monkeypatch.setattr(
        os, "posix_fadvise", lambda file, *_: Path(f"/proc/self/fd/{file}").readlink().write_bytes(content)
    )
    with pytest.raises(UnreadableError, match=complaint):
        back_up(ledger, ledger.with_name("backup.ledger"))
    assert "backup.ledger" not in files(ledger.parent)


def test_a_drill_says_what_a_backup_and_its_restoring_come_to_and_leaves_nothing(
    ledger: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path_factory.mktemp("drill")
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    before = files(ledger.parent)
    steps: list[str] = []
    done = drill(ledger, progress=lambda what, *_: steps.append(what))
    assert (done.entries, done.digest) == (ENTRIES, verify(ledger).head.digest.hex())
    assert {"copying", "checking"} <= set(steps)
    assert list(place.iterdir()) == []
    assert before <= files(ledger.parent)
