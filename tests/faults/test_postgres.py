"""Whatever happens to writers, connections and the server: nothing acknowledged is lost, and nothing is doubled."""

import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from select import select
from threading import Event, Thread
from typing import Final, Literal, TypeAlias

import pytest

from ledger.errors import ConflictError, LedgerError, UnreadableError
from ledger.log import create_store, open_store
from ledger.log import postgres as postgres_store
from ledger.log.base import LogStore
from ledger.log.durable import DurableStore
from ledger.log.open_files import ReplacedError
from ledger.log.postgres import ALONE
from ledger.log.postgres_statements import READ_CHUNK
from ledger.log.stores import HOME, open_watched
from ledger.log.verify import verify
from tests.contracts.log_builders import RECORDER, batch, remark
from tests.log.test_kill import Acknowledged, check_whole, killed_writers, said_by, start_writer
from tests.log.writers import numbered
from tests.patience import wait_until
from tests.postgres import PROGRAMS, PostgresServer, postgres_server

Cut: TypeAlias = Literal["before", "after", "meanwhile"] | Event | None
"""When to cut: before the server has the commit, after it answered, or at once after sending; None: not at all.

With an event the connection is cut, and the server gets the commit after the event.
"""

SOCKET: Final = ".s.PGSQL.5432"
_BYTES: Final = 1 << 20


