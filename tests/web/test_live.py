"""Live streams, received by pages and programs at a socket."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from typing import Any
from unittest.mock import patch

import pytest

import ledger
from ledger.access.base import Session
from ledger.access.grants import Grant
from ledger.service import hub
from ledger.service.hub import Pace
from ledger.web.server.protocol import Limits
from tests.patience import PATIENCE_S, wait_until
from tests.web.following import At, Client, Message, at_socket, listen
from tests.web.serving import DIRECTOR, OMBRE, SEER, VIEWER, Served, ledger_with, record, serving

SESSION = {"type": "session_opened", "title": "Spring", "date": "2026-03-01"}
NOTE = {"type": "noted", "text": "a glass fell"}
CLOSED = {"type": "table_closed"}
OPENED = {"type": "hands_opened", "deal": 1}
QUICK = Pace(ping_s=0.15, tick_s=0.05)


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A ledger with a session, a table whose first deal is open, and one that is closed."""
    return ledger_with(tmp_path, {"session/spring": [SESSION], "one": OMBRE, "two": [OMBRE[0], CLOSED]})


@pytest.fixture
def served(club: Path) -> Iterator[Served]:
    with serving(club) as served:
        yield served


def positions(messages: list[Message]) -> list[int | None]:
    return [one.id for one in messages]


@at_socket()
async def test_a_stream_begins_with_how_soon_to_come_again_and_where_the_log_ends(at: At) -> None:
    client = await at.connect("/live")
    assert client.status == 200
    assert client.headers["content-type"] == "text/event-stream"
    assert client.headers["cache-control"] == "no-store"
    assert client.headers["trickledger-position"] == "7"
    assert "etag" not in client.headers
    assert await client.block() == b"retry: 2000"
    assert await client.message() == Message("head", 7, {"position": 7})


@at_socket()
async def test_each_entry_is_one_message_under_its_position_with_the_envelope_that_a_read_answers(at: At) -> None:
    client = await at.connect("/live?after=0")
    heard = await client.entries(7)
    assert positions(heard) == [1, 2, 3, 4, 5, 6, 7]
    line = b"".join(row.line() for row in at.served.service.store().read(0, 1))
    assert heard[0].data == json.loads(line)


@at_socket()
async def test_what_the_service_records_is_heard_once_it_is_there(at: At) -> None:
    client = await at.connect("/live")
    await client.message()
    body = {"entries": [{"id": ID, "event": NOTE}]}
    answer = await at.served.request("POST", "/streams/session/spring/entries", who=DIRECTOR, json=body)
    assert answer.status_code == 201
    (own,) = await client.entries(1)
    assert (own.id, own.data["id"], own.data["recorded_by"]) == (8, ID, "director-1")


class Looks(Queue[Any]):
    """The waits of the writer, with their times, until a `look` for entries of others; `ended`: finished looks."""

    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self.waits_s: list[float] = []
        self.ended = 0
        self._due = 0

    def look(self) -> None:
        self._due += 1

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        if timeout is not None:
            self.ended = len(self.waits_s)
        while block and timeout is not None and not self._due:
            with suppress(Empty):
                return super().get(timeout=0.01)
        if timeout is not None:
            self.waits_s.append(timeout)
            self._due -= 1
        return super().get(block=False)


def test_what_another_process_records_is_heard_at_the_next_look_within_the_promised_time(club: Path) -> None:
    """docs/how-to/live.md promises 0.3 s: the wait for the look, and the gap in which entries are gathered."""

    async def work(at: At) -> None:
        looks = at.served.service.writer._queue
        assert isinstance(looks, Looks)
        client = await at.connect("/live?after=7")
        for position in (8, 9):
            await asyncio.to_thread(add, at.served, "session/spring", NOTE)
            assert at.served.service.visible.head.position == position - 1
            looks.look()
            (heard,) = await client.entries(1)
            assert (heard.id, heard.data["recorded_by"]) == (position, "another-process")
            await asyncio.to_thread(wait_until, lambda: looks.ended == len(looks.waits_s))
        assert len(looks.waits_s) == 2
        assert max(looks.waits_s) + Pace().gap_s < 0.3

    with patch("ledger.service.writer.Queue", Looks), serving(club) as served:
        listen(served, work)


def test_a_position_that_another_process_has_just_recorded_resets_nothing(club: Path) -> None:
    """Its client was at the other process before, and comes before the writer would look by itself."""

    async def work(at: At) -> None:
        await asyncio.to_thread(add, at.served, "session/spring", NOTE, NOTE)
        client = await at.connect("/live", headers={"Last-Event-ID": "8"})
        assert positions(await client.messages(1)) == [9]

    with patch("ledger.service.writer.Queue", Looks), serving(club) as served:
        listen(served, work)


