"""Creating, recognising and opening the file of a ledger; its error messages; its protection against changes."""

import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from unittest.mock import Mock

import pytest

from ledger.errors import ConflictError, UnreadableError
from ledger.events import Envelope
from ledger.log import MemoryStore, SqliteStore
from ledger.log.verify import verify
from ledger.log.writer_queue import WriterQueue
from tests.contracts.log_builders import RECORDER, an_id, batch, play
from tests.patience import PATIENCE_S, wait_until


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "club.ledger"
    SqliteStore.create(path).close()
    return path


def test_a_new_ledger_is_one_file_and_is_not_overwritten(path: Path) -> None:
    assert [file.name for file in path.parent.iterdir()] == ["club.ledger"]
    before = path.read_bytes()
    with pytest.raises(ConflictError, match=r"club\.ledger already exists; nothing was overwritten"):
        SqliteStore.create(path)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == ["club.ledger"]


def test_no_ledger_is_made_without_its_folder_or_next_to_a_log_left_by_another(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="no ledger can be written to"):
        SqliteStore.create(tmp_path / "missing" / "club.ledger")
    (tmp_path / "club.ledger-wal").write_bytes(b"left over")
    with pytest.raises(ConflictError, match="was left by another ledger"):
        SqliteStore.create(tmp_path / "club.ledger")


def test_a_missing_ledger(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"there is no ledger at .*club\.ledger; .*`trickledger init`"):
        SqliteStore(tmp_path / "club.ledger")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"session_opened\n", b"SQLite format 3\0" + bytes(84), None])
def test_another_file_or_a_folder_is_not_a_ledger(tmp_path: Path, content: bytes | None) -> None:
    other = tmp_path / "other"
    other.mkdir() if content is None else other.write_bytes(content)
    with pytest.raises(UnreadableError, match="is not a ledger"):
        SqliteStore(other)
    assert content is None or other.read_bytes() == content


@pytest.mark.parametrize(("name", "sql", "what"), [
    ("other.db", "CREATE TABLE entries (position INTEGER PRIMARY KEY)", "is not a ledger"),
    ("club.ledger", "PRAGMA user_version = 2", "has format 2, but this program reads only formats up to 1; update"),
    ("club.ledger", "DROP TABLE entries", "is damaged"),
], ids=["foreign database", "newer format", "no table"])  # fmt: skip
def test_a_database_that_is_no_ledger_of_ours_is_not_opened(path: Path, name: str, sql: str, what: str) -> None:
    with closing(sqlite3.connect(path.with_name(name))) as connection:
        connection.execute(sql)
    with pytest.raises(UnreadableError, match=what):
        SqliteStore(path.with_name(name))


def test_an_awkward_name_is_a_name_like_any(tmp_path: Path) -> None:
    path = tmp_path / "Clüb 100% #1?mode=memory.ledger"
    with SqliteStore.create(path) as store:
        store.append(batch(play()), recorded_by=RECORDER)
    assert path.is_file()
    with SqliteStore(path, access="read") as store:
        assert store.head().position == 1


def test_a_ledger_that_another_keeps_locked_is_a_conflict(path: Path) -> None:
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with SqliteStore(path, lock_timeout_s=0.05) as store:
        with pytest.raises(ConflictError, match="is locked by another program"):
            store.append(batch(play()), recorded_by=RECORDER)
        holder.execute("ROLLBACK")
        assert store.append(batch(play()), recorded_by=RECORDER).first_position == 1
    holder.close()


_HOLD_THE_QUEUE = """
import fcntl, sys
file = open(sys.argv[1], "a")
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""
_PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "cwd": Path(__file__).parents[2]}


@contextmanager
def queue_held(path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Let another process hold the first place in the queue of writers."""
    with subprocess.Popen([sys.executable, "-c", _HOLD_THE_QUEUE, f"{path}-lock"], **_PIPES) as holder:
        assert holder.stdout.readline() == b"held\n"
        yield holder


def test_a_writer_waits_in_the_queue_no_longer_than_its_timeout(path: Path) -> None:
    with SqliteStore(path, lock_timeout_s=0.1) as store, queue_held(path) as holder:
        with pytest.raises(ConflictError, match=r"is locked by another program \(waited 0.1 s\)"):
            store.append(batch(play()), recorded_by=RECORDER)
        holder.communicate()
        # The turn that came too late is given back.
        wait_until(lambda: not any(one.name == "trickledger-writer-queue" for one in threading.enumerate()))
        assert store.append(batch(play()), recorded_by=RECORDER).first_position == 1
        with SqliteStore(path) as other:
            assert other.append(batch(play()), recorded_by=RECORDER).first_position == 2


def test_threads_may_share_a_store(path: Path) -> None:
    with SqliteStore(path) as store:

        def write(number: int) -> None:
            for _ in range(50):
                store.append(batch(play(), stream=f"table/{number}"), recorded_by=RECORDER)
                store.read_stream("table/0")

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(write, range(4)))
        assert [head.version for head in store.streams()] == [50, 50, 50, 50]
        assert [row.position for row in store.read()] == list(range(1, 201))


