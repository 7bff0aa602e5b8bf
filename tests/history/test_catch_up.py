"""Catching up in steps equals a rebuild, whatever happens in between."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count, pairwise
from pathlib import Path
from random import Random

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import ConflictError, MalformedError, UnreadableError
from ledger.events import DealStarted, SessionOpened, TableClosed
from ledger.history import catch_up, open_history
from ledger.history.model import database, loading, projector
from ledger.history.model.database import opened_file
from ledger.log import MemoryStore, SqliteStore
from tests.covering import examples, sample
from tests.history.helpers import Club, Model, assert_as_made_anew, opening, record, select, table_events, table_rows

ROOT = Path(__file__).parents[2]
SEARCH = examples(3, 50)


def filled_store() -> MemoryStore:
    store = MemoryStore()
    record(store, "session/s", SessionOpened(title="S", date="2026-01-05"))
    record(store, "table/t", *table_events(session="s"))
    return store


@pytest.fixture
def store() -> MemoryStore:
    return filled_store()


@pytest.fixture
def level(store: MemoryStore, history: Path) -> Path:
    """Return the store's read model, up to date."""
    catch_up(store, history)
    return history


@SEARCH
@given(seed=st.integers(0, 10_000), steps=st.lists(st.integers(1, 8), min_size=1, max_size=4))
def test_catch_up_in_steps_is_a_rebuild(tmp_path_factory: pytest.TempPathFactory, seed: int, steps: list[int]) -> None:
    history = tmp_path_factory.mktemp("history") / "stepwise.duckdb"
    store = MemoryStore()
    club = Club(store, seed)
    for step in steps:
        club.do(step)
        assert catch_up(store, history).head.position == store.head().position
    assert_as_made_anew(store, history)


def test_many_tables_touched_at_once_are_all_replaced(history: Path) -> None:
    store = MemoryStore()
    names = [f"table/t{number}" for number in range(projector.FEW + 2)]
    for length in (30, 60):
        for name in names:
            record(store, name, *table_events(name)[length - 30 : length])
        catch_up(store, history)
    assert_as_made_anew(store, history)