ID = "0193b3c0-0000-7000-8000-000000000001"


@at_socket()
async def test_the_last_event_id_goes_before_the_parameter(at: At) -> None:
    client = await at.connect("/live?after=0", headers={"Last-Event-ID": "5"})
    assert positions(await client.entries(2)) == [6, 7]
    client = await at.connect("/live?after=5")
    assert positions(await client.entries(2)) == [6, 7]
    client = await at.connect("/live?after=5", headers={"Last-Event-ID": ""})
    assert positions(await client.entries(2)) == [6, 7]


@at_socket()
async def test_a_position_beyond_the_head_resets_the_stream_which_goes_on_from_now(at: At) -> None:
    client = await at.connect("/live", headers={"Last-Event-ID": "8"})
    assert await client.message() == Message("reset", None, {})
    assert await client.message() == Message("head", 7, {"position": 7})
    await asyncio.to_thread(add, at.served, "session/spring", NOTE)
    assert positions(await client.entries(1)) == [8]


def add(served: Served, stream: str, *events: dict[str, Any], by: str = "another-process") -> None:
    with ledger.open(served.ledger) as store:
        record(store, stream, *events, by=by)


@at_socket()
async def test_hidden_cards_and_digests_are_heard_by_who_may_see_them_alone(at: At) -> None:
    for_all, seeing = await at.connect("/live?after=0"), await at.connect("/live?after=0", who=SEER)
    seen = {one.id: one.data for one in await for_all.entries(7)}
    whole = {one.id: one.data for one in await seeing.entries(7)}
    assert whole[4]["event"] == OMBRE[2]
    assert seen[4]["event"]["hands"] == [["??"] * 9] * 3
    assert seen[4]["event"]["stock"] == ["??"] * 13
    assert [position for position, one in seen.items() if one["digest"] is None] == [3, 4, 5, 6, 7]
    assert all(one["digest"] for one in whole.values())


@at_socket()
async def test_the_opening_of_a_deal_follows_the_entry_that_opens_it_and_its_cards_can_be_read_then(at: At) -> None:
    client, other = await at.connect("/live?after=6"), await at.connect("/live?streams=table/two")
    await client.entries(1)
    await asyncio.to_thread(add, at.served, "one", OPENED, NOTE)
    assert positions(await client.messages(2)) == [8, 9]
    assert await client.message() == Message("opened", None, {"table": "one", "deal": 1})
    again = await at.connect("/live?after=3")
    heard = await again.messages(6)
    assert heard[0].data["event"] == OMBRE[2]
    assert all(one.data["digest"] for one in heard)
    await asyncio.to_thread(add, at.served, "two", NOTE)
    assert [one.event for one in await other.messages(2)] == ["head", "entry"]


@at_socket()
async def test_a_text_of_an_open_deal_is_heard_by_who_wrote_it_alone(at: At) -> None:
    writer = await at.connect("/live?after=7", who=Grant(token="phone-3", role="recorder", name="Adam"))
    for_all = await at.connect("/live?after=7")
    await asyncio.to_thread(add, at.served, "one", NOTE, by="phone-3/Adam")
    await asyncio.to_thread(add, at.served, "one", NOTE, by="phone-3/Eva")
    assert [one.data["event"]["text"] for one in await writer.entries(2)] == [NOTE["text"], "??"]
    assert [one.data["event"]["text"] for one in await for_all.entries(2)] == ["??", "??"]


def test_a_listener_that_was_away_when_a_deal_opened_is_notified(club: Path) -> None:
    opened = Message("opened", None, {"table": "one", "deal": 1})

    async def work(at: At) -> None:
        first = await at.connect("/live?after=6")
        await first.entries(1)
        first.drop()
        await asyncio.to_thread(add, at.served, "one", OPENED)
        await at.served._level_with(8)
        back = await at.connect("/live?after=7")
        assert [one.event for one in await back.messages(2)] == ["entry", "opened"]
        cut_off_before = await at.connect("/live?after=8")  # it has the entry, but may lack the `opened` that followed
        assert await cut_off_before.message() == opened

    async def work_after_a_restart(at: At) -> None:
        for after in (7, 8):
            client = await at.connect(f"/live?after={after}")
            assert await client.message() == opened
        bystander = await at.connect("/live?after=8&streams=table/two")
        await asyncio.to_thread(add, at.served, "two", NOTE)
        assert positions(await bystander.messages(1)) == [9]

    with serving(club) as served:
        listen(served, work)
    with serving(club) as served_again:
        listen(served_again, work_after_a_restart)