def test_a_full_disk_stores_nothing_and_says_so(path: Path) -> None:
    with SqliteStore(path) as store:
        store.append(batch(play()), recorded_by=RECORDER)
        store._connection.execute("PRAGMA max_page_count = 12")
        with pytest.raises(UnreadableError, match=r"the disk of .* is full; nothing was recorded"):
            store.append(batch(*[play()] * 2000), recorded_by=RECORDER)
        store._connection.execute("PRAGMA max_page_count = 100000")
        assert store.append(batch(play(), expected=1), recorded_by=RECORDER).first_position == 2


_WAIT_AND_BE_INTERRUPTED = """
import sys
from ledger.log import SqliteStore
from tests.contracts.log_builders import batch, play
store = SqliteStore(sys.argv[1])
try:
    print("waiting", flush=True)
    store.append(batch(play()), recorded_by="r")
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.stdin.read()
"""


def test_a_writer_interrupted_in_the_queue_does_not_block_it(path: Path) -> None:
    command = [sys.executable, "-c", _WAIT_AND_BE_INTERRUPTED, str(path)]
    with (
        SqliteStore(path, lock_timeout_s=PATIENCE_S) as store,
        queue_held(path) as holder,
        subprocess.Popen(command, **_PIPES) as waiting,
    ):
        assert waiting.stdout.readline() == b"waiting\n"
        threads = Path(f"/proc/{waiting.pid}/task")
        wait_until(lambda: len(list(threads.iterdir())) == 2)  # the second one waits in the queue
        waiting.send_signal(signal.SIGINT)
        assert waiting.stdout.readline() == b"interrupted\n"
        holder.communicate()
        assert store.append(batch(play()), recorded_by=RECORDER).first_position == 1
        waiting.communicate()


@pytest.mark.parametrize("has_turn", [False, True], ids=["before its turn", "with its turn"])
def test_an_interrupted_writer_frees_the_queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_turn: bool) -> None:
    class Interrupted(threading.Thread):
        def start(self) -> None:
            super().start()
            if has_turn:
                first.leave()
                self.join()
            raise KeyboardInterrupt

    first, second, third = (WriterQueue(tmp_path / "queue") for _ in range(3))
    assert first.enter(PATIENCE_S)
    monkeypatch.setattr("ledger.log.writer_queue.Thread", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        second.enter(PATIENCE_S)
    monkeypatch.undo()
    first.leave()
    assert third.enter(PATIENCE_S)
    third.close()


def test_a_lock_ends_with_its_file_and_a_wrong_note_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = WriterQueue(tmp_path / "queue"), WriterQueue(tmp_path / "queue")
    first.note(None)
    (tmp_path / "queue").write_text("1 2 3 4 five")
    assert (first.noted(), WriterQueue(tmp_path / "missing" / "queue").noted()) == (None, None)
    assert first.enter(PATIENCE_S)
    monkeypatch.setattr("fcntl.flock", Mock(side_effect=OSError))
    first.leave()
    monkeypatch.undo()
    assert second.enter(PATIENCE_S)
    second.close()


def test_an_append_within_an_append_is_refused_and_neither_is_there(path: Path) -> None:
    with MemoryStore() as other:
        other.append(batch(*[play()] * 3), recorded_by=RECORDER)
        envelopes = [row.envelope() for row in other.read()]
    with SqliteStore(path) as store:

        def interrupting() -> Iterator[Envelope]:
            yield envelopes[0]
            with suppress(ConflictError):
                store.append(batch(play()), recorded_by=RECORDER)
            yield from envelopes[1:]

        assert store.append_envelopes(interrupting()).position == 3
        assert len(list(store.read())) == 3
        assert verify(store).damage is None


COLUMNS = "stream, version, id, recorded_at, recorded_by, happened_at, event, digest"
NEW_ID = an_id(9)


@pytest.fixture
def foreign(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Open a plain connection to a ledger with three entries, and check afterwards that they are unchanged."""
    path = tmp_path / "club.ledger"
    with SqliteStore.create(path) as store:
        store.append(batch(play("SA"), play("SK"), play("SQ"), ids=[1, 2, 3]), recorded_by=RECORDER)
        before = list(store.read())
    connection = sqlite3.connect(path, isolation_level=None)
    yield connection
    connection.close()
    with SqliteStore(path) as store:
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
def test_replacing_an_entry_or_making_a_gap_is_refused(foreign: sqlite3.Connection, changes: dict[str, object]) -> None:
    entry = dict(zip(COLUMNS.split(", "), foreign.execute(f"SELECT {COLUMNS} FROM entries").fetchall()[1], strict=True))
    entry |= {"version": 4, "id": NEW_ID} | changes
    for verb in ("INSERT", "INSERT OR REPLACE", "REPLACE", "INSERT OR ABORT"):
        with pytest.raises(sqlite3.IntegrityError, match="an entry follows the one before, and replaces none"):
            foreign.execute(f"{verb} INTO entries ({', '.join(entry)}) VALUES (:{', :'.join(entry)})", entry)


@pytest.mark.parametrize("statement", [
    "INSERT INTO entries SELECT * FROM entries WHERE position = 2 ON CONFLICT DO UPDATE SET event = '{}'",
    f"INSERT INTO entries (position, {COLUMNS}) SELECT 4, stream, 4, '{NEW_ID}', recorded_at, recorded_by,"
    " happened_at, x'00', digest FROM entries WHERE position = 3",
], ids=["upsert", "column of another type"])  # fmt: skip
def test_an_upsert_and_another_type_of_column_are_refused(foreign: sqlite3.Connection, statement: str) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        foreign.execute(statement)
