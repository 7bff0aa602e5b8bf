"""The read model of a service: it follows, answers meanwhile, limits waiting, and repairs itself."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import duckdb
import pytest
from msgspec import structs

from ledger import api
from ledger.errors import ConflictError, MalformedError, QueryError, UnreadableError
from ledger.events import DealStarted, Event, HandsOpened
from ledger.history import Answer, Bounds, History, catch_up, connection, open_history, statistic_named
from ledger.history.model import parallel, projector
from ledger.limits import QUERY_SECONDS
from ledger.log import SqliteStore
from ledger.log.bulk import Cut
from ledger.log.paths import copy_of_history, serve_history_of
from ledger.service import history as service
from ledger.service.history import QueryBounds, ServedHistory
from ledger.service.visibility import HiddenFrom, VisibleHead, visible_head
from ledger.table.hiding import hidden_deals_in
from tests.covering import sample
from tests.history import helpers
from tests.history.helpers import record, table_rows
from tests.patience import PATIENCE_S, wait_until

Result = TypeVar("Result")

ROOT = Path(__file__).parents[2]
COUNT = "SELECT count(*) FROM deals"
PAUSES = {name: getattr(service, name) for name in ("_PAUSE_S", "_REST_MAX_S", "_RETRY_S")}
QUICK_SANDBOX = pytest.mark.usefixtures("quick_sandbox")
SLOW = "SELECT count(*) FROM range(1000000000) a(x), range(100000) b(y) WHERE x * y % 7 = 3"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore.create(tmp_path / "club.ledger") as made:
        record(made, "table/t", *table_events())
        yield made


def table_events(slug: str = "t", deals: int = 3, *, seed: int = 6) -> list[Event]:
    """Return a simulated table of which everything is shown."""
    events = helpers.table_events(slug, deals, seed=seed)
    return [*events, *(HandsOpened(deal=deal) for deal in hidden_deals_in(list(enumerate(events, 1))))]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return serve_history_of(tmp_path / "club.ledger")


@pytest.fixture(autouse=True)
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the read model begin each catch-up, and each retry, at once."""
    for name in PAUSES:
        monkeypatch.setattr(service, name, 0.0)


@pytest.fixture
def served(store: SqliteStore) -> Iterator[ServedHistory]:
    yield from opened(store)


def opened(store: SqliteStore, bounds: QueryBounds = service.DEFAULT_BOUNDS) -> Iterator[ServedHistory]:
    with closing(ServedHistory(store.path, visible_head(store), bounds=bounds)) as made:
        made.start()
        wake(made, store)
        yield made


def wake(served: ServedHistory, store: SqliteStore) -> None:
    served.wake(visible_head(store))
    assert served.is_level_with(store.head().position, within_s=PATIENCE_S), served.failure


def go_on(served: ServedHistory, store: SqliteStore, stream: str, *events: Event) -> None:
    """Record these events, and let the read model take them in."""
    record(store, stream, *events)
    wake(served, store)


class Gate:
    """Work that goes on only once the test opens the gate. `entered`: how often it has begun."""

    def __init__(self) -> None:
        self.entered = 0
        self._is_in, self._is_open = threading.Event(), threading.Event()

    def pass_by(self) -> None:
        self.entered += 1
        self._is_in.set()
        assert self._is_open.wait(PATIENCE_S)

    def wait_for_one(self) -> None:
        assert self._is_in.wait(PATIENCE_S)

    def open(self) -> None:
        self._is_open.set()


@pytest.fixture
def gate() -> Iterator[Gate]:
    made = Gate()
    yield made
    made.open()


def put_before(monkeypatch: pytest.MonkeyPatch, module: object, name: str, act: Callable[[], None]) -> None:
    """Make a function of a module do something else first."""
    function = getattr(module, name)

    def replacement(*args: object, **options: object) -> object:
        act()
        return function(*args, **options)

    monkeypatch.setattr(module, name, replacement)


