"""A server process that may be killed and restarted, writers that repeat until they are answered, and listeners."""

import asyncio
import json
import random
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from ledger.events import Noted, TableOpened
from ledger.games import game_named
from ledger.log.append_rules import new_id
from ledger.recording.simulate import PLAYERS, simulate_table
from ledger.streams import TABLE
from ledger.web.http.routing import PREFIX
from tests.covering import IS_SOAK
from tests.patience import PATIENCE_S
from tests.web.at_hand import command, started
from tests.web.following import Client

LOST: Final = (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError)
"""The errors of a client whose server has gone."""

GAMES: Final = ("kop", "ombre", "quadrille", "couillon")
_AGAIN_S: Final = 0.03
_BETWEEN_ACTS_S: Final = 0.0 if IS_SOAK else 0.01
"""The rest of a writer between two acts; in a soak run all write as fast as they can."""


PORTS: Final = range(20_000, 32_000)
"""Ports that the system does not hand out by itself, so that nobody takes one while the server is down."""


def free_port() -> int:
    while True:
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", port := random.SystemRandom().choice(PORTS)))
            return port


class Server:
    """`trickledger serve` at one port, in successive processes; its log goes to a file."""

    def __init__(
        self,
        ledger: str | Path,
        *words: str,
        log: Path | None = None,
        run: Callable[..., None] = command,
        **environment: str,
    ) -> None:
        """`run`: the function that runs the command in each process."""
        self.ledger = ledger
        self.port = free_port()
        self.log = log or Path(ledger).with_suffix(".log")
        self._environment = environment
        self._work = (run, *("--ledger", str(ledger)), *("serve", "--port", str(self.port)), *words)
        self.start()

    def start(self) -> None:
        """Start a process and wait until it answers."""
        self.process, self._out = started(*self._work, log=self.log, **self._environment)
        with open(self._out.fileno(), "rb", closefd=False) as lines:
            assert any(b"Ctrl-C" in line for line in lines), self.log.read_text()

    def kill(self) -> None:
        self.process.kill()
        self._wait()

    def end(self) -> None:
        self.process.terminate()
        self._wait()

    def _wait(self) -> None:
        self.process.join(PATIENCE_S)
        assert not self.process.is_alive()
        self._out.close()

    def close(self) -> None:
        self.process.kill()
        self._wait()

    def logged(self) -> list[dict[str, Any]]:
        """Return the log of all processes; the last line of a killed one may be cut."""
        lines = []
        for line in self.log.read_text().splitlines():
            try:
                lines.append(json.loads(line))
            except ValueError:
                assert not line.startswith("Traceback"), self.log.read_text()
        return lines


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: Any


