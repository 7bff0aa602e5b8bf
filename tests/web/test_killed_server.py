"""The server is killed or stopped: acknowledged entries are kept, and all listeners receive them once, in order."""

import asyncio
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ledger
from ledger.log.verify import verify
from ledger.service import live_buffer
from tests.covering import IS_SOAK, wider_in_soak
from tests.log.test_kill import Acknowledged, killed_writer
from tests.web.crowd_of_clients import Crowd, Server
from tests.web.following import At, Client, at_a_socket
from tests.web.serving import DIRECTOR, SEER, VIEWER, Served, ledger_with, serving

WRITERS = 8 if IS_SOAK else 4
LISTENERS = 24 if IS_SOAK else 8
BOARDS = ["table/board-0", "table/board-1", "table/board-2"]
OPENED = {"type": "table_opened", "game": "kop", "players": ["Ann", "Ben", "Cleo", "Dan"]}


@pytest.fixture
def club(tmp_path: Path) -> Path:
    return ledger_with(tmp_path, {stream: [OPENED] for stream in BOARDS})


def rows_of(path: str | Path) -> list[tuple[int, str]]:
    assert verify(path).damage is None
    with ledger.open(path) as store:
        return [(row.position, row.id) for row in store.read()]


def texts_of_processes(path: Path) -> dict[int, str]:
    """Return the texts of processes that record without the server, by position."""
    with ledger.open(path) as store:
        return {row.position: row.event().text for row in store.read() if row.recorded_by.startswith("writer ")}  # type: ignore[union-attr]


def by_writers(rows: list[tuple[int, str]]) -> dict[str, int]:
    return {id: position for position, id in rows[len(BOARDS) :]}


@pytest.mark.parametrize("kills", [2, pytest.param(30, marks=pytest.mark.soak)])
def test_kills_lose_and_double_nothing(club: Path, kills: int) -> None:
    server = Server(club)
    crowd = Crowd(server, BOARDS, seed=kills)
    chance = random.Random(kills)
    by_processes: list[Acknowledged] = []

    async def work() -> None:
        crowd.begin(WRITERS, LISTENERS)
        await crowd.recorded(20)
        for number in range(kills):
            life_s = chance.uniform(0, 0.5)
            process = asyncio.create_task(
                asyncio.to_thread(killed_writer, club, number, life_s, BOARDS[number % len(BOARDS)])
            )
            await asyncio.sleep(chance.uniform(0, 0.5))
            server.kill()
            before = len(crowd.acknowledged)
            await asyncio.to_thread(server.start)
            await crowd.recorded(before + 1)
            by_processes.extend(await process)
        await crowd.writers_done()
        await crowd.heard_up_to(len(rows_of(club)))
        await crowd.close()

    try:
        asyncio.run(work())
    finally:
        server.close()
    rows = rows_of(club)
    assert crowd.retries > kills, "nobody was interrupted"
    others = texts_of_processes(club)
    by_crowd = [row for row in rows if row[0] not in others]
    assert crowd.acknowledged == by_writers(by_crowd), "lost, doubled, or at another place than was answered"
    for writer, number, size, position in by_processes:
        for part in range(size):
            assert others[position + part] == f"{writer} {number} {part} {size}"
    assert all(heard == rows for heard in crowd.heard)
    assert not [line for line in server.logged() if line["event"] == "fault"]


def test_at_the_end_every_accepted_request_is_answered_and_every_stream_notified(club: Path) -> None:
    server = Server(club)
    crowd = Crowd(server, BOARDS, seed=1)

    async def work() -> None:
        crowd.begin(WRITERS, LISTENERS)
        await crowd.recorded(100)
        await crowd.heard_up_to(50)
        crowd.give_up_when_gone()
        await asyncio.to_thread(server.end)
        await crowd.all_gone()

    try:
        asyncio.run(work())
    finally:
        server.close()
    assert server.process.exitcode == 0
    rows = rows_of(club)
    assert crowd.acknowledged == by_writers(rows), "something was recorded, and not answered"
    assert set(crowd.last_events.values()) == {"closing"}
    assert len(crowd.last_events) == LISTENERS
    assert all(heard == rows[: len(heard)] for heard in crowd.heard)
    assert [line["event"] for line in server.logged()][-1] == "stopped"


NOTE = {"type": "noted", "text": "a glass fell"}
SESSIONS = [f"session/s{number}" for number in range(4)]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    opened = {"type": "session_opened", "title": "Spring", "date": "2026-03-01"}
    with serving(ledger_with(tmp_path, {stream: [opened] for stream in SESSIONS})) as served:
        yield served


async def write(at: At, stream: str, count: int) -> None:
    for _ in range(count):
        answer = await at.served.request(
            "POST", f"/streams/{stream}/entries", who=DIRECTOR, json={"entries": [{"id": new_id(), "event": NOTE}]}
        )
        assert answer.status_code == 201


def new_id() -> str:
    return f"0193b3c0-0000-7000-8000-{random.getrandbits(48):012x}"


async def write_elsewhere(path: Path, count: int) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.log.writers", "many", str(path), "9", str(count), stdout=subprocess.DEVNULL
    )
    assert await process.wait() == 0


async def follow(at: At, last: int, chance: random.Random, tear: float, stream: str | None) -> list[int]:
    """Return the positions (of one stream the versions) up to `last` that a client received over lost connections."""
    heard: list[int] = []
    position = 0
    while len(heard) < last:
        client = await begin(at, position, chance, stream)
        while len(heard) < last:
            if chance.random() < tear:
                break  # what came with the last piece and was not counted is lost with the connection
            message = await client.message()
            assert message is not None
            position = position if message.id is None else message.id
            if message.event == "entry":
                assert message.id == message.data["position"]
                heard.append(message.data["position" if stream is None else "version"])
        client.drop()
        await asyncio.sleep(chance.random() * 0.05)
    return heard


async def begin(at: At, position: int, chance: random.Random, stream: str | None) -> Client:
    who = chance.choice((VIEWER, DIRECTOR, SEER))
    path = "/live?after=0" if stream is None else f"/live?after=0&streams={stream}"
    headers = {"Last-Event-ID": str(position)} if position else {}
    return await at.connect(path, who=who, headers=headers)


@wider_in_soak
@pytest.mark.parametrize("rows", [2_048, 40])
def test_many_listeners_receive_all_once_in_order(served: Served, monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """With a small buffer most entries are read from the ledger itself."""
    monkeypatch.setattr(live_buffer, "ROWS", rows)
    monkeypatch.setattr(live_buffer, "ENTRIES", 30)
    others, own = (600, 150) if IS_SOAK else (120, 40)

    async def work() -> None:
        async with at_a_socket(served) as at:
            last = len(SESSIONS) + others + own * len(SESSIONS)
            listening = [
                asyncio.create_task(follow(at, last, random.Random(number), 0 if number % 5 == 0 else 0.01, None))
                for number in range(50 if IS_SOAK else 20)
            ]
            listening_to_one = [
                asyncio.create_task(follow(at, own + 1, random.Random(number), 0.03, stream))
                for number, stream in enumerate(SESSIONS)
            ]
            await asyncio.gather(write_elsewhere(served.ledger, others), *(write(at, one, own) for one in SESSIONS))
            for heard in await asyncio.gather(*listening):
                assert heard == list(range(1, last + 1))
            for versions in await asyncio.gather(*listening_to_one):
                assert versions == list(range(1, own + 2))
            await at.listening(0)

    served.run(work())
