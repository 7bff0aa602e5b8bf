"""Many listeners while several processes write: nothing is lost, nothing doubled, all of it in order."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ledger
from ledger.service import older, ring
from tests.covering import IS_SOAK, wider_in_soak
from tests.web.following import At, Client, at_a_socket
from tests.web.serving import DIRECTOR, SEER, VIEWER, Served, ledger_of, record, serving

NOTE = {"type": "noted", "text": "a glass fell"}
SESSIONS = [f"session/s{number}" for number in range(4)]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    path = ledger_of(tmp_path)
    with ledger.open(path) as store:
        for stream in SESSIONS:
            record(store, stream, {"type": "session_opened", "title": stream, "date": "2026-03-01"})
    with serving(path) as served:
        yield served


async def write(at: At, stream: str, count: int) -> None:
    """Records by requests, one after the other."""
    for _ in range(count):
        answer = await at.served.asked(
            "POST", f"/streams/{stream}/entries", who=DIRECTOR, json={"entries": [{"id": new_id(), "event": NOTE}]}
        )
        assert answer.status_code == 201


def new_id() -> str:
    return f"0193b3c0-0000-7000-8000-{random.getrandbits(48):012x}"


async def write_elsewhere(path: Path, count: int) -> None:
    """Another process records at the same time."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.log.writers", "many", str(path), "9", str(count), stdout=subprocess.DEVNULL
    )
    assert await process.wait() == 0


async def follow(at: At, last: int, chance: random.Random, tear: float) -> list[int]:
    """The positions that a client counts as heard up to the last; it loses its connection again and again."""
    heard: list[int] = []
    while not heard or heard[-1] < last:
        client = await begin(at, heard, chance)
        while not heard or heard[-1] < last:
            if chance.random() < tear:
                break  # what came with the last piece and was not counted is lost with the connection
            message = await client.message()
            assert message is not None
            if message.event == "entry":
                assert message.id == message.data["position"]
                heard.append(message.id)
        client.drop()
        await asyncio.sleep(chance.random() * 0.05)
    return heard


async def begin(at: At, heard: list[int], chance: random.Random) -> Client:
    who = chance.choice((VIEWER, DIRECTOR, SEER))
    if not heard:
        return await at.connect("/live?after=0", who=who)
    return await at.connect("/live?after=0", who=who, headers={"Last-Event-ID": str(heard[-1])})


@wider_in_soak
@pytest.mark.parametrize("rows", [2_048, 40])
def test_many_listeners_hear_everything_once_and_in_order(
    served: Served, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    """With a small ring most of them are told from the ledger itself."""
    monkeypatch.setattr(ring, "ROWS", rows)
    monkeypatch.setattr(older, "ENTRIES", 30)
    others, own = (600, 150) if IS_SOAK else (200, 50)

    async def work() -> None:
        async with at_a_socket(served) as at:
            last = len(SESSIONS) + others + own * len(SESSIONS)
            listening = [
                asyncio.create_task(follow(at, last, random.Random(number), 0 if number % 5 == 0 else 0.01))
                for number in range(50 if IS_SOAK else 30)
            ]
            await asyncio.gather(write_elsewhere(served.ledger, others), *(write(at, one, own) for one in SESSIONS))
            for heard in await asyncio.gather(*listening):
                assert heard == list(range(1, last + 1))
            await at.listening(0)

    served.run(work())


def test_those_who_follow_one_stream_hear_that_alone_and_nothing_twice(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ring, "ROWS", 25)
    monkeypatch.setattr(older, "ENTRIES", 10)

    async def one(at: At, stream: str, chance: random.Random, count: int) -> list[int]:
        versions: list[int] = []
        position = 0
        while len(versions) < count:
            client = await at.connect(f"/live?streams={stream}", headers={"Last-Event-ID": str(position)})
            for _ in range(chance.randrange(1, 30)):
                if len(versions) == count:
                    break
                message = await client.message()
                assert message is not None
                position = message.id if message.id is not None else position
                if message.event == "entry":
                    versions.append(message.data["version"])
            client.drop()
        return versions

    async def work() -> None:
        async with at_a_socket(served) as at:
            listening = [
                asyncio.create_task(one(at, stream, random.Random(number), 101))
                for number in range(3)
                for stream in SESSIONS
            ]
            await asyncio.gather(*(write(at, stream, 100) for stream in SESSIONS))
            for versions in await asyncio.gather(*listening):
                assert versions == list(range(1, 102))

    served.run(work())