class Asker:
    """A client of one server at a time, of the next one after it has lost one."""

    def __init__(self, servers: Iterator[Server]) -> None:
        self._servers = servers
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> Answer:
        """Send a request. Raise one of `LOST` without a complete answer."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await self._ask(method, path, body)
        except LOST:
            self.close()
            raise

    async def _ask(self, method: str, path: str, body: Any) -> Answer:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", next(self._servers).port)
        reader, writer = self._streams
        content = b"" if body is None else msgspec.json.encode(body)
        lines = [f"{method} {PREFIX}{path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(content)}"]
        if body is not None:
            lines.append("Content-Type: application/json")
        writer.write("\r\n".join([*lines, "", ""]).encode() + content)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
        content = await reader.readexactly(int(headers["content-length"]))
        if headers.get("connection") == "close":
            self.close()
        return Answer(int(head[0].split()[1]), headers, json.loads(content) if content else None)

    async def record(self, stream: str, *events: Any, ids: list[str] | None = None, **more: Any) -> Answer:
        """Record an event: an opening by its own route, all others as entries of the stream."""
        if isinstance(events[0], TableOpened):
            slug = TABLE.slug(stream)
            return await self.ask("POST", "/tables", {"id": (ids or [new_id()])[0], "slug": slug, "event": events[0]})
        entries = [{"id": id, "event": one} for id, one in zip(ids or [new_id() for _ in events], events, strict=True)]
        return await self.ask("POST", f"/streams/{stream}/entries", {"entries": entries, **more})

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].transport.abort()
            self._streams = None


class Crowd:
    """Writers and listeners, who go to the next server when they lose one.

    `acknowledged`: the position of each entry by its id, as answered. `heard`: for each listener, position and id of
    the entries in order of arrival. `last_events`: the kind of the last message of each listener.
    """

    def __init__(self, server: Server, boards: list[str], seed: int, *others: Server) -> None:
        """`boards`: open tables at which all writers add notes."""
        self.acknowledged: dict[str, int] = {}
        self.retries = 0
        self.heard: list[list[tuple[int, str]]] = []
        self.last_events: dict[int, str] = {}
        self._servers = (server, *others)
        self._boards = boards
        self._seed = seed
        self._is_over = False
        self._gives_up = False

    def begin(self, writers: int, listeners: int) -> None:
        self._writing = [asyncio.create_task(self._write(number)) for number in range(writers)]
        self.heard = [[] for _ in range(listeners)]
        self._listening = [asyncio.create_task(self._listen(number)) for number in range(listeners)]

    async def writers_done(self) -> None:
        """Wait until each writer has the answer to its last request."""
        self._is_over = True
        await asyncio.wait_for(asyncio.gather(*self._writing), PATIENCE_S)

    async def heard_up_to(self, position: int) -> None:
        """Wait until each listener has received the entry at the position; one of them must receive something soon."""
        while any(not heard or heard[-1][0] < position for heard in self.heard):
            received = sum(map(len, self.heard))
            async with asyncio.timeout(PATIENCE_S):
                while sum(map(len, self.heard)) == received:
                    self._raise()
                    await asyncio.sleep(0.02)

    async def recorded(self, count: int) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while len(self.acknowledged) < count:
                self._raise()
                await asyncio.sleep(0.01)

    def give_up_when_gone(self) -> None:
        """Stop clients that lose the server from now on."""
        self._gives_up = True

    async def all_gone(self) -> None:
        await asyncio.wait_for(asyncio.gather(*self._writing, *self._listening), PATIENCE_S)

    async def close(self) -> None:
        for task in (*self._writing, *self._listening):
            task.cancel()
        await asyncio.gather(*self._writing, *self._listening, return_exceptions=True)

    def _raise(self) -> None:
        for task in (*self._writing, *self._listening):
            if task.done() and (error := task.exception()) is not None:
                raise error

    def _in_turn(self, number: int) -> Iterator[Server]:
        return islice(cycle(self._servers), number % len(self._servers), None)

    async def _write(self, number: int) -> None:
        asker = Asker(self._in_turn(number))
        chance = random.Random(f"{self._seed} {number}")
        table = f"table/own-{number}"
        acts = _acts(GAMES[number % len(GAMES)], f"own-{number}")
        for count, event in enumerate(acts):
            if self._is_over:
                break
            as_played = bool(number % 2)
            await self._record(asker, table, event, as_played)
            if count % 3 == 0:
                await self._record(asker, chance.choice(self._boards), Noted(text=f"{number} {count}"), as_played)
            await asyncio.sleep(_BETWEEN_ACTS_S)
        asker.close()

    async def _record(self, asker: Asker, stream: str, event: Any, as_played: bool) -> None:
        id = new_id()
        tries = 0
        while True:
            tries += 1
            try:
                answer = await asker.record(stream, event, ids=[id], as_played=as_played)
            except LOST:
                self.retries += 1
                answer = None
            if answer is None or answer.status == 503:
                assert answer is None or answer.body["code"] in ("closing", "busy"), answer
                if self._gives_up:
                    self._is_over = True
                    return
                await asyncio.sleep(_AGAIN_S)
                continue
            assert answer.status == 201 or (tries > 1 and answer.status == 200), answer
            assert answer.body["ids"] == [id]
            self.acknowledged[id] = answer.body["first_position"]
            return

    async def _listen(self, number: int) -> None:
        heard = self.heard[number]
        for server in self._in_turn(number):
            with suppress(LOST):
                await self._follow(number, heard, server)
            if self._gives_up:
                return
            await asyncio.sleep(_AGAIN_S)

    async def _follow(self, number: int, heard: list[tuple[int, str]], server: Server) -> None:
        client = Client(*await asyncio.open_connection("127.0.0.1", server.port, limit=1 << 20))
        try:
            last = [f"Last-Event-ID: {heard[-1][0]}"] if heard else []
            await client.begin("\r\n".join([f"GET {PREFIX}/live?after=0 HTTP/1.1", "Host: 127.0.0.1", *last, "", ""]))
            while (message := await client.message()) is not None:
                self.last_events[number] = message.event
                assert message.event in ("entry", "opened", "head", "closing"), message
                if message.event == "entry":
                    assert message.id == message.data["position"]
                    heard.append((message.id, message.data["id"]))
        finally:
            client.drop()


def _acts(game: str, slug: str) -> Iterator[Any]:
    """Yield the events of a table from its opening on, more than any test needs."""
    rules = game_named(game)
    players = PLAYERS[: 3 if game == "ombre" else 4]
    yield from islice(simulate_table(rules, players, {}, 300, 1, slug, closed=False), 20_000)
