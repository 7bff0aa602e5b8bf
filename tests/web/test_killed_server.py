"""The server may be killed or stopped at any moment: acknowledged entries are kept, and all listeners receive them
once.
"""

import asyncio
import random
from pathlib import Path

import pytest

import ledger
from ledger.log.verify import verify
from tests.covering import IS_SOAK
from tests.log.test_kill import Acknowledged, killed_writer
from tests.web.crowd_of_clients import Crowd, Server
from tests.web.serving import ledger_with

WRITERS = 8 if IS_SOAK else 4
LISTENERS = 24 if IS_SOAK else 8
BOARDS = ["table/board-0", "table/board-1", "table/board-2"]


@pytest.fixture
def club(tmp_path: Path) -> Path:
    opened = {"type": "table_opened", "game": "kop", "players": ["Ann", "Ben", "Cleo", "Dan"]}
    return ledger_with(tmp_path, {stream: [opened] for stream in BOARDS})


def rows_of(path: Path) -> list[tuple[int, str]]:
    assert verify(path).damage is None
    with ledger.open(path) as store:
        return [(row.position, row.id) for row in store.read()]


def texts_of_processes(path: Path) -> dict[int, str]:
    """Return the texts of processes that record without the server, by position."""
    with ledger.open(path) as store:
        return {row.position: row.event().text for row in store.read() if row.recorded_by.startswith("writer ")}  # type: ignore[union-attr]


def by_writers(rows: list[tuple[int, str]]) -> dict[str, int]:
    return {id: position for position, id in rows[len(BOARDS) :]}


def kill_and_check(path: Path, kills: int) -> None:
    server = Server(path)
    crowd = Crowd(server, BOARDS, seed=kills)
    chance = random.Random(kills)
    by_processes: list[Acknowledged] = []

    async def work() -> None:
        crowd.begin(WRITERS, LISTENERS)
        await crowd.recorded(20)
        for number in range(kills):
            before = len(crowd.acknowledged)
            life_s = chance.uniform(0, 0.5)
            process = asyncio.create_task(
                asyncio.to_thread(killed_writer, path, number, life_s, BOARDS[number % len(BOARDS)])
            )
            await asyncio.sleep(chance.uniform(0, 0.5))
            server.kill()
            by_processes.extend(await process)
            await asyncio.to_thread(server.start)
            await crowd.recorded(before + 1)
        await crowd.writers_done()
        await crowd.heard_up_to(len(rows_of(path)))
        await crowd.close()

    try:
        asyncio.run(work())
    finally:
        server.close()
    rows = rows_of(path)
    assert crowd.retries > kills, "nobody was interrupted"
    others = texts_of_processes(path)
    by_crowd = [row for row in rows if row[0] not in others]
    assert crowd.acknowledged == by_writers(by_crowd), "lost, doubled, or at another place than was answered"
    for writer, number, size, position in by_processes:
        for part in range(size):
            assert others[position + part] == f"{writer} {number} {part} {size}"
    assert all(heard == rows for heard in crowd.heard)
    assert not [line for line in server.logged() if line["event"] == "fault"]


@pytest.mark.parametrize("kills", [3, pytest.param(60, marks=pytest.mark.soak)])
def test_kills_lose_and_double_nothing(club: Path, kills: int) -> None:
    kill_and_check(club, kills)


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
    assert server.process.returncode == 0
    rows = rows_of(club)
    assert crowd.acknowledged == by_writers(rows), "something was recorded, and not answered"
    assert set(crowd.last_events.values()) == {"closing"}
    assert len(crowd.last_events) == LISTENERS
    assert all(heard == rows[: len(heard)] for heard in crowd.heard)
    assert [line["event"] for line in server.logged()][-1] == "stopped"