def ask(served: ServedHistory, work: Callable[[History], Result], key: Hashable | None = None) -> Result:
    return served.query(work, key).result()


def query(served: ServedHistory, sql: str, seconds: float, rows: int) -> Answer:
    return served.query_sql(lambda history: history.query(sql, Bounds(seconds=seconds, rows=rows))).result()


def deals(history: History) -> int:
    rows = history.statistic("standings").answer.objects()
    return max((row["deals"] for row in rows), default=0)


def test_it_follows_deal_by_deal_and_answers_as_of_its_position(store: SqliteStore, served: ServedHistory) -> None:
    assert (served.position, ask(served, deals)) == (store.head().position, 3)
    events = table_events("u")
    starts = [place for place, event in enumerate(events) if isinstance(event, DealStarted)]
    go_on(served, store, "table/u", *events[: starts[1] + 9])
    assert ask(served, deals) == 4
    assert ask(served, lambda history: (history.head.position, history.head.digest)) == (store.head().position, None)
    go_on(served, store, "table/u", *events[starts[1] + 9 :])
    assert ask(served, deals) == 6
    assert ask(served, lambda history: history.head.digest) == store.head().digest.hex()


@QUICK_SANDBOX
def test_the_functions_of_the_api_take_what_it_hands_out(store: SqliteStore, served: ServedHistory) -> None:
    computed = ask(served, lambda history: api.stats(history, "standings", api.Filters(player="Ann")))
    assert computed.position == store.head().position
    assert served.query_sql(lambda history: api.query(history, COUNT)).result().rows == [(3,)]


@QUICK_SANDBOX
def test_the_sandbox_answers_from_a_copy_that_follows(store: SqliteStore, served: ServedHistory, path: Path) -> None:
    assert query(served, COUNT, QUERY_SECONDS, 10).rows == [(3,)]
    made = copy_of_history(path).stat()
    go_on(served, store, "table/u", *table_events("u", 1))
    assert query(served, COUNT, QUERY_SECONDS, 10).rows == [(4,)]
    assert copy_of_history(path).stat().st_mtime_ns == made.st_mtime_ns, "only the write-ahead log is copied"
    for number in range(8):
        go_on(served, store, f"table/v{number}", *table_events(f"v{number}", 2))
    assert query(served, COUNT, QUERY_SECONDS, 10).rows == [(20,)]
    with pytest.raises(QueryError, match="the read model can only be read"):
        query(served, "DELETE FROM deals", QUERY_SECONDS, 10)


@QUICK_SANDBOX
def test_nothing_of_an_open_deal_can_be_queried(store: SqliteStore, served: ServedHistory) -> None:
    go_on(served, store, "table/u", *table_events("u", seed=8)[:15])
    for sql in ("SELECT count(*) FROM entries WHERE table_name = 'u'", "SELECT count(*) FROM tables"):
        assert query(served, sql, QUERY_SECONDS, 10).rows in ([(1,)], [(2,)])
    assert query(served, "SELECT digest FROM meta", QUERY_SECONDS, 10).rows == [(None,)]


