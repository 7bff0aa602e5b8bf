"""A service whose disk, file or clock fails: a problem, no damage, and recovery afterwards."""

import asyncio
import os
import resource
import shutil
import sqlite3
import stat
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from itertools import repeat
from pathlib import Path
from time import sleep
from typing import Any

import pytest

import ledger
from ledger.log import SqliteStore
from ledger.log.paths import left_by_sqlite
from ledger.log.verify import verify
from ledger.web.api import root
from tests.patience import PATIENCE_S, wait_until
from tests.permissions import bound_command, permitting
from tests.web.crowd_of_clients import LOST, Answer, Asker, Server
from tests.web.following import Client as Listener
from tests.web.following import Message
from tests.web.serving import ADMIN, RECORDER, ledger_with, record, serving

TABLE = "table/board"
OPENED = {"type": "table_opened", "game": "kop", "players": ["Ann", "Ben", "Cleo", "Dan"]}
NOTE = {"type": "noted", "text": "a glass fell" * 30}
MANY = (NOTE,) * 100
NO_LIMIT = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


@pytest.fixture
def club(tmp_path: Path) -> Path:
    folder = tmp_path / "club"
    folder.mkdir()
    return ledger_with(folder, {TABLE: [OPENED]})


class Client:
    def __init__(self, server: Server) -> None:
        self.server = server
        self._asker = Asker(repeat(server))
        self._runner = asyncio.Runner()

    def ask(self, method: str, path: str, body: Any = None) -> Answer:
        return self._runner.run(self._asker.ask(method, path, body))

    def record(self, *events: Any) -> Answer:
        return self._runner.run(self._asker.record(TABLE, *events))

    def comes_to(self, status: int) -> None:
        """Wait until the service is ready, or not; the writer checks its file at intervals."""
        wait_until(lambda: self.ask("GET", "/ready").status == status)

    def assert_is_refused(self, status: int, code: str, *events: Any) -> Answer:
        refused = self.record(*events or (NOTE,))
        assert (refused.status, refused.body["code"]) == (status, code)
        return refused

    def assert_is_well(self) -> None:
        assert self.record(NOTE).status == 201
        assert self.ask("GET", "/ready").status == 200
        assert self.ask("GET", "/tables/board/score").status == 200

    def close(self) -> None:
        self._asker.close()
        self._runner.close()


@contextmanager
def client_of(server: Server) -> Iterator[Client]:
    """Yield a client of a server, which must end gracefully and leave a sound ledger."""
    client = Client(server)
    try:
        yield client
        client.close()
        server.end()
        assert server.process.exitcode == 0
    finally:
        server.close()
    assert not [line for line in server.logged() if line["event"] == "fault"]
    assert verify(server.ledger).damage is None


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "small"
    folder.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], check=False, capture_output=True
    ).returncode:
        pytest.skip("LEFT OUT: this user may not mount a disk")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def fill(file: Path) -> None:
    with suppress(OSError), file.open("wb", buffering=0) as filling:
        while filling.write(bytes(4096)):
            pass


def test_a_full_disk_takes_nothing_and_goes_on_when_there_is_room(small_disk: Path, tmp_path: Path) -> None:
    filling = small_disk / "filling"
    with client_of(Server(ledger_with(small_disk, {TABLE: [OPENED]}), log=tmp_path / "log")) as client:
        client.assert_is_well()
        fill(filling)
        for _ in range(3):
            client.assert_is_refused(507, "no_space", *MANY)
        refused = client.ask("PUT", "/queries/mine", {"sql": "SELECT 1"})
        assert (refused.status, refused.body["code"]) == (507, "no_space")
        assert client.ask("GET", "/tables/board").body["version"] == 2
        filling.unlink()
        client.assert_is_well()
        assert client.record(*MANY).body["first_position"] == 4


def test_a_disk_that_fails_loses_nothing(club: Path) -> None:
    """A limit on the size of files simulates it: each write beyond it fails."""
    with client_of(Server(club)) as client:
        client.assert_is_well()
        largest = max(file.stat().st_size for file in club.parent.glob("club.ledger*"))
        pid = client.server.process.pid
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))
        for _ in range(3):
            client.assert_is_refused(500, "damaged", *MANY)
        assert client.ask("GET", "/tables/board").body["version"] == 2
        resource.prlimit(pid, resource.RLIMIT_FSIZE, NO_LIMIT)
        client.assert_is_well()


def test_a_ledger_that_may_not_be_written_is_read(club: Path) -> None:
    with (
        permitting(club, 0o444),
        permitting(club.parent, 0o555),
        client_of(Server(club, log=club.parent.parent / "log", run=bound_command)) as client,
    ):
        client.assert_is_refused(503, "read_only")
        assert client.ask("GET", "/tables/board").body["version"] == 1


def move(club: Path, name: str) -> None:
    for file in club.parent.glob(f"{club.name}*"):
        file.rename(file.with_name(file.name.replace(club.name, name, 1)))