@at_socket()
async def test_streams_are_chosen_by_name(at: At) -> None:
    client = await at.connect("/live?streams=table/two,session/spring&after=0")
    heard = {one.id: one.data["stream"] for one in await client.entries(3)}
    assert heard == {1: "session/spring", 6: "table/two", 7: "table/two"}
    await asyncio.to_thread(add, at.served, "one", NOTE)
    await asyncio.to_thread(add, at.served, "two", NOTE)
    assert positions(await client.entries(1)) == [9]


@at_socket()
async def test_a_table_that_somebody_may_not_see_is_not_there_for_him(at: At) -> None:
    bound = Grant(token="phone-1", role="recorder", tables=("two",))
    for name in ("one", "nowhere"):
        problem = await at.problem(f"/live?streams=table/{name}", who=bound)
        assert (problem["status"], problem["code"]) == (404, "not_found")
        assert problem["detail"] == f"there is no table {name}; the ledger has two"
    assert (await at.problem("/live?streams=session/autumn"))["code"] == "not_found"
    client = await at.connect("/live?after=0", who=bound)
    assert positions(await client.entries(3)) == [1, 6, 7]
    await asyncio.to_thread(add, at.served, "one", NOTE)
    await asyncio.to_thread(add, at.served, "two", NOTE)
    assert positions(await client.entries(1)) == [9]
    assert at.served.service.hub.listening == 1


@at_socket(pace=QUICK)
async def test_programs_hear_lines_of_json(at: At) -> None:
    client = await at.connect("/live?after=6", headers={"Accept": "application/x-ndjson"})
    assert client.headers["content-type"] == "application/x-ndjson"
    assert await client.line() == b""
    envelope = json.loads(await client.line() or b"")
    assert (envelope["position"], envelope["event"]) == (7, CLOSED)
    await asyncio.to_thread(add, at.served, "one", OPENED)
    assert json.loads(await full_line(client))["position"] == 8
    assert json.loads(await full_line(client)) == {"event": "opened", "table": "one", "deal": 1}
    assert await client.line() == b""  # nothing else happens: only the pulse
    reset = await at.connect("/live?after=99", headers={"Accept": "application/x-ndjson"})
    assert [await reset.line() for _ in range(2)] == [b"", b'{"event":"reset"}']


async def full_line(client: Client) -> bytes:
    while (line := await client.line()) == b"":
        pass
    return line or b""


@at_socket()
async def test_a_text_with_line_ends_stays_one_line_of_data(at: At) -> None:
    text = "one\ntwo\r\nthree\rfour\n\nid: 5"
    client = await at.connect("/live?after=7")
    await asyncio.to_thread(add, at.served, "session/spring", {"type": "noted", "text": text})
    assert (await client.block()) == b"retry: 2000"
    block = await client.block()
    assert block is not None
    assert [line.partition(b":")[0] for line in block.split(b"\n")] == [b"id", b"event", b"data"]
    assert b"\r" not in block
    assert json.loads(block.partition(b"data: ")[2])["event"]["text"] == text


@at_socket(pace=QUICK)
async def test_the_head_of_the_log_is_sent_again_and_again(at: At) -> None:
    client = await at.connect("/live?streams=table/two")
    assert [one.id for one in await client.messages(3)] == [7, 7, 7]
    await asyncio.to_thread(add, at.served, "session/spring", NOTE)
    heard = [one async for one in until_head_is(client, 8)]
    assert {one.event for one in heard} == {"head"}


async def until_head_is(client: Client, position: int) -> AsyncIterator[Message]:
    for _ in range(20):
        message = await client.message()
        assert message is not None
        yield message
        if message.id == position:
            return
    raise AssertionError(f"the head never came to {position}")


@at_socket(pace=QUICK)
async def test_the_stream_of_a_revoked_token_ends_at_the_next_ping(at: At) -> None:
    client, other = await at.connect("/live?after=7"), await at.connect("/live?after=7", who=SEER)
    await at.listening(2)
    at.served._access._grants.pop(at.served._access.secret_of(VIEWER))
    while (message := await client.message()) is not None:  # one ping may have come before it was revoked
        assert message == Message("head", 7, {"position": 7})
    assert await other.message() == Message("head", 7, {"position": 7})
    assert at.served.service.hub.listening == 1