def test_wakes_that_come_together_are_one_catch_up(
    store: SqliteStore, served: ServedHistory, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_before(monkeypatch, connection, "advance", gate.pass_by)
    for number in range(10):
        record(store, f"table/u{number}", *table_events(f"u{number}", 1))
        served.wake(visible_head(store))
    gate.open()
    assert served.is_level_with(store.head().position, within_s=PATIENCE_S)
    assert gate.entered <= 2
    assert ask(served, deals) == 13


def test_after_a_catch_up_it_rests_three_times_as_long_so_that_acts_have_the_processor(
    store: SqliteStore, served: ServedHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, pause in PAUSES.items():
        monkeypatch.setattr(service, name, pause)
    assert [service._rest_s(took_s) for took_s in (0.0, 0.2, 60.0)] == pytest.approx([0.1, 0.6, 2.0])
    now_s = 1_000_000_000.0
    begun: list[float] = []

    def take_long() -> None:
        nonlocal now_s
        begun.append(now_s)
        now_s += 0.2

    def is_level_as_time_passes() -> bool:
        nonlocal now_s
        with served._changed:
            now_s += 0.05 if len(begun) < catch_ups else 0.0
            served._changed.notify_all()
        return served.is_level_with(store.head().position, within_s=0)

    monkeypatch.setattr(service, "monotonic", lambda: now_s)
    put_before(monkeypatch, connection, "advance", take_long)
    for catch_ups, name in enumerate(("v", "w"), 1):  # noqa: B007 - time passes only until the next one has begun
        record(store, f"table/{name}", *table_events(name, 1))
        served.wake(visible_head(store))
        wait_until(is_level_as_time_passes)
    assert begun[1] - begun[0] >= 0.2 + 0.6 - 0.001
    assert ask(served, deals) == 5


def test_an_older_visible_head_changes_nothing(store: SqliteStore, served: ServedHistory) -> None:
    older = visible_head(store)
    record(store, "table/u", *table_events("u"))
    newer = visible_head(store)
    served.wake(newer)
    served.wake(older)
    assert served.is_level_with(newer.head.position, within_s=PATIENCE_S)
    served.wake(older)
    time.sleep(0.2)
    assert (served.position, ask(served, deals)) == (newer.head.position, 6)


def test_who_asks_while_it_catches_up_waits_for_nothing(
    store: SqliteStore, served: ServedHistory, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_before(monkeypatch, projector, "write_meta", gate.pass_by)
    record(store, "table/u", *table_events("u"))
    served.wake(visible_head(store))
    gate.wait_for_one()
    assert ask(served, deals) == 3
    gate.open()
    assert served.is_level_with(store.head().position, within_s=PATIENCE_S)
    assert ask(served, deals) == 6


def test_a_slow_answer_is_still_as_of_one_position(store: SqliteStore, served: ServedHistory, gate: Gate) -> None:
    def twice(history: History) -> tuple[int, int]:
        before = deals(history)
        gate.pass_by()
        return before, deals(history)

    answer = served.query(twice)
    gate.wait_for_one()
    go_on(served, store, "table/u", *table_events("u"))
    gate.open()
    assert answer.result(PATIENCE_S) == (3, 3)
    assert ask(served, deals) == 6


def test_queries_beyond_the_running_and_waiting_ones_are_refused_as_busy(served: ServedHistory, gate: Gate) -> None:
    running: list[int] = []
    most: list[int] = []

    def held_up(history: History) -> int:
        running.append(1)
        most.append(len(running))
        gate.pass_by()
        running.pop()
        return 1

    answers = [served.query(held_up) for _ in range(10)]
    with pytest.raises(ConflictError, match="too many queries at a time") as refused:
        served.query(held_up)
    assert refused.value.code == "busy"
    gate.open()
    assert [answer.result(PATIENCE_S) for answer in answers] == [1] * 10
    assert max(most) <= 2
    assert ask(served, held_up) == 1


@QUICK_SANDBOX
def test_one_sql_query_runs_one_waits_and_statistics_are_answered_meanwhile(served: ServedHistory, gate: Gate) -> None:
    def held_up(history: History) -> int:
        gate.pass_by()
        return len(history.query(COUNT).rows)

    answers = [served.query_sql(held_up) for _ in range(2)]
    with pytest.raises(ConflictError, match="too many queries"):
        query(served, COUNT, QUERY_SECONDS, 10)
    assert ask(served, deals) == 3
    gate.open()
    assert [answer.result(PATIENCE_S) for answer in answers] == [1, 1]


def test_a_question_that_takes_too_long_is_broken_off(store: SqliteStore, path: Path) -> None:
    for served in opened(store, QueryBounds(seconds=0.3)):
        with pytest.raises(ConflictError, match=r"no answer within 0\.3 s") as refused:
            ask(served, query_slowly)
        assert refused.value.code == "busy"
        wait_until(partial(is_answered, served))  # a busy machine may not answer at once within so little
        assert served.failure is None


def is_answered(served: ServedHistory) -> bool:
    with suppress(ConflictError):
        assert ask(served, deals) == 3
        return True
    return False


def query_slowly(history: History) -> object:
    return history.answer_to(structs.replace(statistic_named("standings"), sql=SLOW))


def test_a_repeated_query_runs_once_until_the_read_model_goes_on(store: SqliteStore, served: ServedHistory) -> None:
    runs: list[int] = []

    def counted(history: History) -> int:
        runs.append(1)
        return deals(history)

    assert [ask(served, counted, "standings") for _ in range(5)] == [3] * 5
    assert ask(served, counted, "others") == 3
    assert len(runs) == 2
    go_on(served, store, "table/u", *table_events("u", 1))
    assert [ask(served, counted, "standings") for _ in range(5)] == [4] * 5
    assert len(runs) == 3


def test_who_asks_the_same_at_the_same_time_takes_one_place(served: ServedHistory, gate: Gate) -> None:
    answers: list[Future[None]] = [served.query(lambda history: gate.pass_by(), "same") for _ in range(50)]
    assert answers[0].cancel(), "who hangs up takes nothing from the others"
    gate.open()
    assert [answer.result(PATIENCE_S) for answer in answers[1:]] == [None] * 49
    assert gate.entered == 1


def test_an_error_is_raised_and_not_cached(served: ServedHistory) -> None:
    def failing(history: History) -> int:
        raise MalformedError("no")

    for _ in range(2):
        with pytest.raises(MalformedError):
            ask(served, failing, "key")
    assert ask(served, deals, "key") == 3


def test_only_so_many_answers_are_cached(store: SqliteStore, path: Path) -> None:
    for served in opened(store, QueryBounds(answers=2)):
        keys: list[str] = []
        for key in ("a", "b", "c", "c", "b", "a"):
            ask(served, lambda history, key=key, keys=keys: keys.append(key), key)
        assert keys == ["a", "b", "c", "a"]


def test_many_threads_ask_while_it_goes_on(store: SqliteStore, served: ServedHistory) -> None:
    seen: list[int] = []
    is_over = threading.Event()

    def ask_again_and_again() -> None:
        while not is_over.is_set():
            position, count = ask(served, lambda history: (history.head.position, deals(history)))
            assert count == counts[position]
            seen.append(position)

    counts = {store.head().position: 3}
    with ThreadPoolExecutor(4) as pool:
        askers = [pool.submit(ask_again_and_again) for _ in range(4)]
        try:
            for number in range(2):
                record(store, f"table/u{number}", *table_events(f"u{number}", 1))
                counts[store.head().position] = 4 + number
                wake(served, store)
                wait_until(lambda: store.head().position in seen)
        finally:
            is_over.set()
        for asker in askers:
            asker.result(PATIENCE_S)


def test_a_read_model_that_something_else_wrote_to_is_made_anew(store: SqliteStore, path: Path) -> None:
    catch_up(store, path, cut=Cut(store.head()))
    with duckdb.connect(path) as connection:
        connection.execute("DELETE FROM points")
    for served in opened(store):
        assert ask(served, deals) == 3
        assert served.failure is None


@pytest.mark.parametrize("size", sample([5_000, 0, 11, 300_000], 2))
def test_whatever_is_in_its_place_it_is_made_anew(store: SqliteStore, path: Path, size: int) -> None:
    path.write_bytes(b"dear diary, " * (size // 12 + 1))
    for served in opened(store):
        assert ask(served, deals) == 3


@QUICK_SANDBOX
def test_a_block_that_is_damaged_while_it_serves_is_mended_before_the_answer(store: SqliteStore, path: Path) -> None:
    for number in range(10):
        record(store, f"table/u{number}", *table_events(f"u{number}", 5))
    for served in opened(store):
        assert ask(served, lambda history: history.head.position) == store.head().position
        size = path.stat().st_size
        with path.open("r+b") as file:
            file.seek(3 * 4096)
            file.write(b"\xa5" * (size - 3 * 4096))
        assert ask(served, deals) == 53
        assert query(served, COUNT, QUERY_SECONDS, 10).rows == [(53,)]
        assert path.read_bytes().count(b"\xa5") < size / 2, "made anew"
        assert served.failure is None


@QUICK_SANDBOX
def test_a_damaged_copy_is_mended_before_the_answer(store: SqliteStore, served: ServedHistory, path: Path) -> None:
    assert query(served, COUNT, QUERY_SECONDS, 10).rows == [(3,)]
    copy = copy_of_history(path)
    copy.write_bytes(b"\x00" * copy.stat().st_size)
    assert query(served, COUNT, QUERY_SECONDS, 10).rows == [(3,)]


def test_a_failed_rebuild_is_said_and_retried(store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "_RETRY_S", 0.1)
    loading = path.with_name(f".{path.name}.loading")
    loading.write_text("in the way")
    with closing(ServedHistory(store.path, visible_head(store))) as made:
        made.start()
        with pytest.raises(UnreadableError):
            ask(made, deals)
        assert made.position == 0 and made.failure is not None
        loading.unlink()
        assert made.is_level_with(store.head().position, within_s=PATIENCE_S)
        assert ask(made, deals) == 3 and made.failure is None


def test_a_model_in_use_is_replaced_elsewhere(store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "_WAIT_S", 0.05)
    for made in opened(store):
        assert ask(made, deals) == 3
    holding = "import duckdb, sys; kept = duckdb.connect(sys.argv[1]); print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", holding, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None and holder.stdout.readline()
        record(store, "table/u", *table_events("u"))
        for made in opened(store):
            assert ask(made, deals) == 6
            assert made._own_folder is not None
            folder = Path(made._own_folder.name)
            assert (folder / path.name).exists()
        assert not folder.exists()


def test_old_answers_outlive_faults(store: SqliteStore, served: ServedHistory, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(projector, "write_meta", lambda *args: 1 / 0)
        record(store, "table/u", *table_events("u"))
        served.wake(visible_head(store))
        wait_until(lambda: served.failure is not None)
        assert isinstance(served.failure, ZeroDivisionError)
        assert ask(served, deals) == 3
    assert served.is_level_with(store.head().position, within_s=PATIENCE_S)
    assert ask(served, deals) == 6


def test_before_there_is_a_read_model_who_asks_waits_and_is_sent_away(store: SqliteStore, path: Path) -> None:
    with closing(ServedHistory(store.path, visible_head(store), bounds=QueryBounds(patience_s=0.2))) as made:
        with pytest.raises(ConflictError, match="is being built; try again") as refused:
            ask(made, deals)
        assert refused.value.code == "busy"
        made.start()
        wake(made, store)
        assert ask(made, deals) == 3


def test_acts_in_an_open_deal_change_neither_position_nor_file(store: SqliteStore, path: Path) -> None:
    events = table_events("u")
    record(store, "table/u", *events[:15])
    for served in opened(store):
        position, before = served.position, path.stat()
        for event in events[15:25]:
            go_on(served, store, "table/u", event)
        assert (served.position, path.stat()) == (position, before)
        assert ask(served, deals) == 3
        assert not path.with_name(f"{path.name}.wal").exists()


def test_a_folder_that_takes_no_file_has_it_in_the_cache_of_the_user(
    store: SqliteStore, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(connection, "_is_writable", lambda history: False)
    for served in opened(store):
        assert ask(served, deals) == 3
    assert not path.exists()
    assert len(list((tmp_path / "cache" / "trickledger").glob("club-*.serve.duckdb"))) == 1


def test_closing_interrupts_running_queries(store: SqliteStore, path: Path) -> None:
    made = ServedHistory(store.path, visible_head(store))
    made.start()
    wake(made, store)
    begun: list[str] = []

    def in_the_sandbox(history: History) -> object:
        begun.append("in the sandbox")
        return history.query(SLOW)

    def in_the_process(history: History) -> object:
        begun.append("in the process")
        return query_slowly(history)

    answer, in_sql = made.query(in_the_process), made.query_sql(in_the_sandbox)
    wait_until(lambda: len(begun) == 2)
    time.sleep(0.2)  # now they are likely to be at work, and not about to begin
    made.close()  # the questions would go on for ever
    made.close()
    for future in (answer, in_sql):
        assert str(future.exception()) == "the service is shutting down; this query was not answered"
    with pytest.raises(UnreadableError, match="the service is shutting down") as refused:
        ask(made, deals)
    assert refused.value.code == "closed"


@pytest.mark.parametrize("is_there", [False, True])
def test_closing_breaks_off_a_catch_up(
    store: SqliteStore, path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    """The earlier read model remains, and the next catch-up continues from it."""
    before = catch_up(store, path, cut=Cut(store.head())).head if is_there else None
    for number in range(3):
        record(store, f"table/u{number}", *table_events(f"u{number}", 1))
    put_before(monkeypatch, parallel, "collect_table", gate.pass_by)
    made = ServedHistory(store.path, visible_head(store))
    made.start()
    gate.wait_for_one()
    ending = threading.Thread(target=made.close)
    ending.start()
    wait_until(lambda: made._is_closing)
    gate.open()
    ending.join()
    assert made.failure is not None and made.position == 0
    if before is None:
        assert [one.name for one in path.parent.glob("*.duckdb*")] == [f"{path.name}-lock"]
    else:
        with open_history(path) as history:
            assert history.head == before
    assert catch_up(store, path, cut=Cut(store.head())).is_rebuilt is (before is None)


@pytest.mark.parametrize("kills", [1, pytest.param(6, marks=pytest.mark.soak)])
def test_killed_at_any_moment_of_a_catch_up_nothing_is_lost(tmp_path: Path, kills: int) -> None:
    code = """if True:
        import sys
        from ledger.log import SqliteStore
        from ledger.service import history
        from ledger.service.visibility import visible_head
        from tests.history.helpers import record, table_events

        history._PAUSE_S = history._REST_MAX_S = 0.0
        with SqliteStore(sys.argv[1]) as store:
            served = history.ServedHistory(store.path, visible_head(store))
            served.start()
            turn = len(store.streams())
            while True:
                events = table_events(f"u{turn}", 3)
                record(store, f"table/u{turn}", *events[:70])
                served.wake(visible_head(store))
                served.is_level_with(store.head().position, within_s=60)
                record(store, f"table/u{turn}", *events[70:])
                served.wake(visible_head(store))
                turn += 1
                print(served.position, flush=True)
    """
    ledger, path = tmp_path / "club.ledger", serve_history_of(tmp_path / "club.ledger")
    SqliteStore.create(ledger).close()
    for turn in range(kills):
        command = [sys.executable, "-c", code, str(ledger)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as process:
            assert process.stdout
            process.stdout.readline()
            process.stdout.readline()
            time.sleep(0.033 * turn / kills)
            process.kill()
        with SqliteStore(ledger, access="read") as store:
            cut = Cut(store.head(), {name: one.position for name, one in visible_head(store).hidden.items()})
            catch_up(store, path, cut=cut)
            catch_up(store, tmp_path / f"anew-{turn}.duckdb", cut=cut)
        assert table_rows(path) == table_rows(tmp_path / f"anew-{turn}.duckdb")


def test_a_visible_head_beyond_the_head_hides_nothing_more(store: SqliteStore, served: ServedHistory) -> None:
    seen = visible_head(store)
    served.wake(VisibleHead(seen.head, {"table/later": HiddenFrom(1, 1, 1, 10**9)}))
    assert ask(served, lambda history: history.head.digest) == store.head().digest.hex()
