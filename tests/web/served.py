"""Servers in processes of their own: of an app of a few lines (`bare_server`), or of a ledger."""

import json
import os
import signal
import socket
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from ledger.access.base import NewToken
from ledger.access.grants import Role
from ledger.access.stores import open_access
from ledger.web import handlers  # noqa: F401 - each module declares its routes
from ledger.web.http.openapi import Example, story
from ledger.web.http.routing import JSON, PREFIX, ROUTES
from tests.patience import PATIENCE_S
from tests.web import bare_server
from tests.web.at_hand import started
from tests.web.crowd_of_clients import Server


class Served(NamedTuple):
    process: ForkServerProcess
    log: Path
    port: int
    metrics_port: int
    opened: list[socket.socket]

    def connect(self, data: bytes = b"", *, room_bytes: int | None = None) -> socket.socket:
        """Open a connection. `room_bytes`: the receive buffer."""
        made = socket.socket()
        self.opened.append(made)
        if room_bytes is not None:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room_bytes)
        made.settimeout(PATIENCE_S)
        made.connect(("127.0.0.1", self.port))
        made.sendall(data)
        return made

    def ask(self, data: bytes) -> bytes:
        with self.connect(data) as connection:
            return all_of(connection)

    def get(self, path: str, *headers: str) -> bytes:
        lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close", *headers, "", ""]
        return self.ask("\r\n".join(lines).encode())

    def end(self, number: int = signal.SIGTERM) -> list[str]:
        """End it by a signal; return the events of its log."""
        assert self.process.pid is not None
        os.kill(self.process.pid, number)
        self.process.join(PATIENCE_S)
        assert not self.process.is_alive()
        return self.events()

    def events(self) -> list[str]:
        return [json.loads(line)["event"] for line in self.log.read_text().splitlines()]

    def holds(self, client: socket.socket) -> bool:
        """Return whether its end of the connection is still open, which the client may not notice."""
        ends = f":{self.port:04X} ", f":{client.getsockname()[1]:04X} "
        lines = Path(f"/proc/{self.process.pid}/net/tcp").read_text().splitlines()
        return any(ends[0] in one[:20] and ends[1] in one[20:34] and one[34:36] == "01" for one in lines)


def all_of(connection: socket.socket) -> bytes:
    received = b""
    while data := connection.recv(65536):
        received += data
    return received


def heard(connection: socket.socket) -> bool:
    """Return whether the app's short answer has arrived; the connection stays open."""
    received = b""
    while not received.endswith(b"here"):
        if not (data := connection.recv(65536)):
            return False
        received += data
    return True


def problem(answer: bytes) -> dict[str, Any]:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json" in head
    content: dict[str, Any] = json.loads(body)
    return content


@contextmanager
def served(*, tls: tuple[Path, Path] | None = None, files: int | None = None, **limits: float) -> Iterator[Served]:
    """Serve. `files`: the limit of open files."""
    with TemporaryDirectory() as folder:
        log = Path(folder, "log")
        process, out = started(bare_server.run, limits, tls, files, log=log)
        opened: list[socket.socket] = []
        try:
            with out, open(out.fileno(), closefd=False) as lines:
                port, metrics_port = map(int, lines.readline().split())
                yield Served(process, log, port, metrics_port, opened)
        finally:
            for connection in opened:
                connection.close()
            process.kill()
            process.join()


class Running(NamedTuple):
    address: str
    ledger: Path
    log: Path

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None, **headers: str) -> Any:
        fields = dict(headers)
        if token is not None:
            fields["Authorization"] = f"Bearer {token}"
        if body is not None:
            fields.setdefault("Content-Type", JSON)
        content = None if body is None else body.encode() if isinstance(body, str) else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}{PREFIX}{path}", content, fields, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            content = answer.read()
            return json.loads(content) if answer.headers.get_content_type() == JSON else content

    def faults(self) -> list[dict[str, Any]]:
        lines = map(json.loads, self.log.read_text(encoding="utf-8").splitlines())
        return [line for line in lines if line["event"] == "fault" or line.get("status") == 500]


@contextmanager
def running(path: Path, *words: object) -> Iterator[Running]:
    """Serve a ledger at a free port until the end of the block."""
    server = Server(path, *map(str, words))
    try:
        yield Running(f"http://127.0.0.1:{server.port}", path, server.log)
    finally:
        server.close()


def token_for(path: Path, role: Role) -> str:
    with open_access(path) as access:
        return access.add_token(NewToken(id=f"the-{role}", role=role)).secret


def run_story(service: Running, token: str) -> None:
    """Send the recording examples, so that the reading ones find their data."""
    for one in story():
        route = next(route for route in ROUTES if route.name == one.route)
        if route.method == "POST" and one.status in (200, 201) and route.path != "/query":
            service.ask(route.method, where(one), one.body, token, **{"Content-Type": one.content_type})


def where(example: Example) -> str:
    route = next(route for route in ROUTES if route.name == example.route)
    query = "&".join(f"{name}={value}" for name, value in example.query.items())
    return route.path.format(**example.path) + (f"?{query}" if query else "")