@at_socket(pace=QUICK)
async def test_rights_that_have_changed_begin_with_a_new_stream(at: At) -> None:
    client = await at.connect("/live?after=7")
    await at.listening(1)
    at.served._access._grants[at.served._access.secret_of(VIEWER)] = Grant(token="viewer-1", role="viewer", tables=())
    async with asyncio.timeout(PATIENCE_S):
        while (message := await client.message()) is not None:
            assert message.event == "head", "it may have been pinged before the rights were changed"


@at_socket(limits=Limits(grace_s=3_600, ending_s=3_600))
async def test_at_the_end_of_the_service_every_stream_is_notified_and_ends(at: At) -> None:
    pages = [await at.connect("/live?after=7") for _ in range(20)]
    program = await at.connect("/live?after=7", headers={"Accept": "application/x-ndjson"})
    assert await program.line() == b""
    at.server.end()
    for page in pages:
        assert await page.message() == Message("closing", None, {})
        assert await page.message() is None
    assert [await program.line() for _ in range(2)] == [b'{"event":"closing"}', None]
    await at.listening(0)


@at_socket()
async def test_nobody_is_counted_who_has_gone(at: At) -> None:
    clients = [await at.connect("/live") for _ in range(10)]
    await at.listening(10)
    for client in clients[3:]:
        client.drop()
    await at.listening(3)


@at_socket()
async def test_what_can_be_known_without_listening(at: At) -> None:
    client = await at.connect("/live?after=3", method="HEAD", headers={"Connection": "close"})
    assert (client.status, client.headers["content-type"]) == (200, "text/event-stream")
    assert client.headers["trickledger-position"] == "3"
    assert await client._reader.read() == b""
    assert at.served.service.hub.listening == 0


@at_socket()
async def test_a_stream_is_never_what_the_client_has_already(at: At) -> None:
    client = await at.connect("/live?after=6", headers={"If-None-Match": "*"})
    assert client.status == 200
    assert positions(await client.entries(1)) == [7]


@at_socket()
async def test_a_signed_in_browser_has_eight_streams_and_a_token_so_many(at: At) -> None:
    grant = Grant(token="link", role="viewer", name="Eva")
    sessions = {csrf: Session(grant=grant, csrf=csrf, ends_at="2099-01-01T00:00:00.000000Z") for csrf in "ab"}
    at.served._access.session_of = sessions.__getitem__  # type: ignore[attr-defined]
    mine, another = ({"Cookie": f"trickledger={csrf}"} for csrf in sessions)
    for _ in range(8):
        assert (await at.connect("/live", who=None, headers=mine)).status == 200
    problem = await at.problem("/live", who=None, headers=mine)
    assert (problem["status"], problem["code"], problem["limit"]) == (429, "too_many_requests", 8)
    assert problem["detail"] == "8 streams are already open; close one before opening another"
    assert (await at.connect("/live", who=None, headers=another)).status == 200
    with patch.object(hub, "TOKEN_STREAMS", 9):
        assert (await at.problem("/live", who=None, headers=another))["limit"] == 9
        assert (await at.connect("/live", who=SEER)).status == 200
    at._clients[0].drop()
    await at.listening(9)
    assert (await at.connect("/live", who=None, headers=mine)).status == 200


def test_the_program_of_the_documentation_goes_on_where_it_was(served: Served, tmp_path: Path) -> None:
    documentation = (Path(__file__).parents[2] / "docs" / "how-to" / "live.md").read_text()
    program = tmp_path / "follow.py"
    program.write_text(documentation.partition("```python\n")[2].partition("```")[0].replace("sleep(2)", "sleep(0.1)"))

    async def work(at: At) -> None:
        token = served._access.secret_of(VIEWER)
        address = f"http://127.0.0.1:{at.port}"
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(program), address, token, "2", stdout=asyncio.subprocess.PIPE
        )
        assert process.stdout is not None
        lines = [(await process.stdout.readline()).decode().split(" ", 2) for _ in range(5)]
        assert [line[:2] for line in lines] == [
            *([position, "table/one"] for position in "345"),
            *([position, "table/two"] for position in "67"),
        ]
        for connection in at.server.connections.accepted:
            connection.transport.abort()
        await asyncio.to_thread(add, served, "one", OPENED)
        assert (await process.stdout.readline()).startswith(b"8 table/one ")
        served._access._grants.clear()
        for connection in at.server.connections.accepted:
            connection.transport.abort()
        await process.communicate()  # to the end of what it prints, which `wait` would leave open
        assert process.returncode == 1

    listen(served, work)