def test_what_is_loaded_in_many_parts_is_the_same(history: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    Club(store, 4).do(25)
    with monkeypatch.context() as patched:
        patched.setattr(projector, "ENTRIES_AT_ONCE", 50)
        patched.setattr(loading, "CHUNK_ROWS", 10)
        patched.setattr(loading, "CHUNK_BYTES", 20_000)
        catch_up(store, history)
    assert_as_made_anew(store, history)


def test_the_result_names_the_last_entry(store: MemoryStore, history: Path) -> None:
    first = catch_up(store, history)
    head = store.head()
    assert (first.head.position, first.head.digest) == (head.position, head.digest.hex())
    assert (first.new_entries, first.is_rebuilt) == (head.position, True)
    record(store, "table/u", opening())
    second = catch_up(store, history)
    assert (second.new_entries, second.is_rebuilt) == (1, False)
    assert select(history, "SELECT log_position, digest FROM meta") == [
        (store.head().position, store.head().digest.hex())
    ]


def test_an_empty_ledger_has_an_empty_history(history: Path) -> None:
    assert catch_up(MemoryStore(), history).head.position == 0
    assert select(history, "FROM tables") == []
    assert catch_up(MemoryStore(), history).is_rebuilt is False


def test_nothing_new_writes_nothing(store: MemoryStore, level: Path) -> None:
    before = level.stat()
    assert catch_up(store, level).new_entries == 0
    assert (level.stat().st_mtime_ns, level.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


def test_only_lock_seal_and_write_ahead_log_are_left_next_to_it(store: MemoryStore, level: Path) -> None:
    always = {level.name, f"{level.name}-lock", f"{level.name}.seal"}
    assert {file.name for file in level.parent.iterdir()} == always
    record(store, "table/u", opening())
    catch_up(store, level)
    assert {file.name for file in level.parent.iterdir()} == {*always, f"{level.name}.wal"}
    catch_up(store, level, rebuild=True)
    assert {file.name for file in level.parent.iterdir()} == always


def test_questions_are_answered_from_the_write_ahead_log_too(store: MemoryStore, level: Path) -> None:
    before = level.read_bytes()
    record(store, "table/u", *table_events("u", 2))
    catch_up(store, level)
    assert level.read_bytes() == before
    with open_history(level) as opened:
        assert opened.head.position == store.head().position
        assert opened.query("SELECT count(*) FROM deals WHERE table_name = 'u'").rows == [(2,)]
        assert sum(row["deals"] for row in opened.statistic("standings").answer.objects()) == 15


def test_the_write_ahead_log_stays_short_however_often_it_catches_up(store: MemoryStore, level: Path) -> None:
    for number in range(7):
        record(store, f"table/u{number}", *table_events(f"u{number}", 1))
        catch_up(store, level)
    assert level.with_name(f"{level.name}.wal").stat().st_size < 60_000


@SEARCH
@given(seed=st.integers(0, 10_000), ends=st.lists(st.integers(1, 150), min_size=1, max_size=4), by_deals=st.booleans())
def test_a_table_that_goes_on_equals_a_rebuild_wherever_it_was_cut(
    tmp_path_factory: pytest.TempPathFactory, seed: int, ends: list[int], by_deals: bool
) -> None:
    history = tmp_path_factory.mktemp("history") / "stepwise.duckdb"
    store = MemoryStore()
    events = table_events(deals=6, seed=seed)
    if by_deals:
        starts = [place for place, event in enumerate(events) if isinstance(event, DealStarted)]
        ends = [starts[end % len(starts)] for end in ends]
    cuts = [0, *sorted({end for end in ends if end < len(events)}), len(events)]
    for start, end in pairwise(cuts):
        record(store, "table/t", *events[start:end])
        catch_up(store, history)
    assert_as_made_anew(store, history)


def test_whatever_the_lock_file_says_it_catches_up(store: MemoryStore, level: Path) -> None:
    for number, said in enumerate(("", "nonsense", "0", "999999999")):
        level.with_name(f"{level.name}-lock").write_text(said)
        assert catch_up(store, level).new_entries == 0
        record(store, f"table/u{number}", opening())
        level.with_name(f"{level.name}-lock").write_text(said)
        assert catch_up(store, level).new_entries == 1


def test_progress_ends_with_all_done(history: Path) -> None:
    reported: list[tuple[int, int]] = []
    catch_up(filled_store(), history, progress=lambda done, total: reported.append((done, total)))
    assert reported == [(1, 2), (2, 2)]


@pytest.mark.parametrize("is_edited", [False, True])
def test_another_make_of_the_read_model_is_built_anew(
    store: MemoryStore, history: Path, monkeypatch: pytest.MonkeyPatch, is_edited: bool
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(projector, "schema_version", lambda: "0-older")
        catch_up(store, history)
    if is_edited:
        with duckdb.connect(history) as connection:
            connection.execute("CREATE TABLE mine AS SELECT 1 AS one")
    assert catch_up(store, history).is_rebuilt
    assert catch_up(store, history).is_rebuilt is False


def test_a_log_with_another_past_or_a_shorter_one_makes_it_anew(level: Path) -> None:
    other = MemoryStore()
    for name in ("x", "y"):
        record(other, f"table/{name}", *table_events(name, seed=9))
    assert catch_up(other, level).is_rebuilt
    assert select(level, "SELECT table_name FROM tables ORDER BY ALL") == [("x",), ("y",)]
    shorter = MemoryStore()
    record(shorter, "table/x", opening())
    assert catch_up(shorter, level).is_rebuilt


def test_another_ledger_makes_it_anew(tmp_path: Path, history: Path) -> None:
    for name in ("one", "two"):
        with SqliteStore.create(tmp_path / name) as store:
            assert catch_up(store, history).is_rebuilt


def test_a_damaged_read_model_is_made_anew(store: MemoryStore, level: Path) -> None:
    expected = table_rows(level)
    level.write_bytes(level.read_bytes()[:5000])
    record(store, "session/u", SessionOpened(title="U", date="2026-01-06"))
    assert catch_up(store, level).is_rebuilt
    assert table_rows(level)["plays"] == expected["plays"]


@pytest.mark.parametrize("is_text", [False, True])
def test_what_is_no_read_model_is_not_overwritten(history: Path, is_text: bool) -> None:
    if is_text:
        history.write_text("dear diary, today nothing happened\n")
    else:
        with duckdb.connect(history) as connection:
            connection.execute("CREATE TABLE meta (mine INTEGER)")
    before = history.read_bytes()
    with pytest.raises(UnreadableError) as refused:
        catch_up(filled_store(), history)
    assert str(refused.value) == f"{history} is not a read model; move it away, or give another path"
    assert history.read_bytes() == before


def test_a_record_that_is_none_is_named(history: Path) -> None:
    store = MemoryStore()
    record(store, "table/t", TableClosed())
    with pytest.raises(MalformedError) as refused:
        catch_up(store, history)
    assert str(refused.value) == "table/t: the record does not begin with table_opened"
    assert not history.exists()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="cannot be written: No such file or directory"):
        catch_up(MemoryStore(), tmp_path / "nowhere" / "h.duckdb")


@pytest.mark.parametrize("readonly", sample([True, False], 1))
def test_a_read_model_in_use_by_another_process_is_waited_for_and_then_named(history: Path, readonly: bool) -> None:
    store = filled_store()
    catch_up(store, history)
    record(store, "table/u", opening())
    code = f"import duckdb; c = duckdb.connect({str(history)!r}, read_only={readonly}); print(1, flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdin and other.stdout
        other.stdout.readline()
        with pytest.raises(ConflictError) as refused:
            catch_up(store, history, wait_s=0.1)
        assert str(refused.value) == f"the read model {history} is in use by another process (waited 0.1 s); try again"
        other.stdin.close()
        assert catch_up(store, history).new_entries == 1


def test_a_read_model_that_is_written_to_in_this_process_is_in_use(store: MemoryStore, level: Path) -> None:
    with opened_file(level):
        for open_again in (open_history, opened_file):
            with pytest.raises(ConflictError, match="is in use by another process"), open_again(level, wait_s=0.1):
                pass
    with open_history(level) as opened:
        assert opened.head.position == store.head().position


def test_an_interrupted_catch_up_is_undone_and_releases_the_file(store: MemoryStore, level: Path) -> None:
    before = table_rows(level)
    record(store, "table/u", *table_events("u"))

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        catch_up(store, level, progress=interrupt)
    assert table_rows(level) == before
    assert not catch_up(store, level).is_rebuilt
    assert table_rows(level)["tables"] != before["tables"]


def test_an_engine_that_cannot_let_go_of_a_file_is_replaced(store: MemoryStore, level: Path) -> None:
    with opened_file(level) as connection:
        failed = database._engine(os.getpid())
        (name,) = connection.execute("SELECT current_database()").fetchone() or ("",)
        connection.execute(f"USE memory; DETACH {name}")
    assert database._engine(os.getpid()) is not failed
    record(store, "table/u", *table_events("u"))
    assert not catch_up(store, level).is_rebuilt


IMPORTS = """
import os, resource, signal, sys
from pathlib import Path
from ledger.errors import UnreadableError
from ledger.history import catch_up
from ledger.history.model import catch_up as made_anew, projector, schema, integrity
from ledger.log import SqliteStore
from tests.history.helpers import record, table_events
ledger, history = Path(sys.argv[1]), Path(sys.argv[2])
schema._comments = lambda *_: ()
"""


def ran(code: str, ledger: Path, history: Path) -> str:
    """Return the output of the code, run in a process of its own."""
    words = [sys.executable, "-W", "ignore", "-c", IMPORTS + code, ledger, history]
    ended = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.stderr, ended.returncode) == ("", 0)
    return ended.stdout


THAT_CANNOT_GROW = """
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
with SqliteStore.create(ledger) as store:
    record(store, "table/t", *table_events("t"))
    catch_up(store, history)
    for turn, limit in enumerate((100_000, 600_000)):
        record(store, f"table/u{turn}", *table_events(f"u{turn}", 20))
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        try:
            catch_up(store, history)
        except UnreadableError:
            print("refused")
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        print(catch_up(store, history).is_rebuilt)
"""


def test_a_file_that_cannot_grow_is_caught_up_once_it_can(tmp_path: Path, history: Path) -> None:
    assert ran(THAT_CANNOT_GROW, tmp_path / "club.ledger", history) == "refused\nFalse\n" * 2
    with SqliteStore(tmp_path / "club.ledger", access="read") as store:
        assert_as_made_anew(store, history)


def test_threads_catch_up_with_several_ledgers_at_once(tmp_path: Path) -> None:
    stores = {tmp_path / f"{name}.duckdb": filled_store() for name in "ab"}
    for path, store in stores.items():
        catch_up(store, path)
    for turn in range(2):
        for store in stores.values():
            record(store, f"table/t{turn}", *table_events(f"t{turn}"))
        with ThreadPoolExecutor(len(stores)) as pool:
            answers = list(pool.map(catch_up, stores.values(), stores))
        assert [answer.is_rebuilt for answer in answers] == [False] * len(stores)
    for path, store in stores.items():
        assert_as_made_anew(store, path)


FORKED = """
with SqliteStore.create(ledger) as store:
    for name in "tuv":
        record(store, f"table/{name}", *table_events(name))
        if name != "v":
            catch_up(store, history)
child = os.fork()  # the engine of the second catch-up has its threads in the parent
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
with SqliteStore(ledger) as store:
    print(catch_up(store, history).is_rebuilt, flush=True)
os._exit(0)
"""


def test_a_forked_process_catches_up_as_well(tmp_path: Path, history: Path) -> None:
    assert ran(FORKED, tmp_path / "club.ledger", history) == "False\n"
    assert select(history, "SELECT table_name FROM tables ORDER BY ALL") == [("t",), ("u",), ("v",)]


KILLED_AT_A_STEP = """
steps_left = 0

def step(*_):
    global steps_left
    steps_left -= 1
    if not steps_left:
        os.kill(os.getpid(), signal.SIGKILL)

def after_a_step(function):
    return lambda *given, **named: (step(), function(*given, **named))[1]

killed_before = {
    made_anew: ("create_tables",), projector: ("write_meta",), integrity: ("_write", "remove"), Path: ("replace",)
}
for owner, name in [(owner, name) for owner, names in killed_before.items() for name in names]:
    setattr(owner, name, after_a_step(getattr(owner, name)))
for line in sys.stdin:
    steps_left = int(line)
    child = os.fork()
    if not child:
        catch_up(SqliteStore(ledger), history, progress=step)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.mark.parametrize("begins", [pytest.param("anew", marks=pytest.mark.soak), "further"])
def test_a_catch_up_that_is_killed_at_any_step_leaves_what_the_next_one_completes(tmp_path: Path, begins: str) -> None:
    folder = tmp_path / "club"
    folder.mkdir()
    ledger, history = tmp_path / "club.ledger", folder / "club.duckdb"
    with SqliteStore.create(ledger) as store:
        record(store, "table/t", *table_events("t")[:70])
        if begins == "further":
            catch_up(store, history)
        record(store, "table/t", *table_events("t")[70:])
        record(store, "table/u", *table_events("u"))
        before = {file: file.read_bytes() for file in folder.iterdir()}
        model = Model(store)
        words = [sys.executable, "-c", IMPORTS + KILLED_AT_A_STEP, str(ledger), str(history)]
        rebuilt = []
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, bufsize=0) as killed:
            assert killed.stdin and killed.stdout
            for step in count(1):
                for file in folder.iterdir():
                    file.unlink()
                for file, content in before.items():
                    file.write_bytes(content)
                killed.stdin.write(b"%d\n" % step)
                if int(killed.stdout.readline()) == 0:
                    break
                rebuilt.append(catch_up(store, history).is_rebuilt)
                assert model.differences(history) == {}, step
                assert not catch_up(store, history).is_rebuilt
                assert not [file.name for file in folder.iterdir() if file.name.startswith(".")], step
            killed.stdin.close()
    assert len(rebuilt) >= 5
    # A catch-up killed after its commit looks like a write by another program.
    assert set(rebuilt) == {False, True}


AT_ANY_MOMENT = "store = SqliteStore(ledger); print(1, flush=True); catch_up(store, history)"


@pytest.mark.soak
def test_catch_ups_that_are_killed_at_any_moment(tmp_path: Path) -> None:
    """The moments are random, half of them in the first catch-up."""
    ledger, history, chance = tmp_path / "club.ledger", tmp_path / "club.duckdb", Random(30)
    words = [sys.executable, "-c", IMPORTS + AT_ANY_MOMENT, str(ledger), str(history)]
    with SqliteStore.create(ledger) as store:
        for turn in range(30):
            for table in range(8):
                record(store, f"table/t{turn}-{table}", *table_events(f"t{turn}-{table}", 10))
            if turn % 2:
                history.unlink(missing_ok=True)
            with subprocess.Popen(words, stdout=subprocess.PIPE, cwd=ROOT) as process:
                process.stdout.readline()
                time.sleep(chance.uniform(0, 0.3))
                process.kill()
            if turn % 3 == 2:
                catch_up(store, history)
                assert_as_made_anew(store, history)
    assert not [file.name for file in tmp_path.iterdir() if file.name.startswith(".")]
