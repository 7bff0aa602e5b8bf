"""Reading in bulk, by one process or several, makes the same read model as reading row by row."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.errors import MalformedError, UnreadableError
from ledger.events import Corrected, Noted, SessionOpened, TableClosed
from ledger.history import catch_up, open_history
from ledger.history.model import parallel
from ledger.log import Batch, MemoryStore, NewEntry, SqliteStore
from ledger.log.bulk import BulkReader
from ledger.log.sqlite_bulk import SqliteBulkReader
from tests.history.helpers import Club, assert_as_made_anew, opening, record, select, table_events
from tests.log.damages import swap_cards
from tests.patience import wait_until


@pytest.fixture(autouse=True)
def always_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "MIN_ENTRIES", 1)


def test_two_processes_make_the_same_rows_as_one(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        two = tmp_path / "two.duckdb"
        record(store, "table/t3", *table_events("t3", 2, session="s")[:-1])
        catch_up(store, two)
        record(store, "session/s", SessionOpened(title="S", date="2026-01-05"))
        for number in range(8):
            events = table_events(f"t{number}", 2, session="s")
            record(store, f"table/t{number}", *(events[-1:] if number == 3 else events))
        reported: list[tuple[int, int]] = []
        catch_up(store, two, workers=2, progress=lambda done, total: reported.append((done, total)))
        assert_as_made_anew(store, two)
        assert reported == sorted(reported) and reported[1] > (1, 9) and reported[-1] == (9, 9)
        assert capfd.readouterr() == ("", ""), "the processes end silently"


@pytest.mark.soak
def test_an_error_in_a_process_is_raised_as_it_was(tmp_path: Path) -> None:
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        record(store, "table/good", *table_events())
        record(store, "table/bad", TableClosed())
        with pytest.raises(MalformedError) as refused:
            catch_up(store, tmp_path / "h.duckdb", workers=2)
    assert str(refused.value) == "table/bad: the record does not begin with table_opened"


def test_an_altered_table_stops_a_catch_up_that_reads_it_and_no_other(tmp_path: Path) -> None:
    history = tmp_path / "h.duckdb"
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        record(store, "table/bad", *table_events(deals=1, closed=False))
        record(store, "table/good", *table_events("good", 1, closed=False))
        before = catch_up(store, history)
        position = swap_cards(store.path, "bad")
        record(store, "table/good", TableClosed())
        assert catch_up(store, history).new_entries == 1, "what was read before is not read again"
        record(store, "table/bad", TableClosed())
        for workers in (1, 2):
            with pytest.raises(UnreadableError, match=f"damaged at position {position} \\(table/bad") as refused:
                catch_up(store, history, workers=workers, rebuild=workers > 1)
            assert (refused.value.code, refused.value.values["position"]) == ("damaged", position)
        with open_history(history) as opened:
            assert opened.head.position == before.head.position + 1


def test_the_processes_of_a_killed_catch_up_end_too(tmp_path: Path) -> None:
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        for number in range(8):
            record(store, f"table/t{number}", *table_events(f"t{number}", 5))
    code = (
        "import multiprocessing, sys, threading, time; from pathlib import Path\n"
        "from ledger.history import catch_up; from ledger.history.model import parallel\n"
        "from ledger.log import SqliteStore\n"
        "parallel.MIN_ENTRIES = 1\n"
        "def tell(done, total):\n"
        "    print(*(child.pid for child in multiprocessing.active_children()), flush=True); time.sleep(60)\n"
        "if __name__ == '__main__':\n"
        "    catch_up(SqliteStore(sys.argv[1]), Path(sys.argv[1] + '.h'), workers=2, progress=tell)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "club.ledger")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]) as process:
        assert process.stdout
        children = [int(pid) for pid in process.stdout.readline().split()]
        process.kill()
    assert len(children) == 2
    wait_until(lambda: not any(map(is_running, children)))


def is_running(pid: int) -> bool:
    """Return whether the process exists and is no zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")


def test_a_ledger_in_memory_is_folded_by_one_process(tmp_path: Path) -> None:
    store = MemoryStore()
    record(store, "table/t", *table_events())
    record(store, "table/u", *table_events("u"))
    assert catch_up(store, tmp_path / "h.duckdb", workers=2).is_rebuilt


STRANGE = 'Zoë "\\" \x1f\n\t\x1e 鈴木 ☂\''


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        yield store


def test_in_bulk_as_row_by_row(store: SqliteStore) -> None:
    Club(store, 5).do(30)
    record(store, "table/old", opening(), happened_at="1911-12-24T20:00:00.000000Z")
    bulk, rows, head = SqliteBulkReader(store), BulkReader(store), store.head().position
    for after, until in ((0, head), (7, head), (7, head - 5), (head, head)):
        assert bulk.streams(after, until) == rows.streams(after, until)
        assert b"".join(bulk.lines(after, until)) == b"".join(rows.lines(after, until))
    for stream in [*bulk.streams(0, head), "table/unknown"]:
        for until in (head, head // 2):
            events = bulk.events(stream, until)
            assert events == [row.event() for row in store.read_stream(stream, until_position=until)]
            assert b"".join(bulk.lines_of(stream, 7, until)) == b"".join(rows.lines_of(stream, 7, until))
            versions = range(1, len(events) + 1, 3)
            assert bulk.places(stream, versions) == rows.places(stream, versions)
    bulk.close()


def test_strange_names_and_very_long_entries_come_through(tmp_path: Path, store: SqliteStore) -> None:
    remark = Noted(text="鈴" * 10_000)
    long = Corrected(version=1, action="insert_after", reason="forgotten", events=(remark,) * 120)
    store.append(Batch("table/t", 0, (NewEntry(opening()), NewEntry(Noted(text=STRANGE)))), recorded_by=STRANGE)
    store.append(Batch("table/t", 2, (NewEntry(long),)), recorded_by="recorder-1")
    history = tmp_path / "h.duckdb"
    catch_up(store, history)
    assert select(history, "SELECT recorded_by FROM entries ORDER BY version") == [
        (STRANGE,),
        (STRANGE,),
        ("recorder-1",),
    ]
    assert select(history, "SELECT event ->> 'text' FROM entries WHERE version = 2") == [(STRANGE,)]
    assert select(
        history, "SELECT strlen(event) > 3_000_000, len(event -> '$.events[*].text') FROM entries WHERE version = 3"
    ) == [(True, 120)]