@contextmanager
def cutting_proxy(folder: Path, server: Path, next_cut: Callable[[], Cut]) -> Iterator[None]:
    """Listen in a folder for clients of the server whose socket is in another; `next_cut` decides for each commit."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / SOCKET))
        listener.listen()

        def accept() -> None:
            with suppress(OSError):  # the end
                while True:
                    client, _ = listener.accept()
                    Thread(target=_pass_on, args=(client, server, next_cut), daemon=True).start()

        Thread(target=accept, daemon=True).start()
        yield
        listener.shutdown(socket.SHUT_RDWR)


def _pass_on(client: socket.socket, server: Path, next_cut: Callable[[], Cut]) -> None:
    with client, socket.socket(socket.AF_UNIX) as upstream, suppress(OSError):
        upstream.connect(str(server / SOCKET))
        while True:
            readable, _, _ = select([client, upstream], [], [])
            if upstream in readable:
                answer = upstream.recv(_BYTES)
                client.sendall(answer)
                if not answer:
                    return
            if client in readable:
                message = client.recv(_BYTES)
                cut = next_cut() if message.endswith(b"COMMIT\0") else None
                if not message or cut == "before":
                    return
                if isinstance(cut, Event):
                    client.close()
                    cut.wait(SOON_S)
                upstream.sendall(message)
                if cut == "after" or isinstance(cut, Event):
                    upstream.recv(_BYTES)
                if cut:
                    return


WRITERS = 3
SOON_S = 60
"""A bound that only a hanging test reaches."""


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME, str(tmp_path / "home"))


@pytest.fixture
def own_server(ci_requires: Callable[..., str]) -> Iterator[PostgresServer]:
    """Return a server that the test may kill: it waits for the disk."""
    with postgres_server(ci_requires) as server:
        yield server


def new_ledger(server: PostgresServer) -> str:
    address = server.address()
    create_store(address).close()
    return address


def seen_through(folder: Path, address: str) -> str:
    """Return the address of the same ledger behind a proxy in this folder."""
    url, name = address.split("#")
    return f"{url.split('host=')[0]}host={folder}#{name}"


def wait_for_entries(server: PostgresServer, entries: int = 100) -> None:
    while int(server.sql("SELECT max(position) FROM trickledger.heads")[0]) < entries:
        time.sleep(0.05)


@contextmanager
def writers(address: str, batches: int) -> Iterator[list[Acknowledged]]:
    """Let several writers append batches despite faults during the block; then yield what they acknowledged."""
    acknowledged: list[Acknowledged] = []
    with ExitStack() as stack:
        processes = [
            stack.enter_context(start_writer("despite-faults", address, writer, batches)) for writer in range(WRITERS)
        ]
        yield acknowledged
        for writer, process in enumerate(processes):
            said, _ = process.communicate(timeout=SOON_S)
            assert process.returncode == 0
            acknowledged += said_by(writer, said)
    assert len(acknowledged) == WRITERS * batches
    assert check_whole(address, acknowledged) == WRITERS * batches


@pytest.mark.parametrize("kills", [4, pytest.param(100, marks=pytest.mark.soak)])
def test_killed_writers_lose_and_double_nothing(postgres: PostgresServer, kills: int) -> None:
    address = new_ledger(postgres)
    acknowledged = killed_writers(address, kills)
    whole = check_whole(address, acknowledged)
    assert kills <= len(acknowledged) <= whole <= len(acknowledged) + kills
    print(f"{kills} writers killed, {len(acknowledged)} batches acknowledged, {whole} recorded")


@pytest.mark.soak
def test_a_killed_server_loses_and_doubles_nothing(own_server: PostgresServer) -> None:
    chance, kills, batches = random.Random(1), 12, 1500
    with writers(new_ledger(own_server), batches):
        wait_for_entries(own_server)
        for _ in range(kills):
            time.sleep(chance.uniform(0.1, 0.6))
            own_server.kill()
            own_server.start()
    print(f"server killed {kills} times, {WRITERS * batches} batches acknowledged")


@pytest.mark.parametrize("appends", [12, pytest.param(600, marks=pytest.mark.soak)])
def test_a_connection_cut_at_a_commit_loses_and_doubles_nothing(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, appends: int
) -> None:
    monkeypatch.setattr(postgres_store, "_RECONNECT_S", 0.01)  # the server is there all the time
    monkeypatch.setattr(postgres_store, "ALONE", 0)  # else a connection ends before an append is one message
    cuts: Counter[Cut] = Counter()
    chance = random.Random(appends)

    def next_cut() -> Cut:
        cut: Cut = chance.choice(("before", "after", "meanwhile", None))
        cuts[cut] += 1
        return cut

    address = new_ledger(postgres)
    acknowledged = []
    with cutting_proxy(tmp_path, postgres.folder, next_cut), open_store(seen_through(tmp_path, address)) as store:
        for number in range(appends):
            appended = append_despite_faults(store, number)
            acknowledged.append((0, number, 2, appended))
    assert check_whole(address, acknowledged) == appends
    assert min(cuts["before"], cuts["after"], cuts["meanwhile"]) > 0
    print(f"connections cut at a commit: {cuts}")


def test_an_append_that_was_given_up_does_not_arrive_later(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_store, "ALONE", 0)
    later = Event()
    cuts: list[Cut] = [None, later, None, "before", "before"]
    address = seen_through(tmp_path, new_ledger(postgres))
    with cutting_proxy(tmp_path, postgres.folder, lambda: cuts.pop(0)), open_store(address) as store:
        store.append(numbered(0, 0, 1), recorded_by=RECORDER)
        with pytest.raises(ConflictError, match="nothing was recorded"):
            store.append(numbered(0, 1, 1), recorded_by=RECORDER)
        later.set()
        own = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'trickledger'"
        wait_until(lambda: postgres.sql(own) == ["1"])  # the connection that was cut has ended
        assert store.head().position == 1


def append_despite_faults(store: LogStore, number: int) -> int:
    """Append a batch, again with the same ids after each error, and return its first position."""
    while True:
        try:
            return store.append(numbered(0, number, 2, has_ids=True), recorded_by=RECORDER).first_position
        except ConflictError as error:
            assert error.code == "busy"


def test_a_name_whose_commit_was_not_answered_is_not_set_again(postgres: PostgresServer, tmp_path: Path) -> None:
    address = new_ledger(postgres)
    cuts: list[Cut] = ["after", None]
    with open_store(address) as store:
        store.link_player("Bert", "Berta")
    with (
        cutting_proxy(tmp_path, postgres.folder, lambda: cuts.pop(0)),
        open_store(seen_through(tmp_path, address)) as store,
    ):
        store.unlink_player("Bert")  # a second time would be an error
        assert not store.people().links
    assert cuts == []


def test_a_writer_that_stops_in_its_turn_neither_blocks_the_others_nor_doubles_anything(
    postgres: PostgresServer,
) -> None:
    address = new_ledger(postgres)
    with start_writer("stop-within", address, 1, 0.3) as process:
        os.waitid(os.P_PID, process.pid, os.WSTOPPED)
        with open_store(address) as store:  # waits for its turn for longer than the other may stop
            first = store.append(numbered(0, 0, 1), recorded_by=RECORDER).first_position
        process.send_signal(signal.SIGCONT)
        said, _ = process.communicate(timeout=SOON_S)
    assert first == 1
    assert check_whole(address, [(0, 0, 1, 1), *said_by(1, said)]) == 3


def test_a_reader_goes_on_after_a_lost_connection(postgres: PostgresServer) -> None:
    with create_store(postgres.address()) as store:
        store.append(batch(*[remark("many")] * (READ_CHUNK + 1)), recorded_by=RECORDER)
        rows = store.read()
        first = next(rows)
        cut_all(postgres)
        assert [first.position, *(row.position for row in rows)] == list(range(1, READ_CHUNK + 2))
        cut_all(postgres)
        assert store.head().position == READ_CHUNK + 1


def test_a_ledger_rolled_back_under_an_open_connection_is_noticed(own_server: PostgresServer) -> None:
    with open_store(new_ledger(own_server)) as store:
        for number in range(ALONE + 2):  # from now on an append is one message
            store.append(numbered(0, number, 1), recorded_by=RECORDER)
        first = store.digests_at([1])[1].hex() if isinstance(store, DurableStore) else ""
        own_server.sql(
            "SET session_replication_role = replica; DELETE FROM trickledger.entries WHERE position > 1;"
            f"UPDATE trickledger.heads SET position = 1, digest = '\\x{first}'"
        )
        with pytest.raises(ReplacedError, match="replaced while it was in use"):
            store.append(numbered(0, ALONE + 2, 1), recorded_by=RECORDER)


def test_texts_do_not_depend_on_the_settings_of_a_session(postgres: PostgresServer) -> None:
    address = new_ledger(postgres).replace("#", "&options=-c%20standard_conforming_strings%3Doff#")
    with open_store(address) as store:
        for number in range(ALONE + 2):
            store.append(batch(remark(f"\\'{number}\n")), recorded_by="O'Hara \\")
        assert verify(store).damage is None


def cut_all(server: PostgresServer) -> None:
    server.sql("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'trickledger'")


@pytest.mark.soak
def test_a_full_disk_loses_nothing(own_server: PostgresServer, tmp_path: Path) -> None:
    address = new_ledger(own_server)
    small = Path(tempfile.mkdtemp(prefix="trickledger-full-"))
    mounting = ["mount", "-t", "tmpfs", "-o", "size=2m,uid=postgres", "tmpfs", str(small)]
    if subprocess.run(mounting, check=False, capture_output=True).returncode:
        pytest.skip("no file system can be mounted")
    try:
        own_server.sql(f"CREATE TABLESPACE small LOCATION '{small}'")
        own_server.sql("ALTER TABLE trickledger.entries SET TABLESPACE small")
        faults, acknowledged = 0, []
        filler = small / "filler"
        with open_store(address) as store:
            for number in range(200):
                try:
                    acknowledged.append((0, number, 7, append_numbered(store, number)))
                    with suppress(OSError), filler.open("ab", buffering=0) as file:
                        file.write(b"x" * 100_000)
                except UnreadableError as error:
                    assert error.code == "no_space"
                    faults += 1
                    filler.unlink()
                    acknowledged.append((0, number, 7, append_numbered(store, number)))
        assert faults > 3
        assert check_whole(address, acknowledged) == 200
        print(f"the disk was full {faults} times")
    finally:
        own_server.stop("immediate")
        subprocess.run(["umount", str(small)], check=True)
        small.rmdir()


def append_numbered(store: LogStore, number: int) -> int:
    return store.append(numbered(0, number, 7, has_ids=True), recorded_by=RECORDER).first_position


@contextmanager
def standby_of(primary: PostgresServer) -> Iterator[PostgresServer]:
    """Yield a running copy that follows another server."""
    folder = Path(tempfile.mkdtemp(prefix="trickledger-standby-"))
    shutil.chown(folder, "postgres", "postgres")
    standby = PostgresServer(folder, PROGRAMS[-1])
    source = ["-h", str(primary.folder), "-U", "postgres", "-c", "fast", "-X", "stream"]
    try:
        primary.run("pg_basebackup", *source, "-R", "-D", str(standby.data))
        standby.start()
        yield standby
    finally:
        if (standby.data / "postmaster.pid").exists():
            standby.stop("immediate")
        shutil.rmtree(folder)


def with_both(address: str, primary: PostgresServer, standby: PostgresServer) -> str:
    """Return the address of a ledger on whichever of two servers takes writes."""
    hosts = f"host={primary.folder},{standby.folder}&target_session_attrs=read-write"
    return address.replace(f"host={primary.folder}", hosts)


@pytest.mark.soak
def test_a_synchronous_standby_that_takes_over_lacks_nothing(own_server: PostgresServer) -> None:
    address = new_ledger(own_server)
    with standby_of(own_server) as standby:
        own_server.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        own_server.sql("SELECT pg_reload_conf()")
        while own_server.sql("SELECT sync_state FROM pg_stat_replication") != ["sync"]:
            time.sleep(0.05)
        with writers(with_both(address, own_server, standby), 1000):
            wait_for_entries(own_server)
            own_server.kill()
            before = standby.sql("SELECT position FROM trickledger.heads")
            standby.sql("SELECT pg_promote()")
        assert standby.sql("SELECT position FROM trickledger.heads") > before
        print(f"one fail-over with {before[0]} entries")


@pytest.mark.soak
def test_nothing_is_acknowledged_that_no_standby_has(own_server: PostgresServer) -> None:
    address = new_ledger(own_server)
    own_server.sql("ALTER SYSTEM SET synchronous_standby_names = 'gone'")
    own_server.sql("SELECT pg_reload_conf()")
    with open_store(address) as store, ThreadPoolExecutor() as pool:
        for is_repeated in (False, True):
            answer = pool.submit(append_numbered, store, 1)
            first = waiting_for_standby(own_server)
            own_server.sql(f"SELECT pg_terminate_backend({first})")  # its entry is in the primary
            assert waiting_for_standby(own_server, besides=first) != first, is_repeated
            assert not answer.done()
            own_server.sql("ALTER SYSTEM RESET synchronous_standby_names")
            own_server.sql("SELECT pg_reload_conf()")
            assert answer.result(SOON_S) == 1
            own_server.sql("ALTER SYSTEM SET synchronous_standby_names = 'gone'")
            own_server.sql("SELECT pg_reload_conf()")


def waiting_for_standby(server: PostgresServer, besides: str = "") -> str:
    """Return the process of a commit that waits for a standby."""
    for _ in range(20 * SOON_S):
        waiting = server.sql("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        if others := [pid for pid in waiting if pid != besides]:
            return others[0]
        time.sleep(0.05)
    pytest.fail("no commit waits for a standby")


@pytest.mark.soak
def test_a_standby_that_takes_over_without_the_last_entries_is_noticed(own_server: PostgresServer) -> None:
    address = new_ledger(own_server)
    with standby_of(own_server) as standby, ExitStack() as stores:
        both = with_both(address, own_server, standby)
        writer = stores.enter_context(open_store(both))
        writer.append(numbered(0, 0, 1), recorded_by=RECORDER)
        wait_for_entries(standby, 1)
        standby.stop()
        writer.append(numbered(0, 1, 1), recorded_by=RECORDER)
        known = writer.head()
        writer.remember_head()
        served = stores.enter_context(open_watched(both, "write", known, print))
        own_server.kill()
        standby.start()
        standby.sql("SELECT pg_promote()")
        for store, expected in ((served, ReplacedError), (writer, ReplacedError), (open_store(both), ConflictError)):
            with store, pytest.raises(expected) as caught:
                store.append(numbered(0, 2, 1), recorded_by=RECORDER)
            assert isinstance(caught.value, LedgerError) and caught.value.code == "rolled_back"
        with pytest.raises(ReplacedError), open_watched(both, "write", known, print):
            pass
        assert standby.sql("SELECT position FROM trickledger.heads") == ["1"]