def test_an_older_copy_in_its_place_is_neither_read_nor_written(club: Path) -> None:
    older, away = club.with_name("older"), club.with_name("away")
    with client_of(Server(club)) as client:
        client.assert_is_well()
        ledger.backup(club, older)
        client.assert_is_well()
        move(club, away.name)
        shutil.copy(older, club)
        refused = client.assert_is_refused(503, "rolled_back")
        assert (refused.body["expected"], refused.body["actual"]) == (3, 2)
        for path in ("/ready", "/tables", "/tables/board/score", f"/streams/{TABLE}/entries", "/live?after=0"):
            refused = client.ask("GET", path)
            assert (refused.status, refused.body["code"]) == (503, "rolled_back"), path
        assert client.ask("GET", "/health").status == 200
        assert older.read_bytes() == club.read_bytes(), "something was written to the older one"

        def rescued() -> list[Path]:
            return [Path(line["file"]) for line in client.server.logged() if line["event"] == "rescued"]

        wait_until(rescued)
        (rescue,) = rescued()
        assert str(rescue) in client.ask("GET", "/tables").body["detail"], "an admin sees where it is"
        assert stat.S_IMODE(rescue.stat().st_mode) == 0o600
        move(club, "thrown-away")
        move(away, club.name)
        client.comes_to(200)
        client.assert_is_well()


def test_it_may_be_served_from_the_older_copy_after_a_new_start(club: Path) -> None:
    ledger.backup(club, club.with_name("older"))
    with client_of(Server(club)) as client:
        client.assert_is_well()
        for file in club.parent.glob("club.ledger*"):
            file.unlink()
        shutil.copy(club.with_name("older"), club)
        client.comes_to(503)
        client.server.end()
        client.server.start()
        client._asker.close()
        client.assert_is_well()


def test_a_ledger_that_is_gone_takes_nothing_until_it_is_back(club: Path) -> None:
    away = club.with_name("away")
    with client_of(Server(club)) as client:
        client.assert_is_well()
        move(club, away.name)
        client.assert_is_refused(503, "damaged")
        unready = client.ask("GET", "/ready")
        assert (unready.status, unready.body["code"]) == (503, "damaged")
        assert not club.exists(), "a new one was made"
        move(away, club.name)
        client.comes_to(200)
        client.assert_is_well()


@pytest.mark.soak
def test_an_index_of_the_log_that_is_cut_off_ends_the_service_and_loses_nothing(club: Path) -> None:
    """The system kills a process that reads a mapped file beyond its end."""
    server = Server(club)
    client = Client(server)
    positions = []
    with suppress(*LOST):
        for number in range(30):
            if number == 10:
                os.truncate(left_by_sqlite(club)[1], 0)
            if (answer := client.record(NOTE)).status != 201:
                break
            positions.append(answer.body["first_position"])
    client.close()
    server.close()
    with client_of(Server(club)) as client:
        assert client.ask("GET", "/tables/board").body["version"] >= 1 + len(positions)
        client.assert_is_well()


def test_another_writer_that_holds_the_lock_is_waited_for_and_reported(club: Path) -> None:
    with client_of(Server(club)) as client, closing(sqlite3.connect(club, isolation_level=None)) as other:
        client.assert_is_well()
        other.execute("BEGIN IMMEDIATE")
        waiting_client = Client(client.server)
        with ThreadPoolExecutor(1) as thread:
            waiting = thread.submit(waiting_client.record, NOTE)
            assert client.ask("GET", "/tables/board/score").status == 200
            refused = waiting.result(PATIENCE_S)
            assert (refused.status, refused.body["code"]) == (503, "locked")
            assert int(refused.headers["retry-after"]) > 0
            waiting = thread.submit(waiting_client.record, NOTE)
            sleep(0.3)
            assert not waiting.done()
            other.execute("ROLLBACK")
            assert waiting.result(PATIENCE_S).status == 201
            thread.submit(waiting_client.close).result()
        client.assert_is_well()


def test_a_writer_that_does_not_come_to_an_end_is_not_ready(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def comes_to(status: int) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE_S):
            while (answer := await served.request("GET", "/ready", who=ADMIN)).status_code != status:
                await asyncio.sleep(0.05)
        body: dict[str, Any] = answer.json()
        return body

    async def work() -> None:
        with closing(sqlite3.connect(club, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            body = {"entries": [{"id": "0193b3c0-0000-7000-8000-000000000001", "event": NOTE}]}
            waiting = asyncio.create_task(served.request("POST", f"/streams/{TABLE}/entries", who=RECORDER, json=body))
            await asyncio.sleep(0.1)
            assert (await served.request("GET", "/ready", who=ADMIN)).status_code == 200
            monkeypatch.setattr(root, "STUCK_S", 0.0)
            assert (await comes_to(503))["code"] == "busy"
            other.execute("ROLLBACK")
        assert (await waiting).status_code == 201
        await comes_to(200)

    with serving(club) as served:
        served.run(work())


def test_with_a_clock_set_back_entries_are_taken_in_the_order_in_which_they_come(club: Path) -> None:
    """The entries in the ledger are from a year after the current clock."""
    ahead = datetime.now(UTC) + timedelta(days=365)
    with SqliteStore(club, clock=lambda: ahead) as store:
        record(store, TABLE, NOTE)

    async def heard(port: int) -> list[Message]:
        listener = Listener(*await asyncio.open_connection("127.0.0.1", port))
        await listener.begin("GET /api/v1/live?after=0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        entries = await listener.entries(7)
        listener.drop()
        return entries

    with client_of(Server(club)) as client:
        for _ in range(5):
            assert client.record(NOTE).status == 201
        entries = asyncio.run(heard(client.server.port))
        assert [one.id for one in entries] == list(range(1, 8))
        times = [datetime.fromisoformat(one.data["recorded_at"]) for one in entries]
        assert times[2] < times[1], "the clock was not set back"
        assert client.ask("GET", "/tables/board").body["version"] == 7
