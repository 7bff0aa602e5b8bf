"""Two services, each in a process of its own as on two hosts, serve one ledger in a database."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

import ledger
from ledger.access.base import NewToken
from ledger.access.stores import open_access
from ledger.log import create_store
from ledger.log.append_rules import new_id
from ledger.web.http.routing import PREFIX
from tests.cli.commands import REVOKE
from tests.patience import PATIENCE_S, wait_until
from tests.postgres import PostgresServer
from tests.web.crowd_of_clients import Crowd, Server
from tests.web.serving import record
from tests.web.test_killed_server import BOARDS, OPENED, by_writers, rows_of

NOTE = {"type": "noted", "text": "a glass fell"}


@pytest.fixture
def club(postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("TRICKLEDGER_HOME", str(tmp_path / "home"))
    address = postgres.address()
    with create_store(address) as store:
        for board in BOARDS:
            record(store, board, OPENED)
    return address


@pytest.fixture
def servers(club: str, tmp_path: Path) -> Iterator[tuple[Server, Server]]:
    def serve(name: str) -> Server:
        return Server(club, log=tmp_path / f"{name}.log", TRICKLEDGER_HOME=str(tmp_path / name))

    with ThreadPoolExecutor() as threads:
        one, other = threads.map(serve, ("one", "other"))
    try:
        yield one, other
    finally:
        one.close()
        other.close()


SOAK = [pytest.param(20, 8, 32, marks=pytest.mark.soak), pytest.param(3, 4, 400, marks=pytest.mark.soak)]


@pytest.mark.parametrize(("kills", "writers", "listeners"), [(1, 4, 6), *SOAK])
def test_what_either_records_is_heard_at_both_once_and_in_order(
    club: str, servers: tuple[Server, Server], kills: int, writers: int, listeners: int
) -> None:
    """Each kill hits one of them: its writers and listeners go on at the other one, and miss and double nothing."""
    crowd = Crowd(servers[0], BOARDS, kills, servers[1])

    async def work() -> None:
        crowd.begin(writers, listeners)
        await crowd.recorded(60)
        for number in range(kills):
            if number:
                await asyncio.to_thread(servers[1 - number % 2].start)
            servers[number % 2].kill()
            await crowd.recorded(len(crowd.acknowledged) + 30)
        await crowd.writers_done()
        await crowd.heard_up_to(len(rows_of(club)))
        await crowd.close()

    asyncio.run(work())
    rows = rows_of(club)
    assert crowd.retries >= kills, "nobody was interrupted"
    assert crowd.acknowledged == by_writers(rows), "lost, doubled or moved"
    assert [position for position, _ in rows] == list(range(1, len(rows) + 1))
    assert all(heard == rows for heard in crowd.heard)
    assert not [line for server in servers for line in server.logged() if line["event"] == "fault"]


@pytest.fixture
def clients(servers: tuple[Server, Server]) -> Iterator[tuple[httpx.Client, httpx.Client]]:
    one, other = (httpx.Client(base_url=f"http://127.0.0.1:{it.port}{PREFIX}", timeout=PATIENCE_S) for it in servers)
    with one, other:
        yield one, other


def recorded_at_both(clients: tuple[httpx.Client, httpx.Client], stream: str, version: int) -> list[int]:
    """Return how two entries at the same time are answered, one by each service, which both expect this version."""

    def post(client: httpx.Client) -> int:
        entries = {"entries": [{"id": new_id(), "event": NOTE}], "expected_version": version}
        return client.post(f"/streams/{stream}/entries", json=entries).status_code

    with ThreadPoolExecutor() as threads:
        return sorted(threads.map(post, clients))


def test_two_services_act_as_one(club: str, clients: tuple[httpx.Client, httpx.Client]) -> None:
    one, other = clients
    for version in range(1, 11):
        assert recorded_at_both(clients, BOARDS[0], version) == [201, 409]
    for number in range(5):
        opening = {"id": new_id(), "slug": f"new-{number}", "event": OPENED}
        one.post("/tables", json=opening).raise_for_status()
        other.get(f"/tables/new-{number}").raise_for_status()
    with open_access(club) as access:
        secret = access.add_token(NewToken(id="ann", role="director")).secret
    bearer = {"authorization": f"Bearer {secret}"}
    one.post("/sign-in", json={"token": secret, "name": "Ada"}).raise_for_status()
    other.cookies = one.cookies
    assert [client.get("/me").json()["name"] for client in clients] == ["Ada", "Ada"]
    other.cookies.clear()
    other.post("/sign-in", json={"token": secret, "name": "Ada"}).raise_for_status()
    assert other.get("/me").json()["name"] == "Ada 2"
    with ledger.open(club) as store:
        ledger.import_file(store, REVOKE, ledger.Recording(by="recorder-1"))

    def shown(client: httpx.Client) -> Any:
        return client.get("/players/Belinda", headers=bearer).json().get("name", "nobody")

    one.put("/players/Belinda/name", headers=bearer, json={"name": "Bella"}).raise_for_status()
    wait_until(lambda: shown(one) == shown(other) == "Bella")
    other.delete("/players/Belinda/name", headers=bearer).raise_for_status()
    wait_until(lambda: shown(one) is shown(other) is None)
    one.cookies.clear()
    one.delete("/tokens/ann").raise_for_status()
    assert other.get("/me", headers=bearer).status_code == 410
    assert other.get("/me").json()["token"] == "loopback"  # and not the browser that was signed in
