"""`trickledger serve` in a process of its own, and programs of others as its clients."""

import json
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ledger.access.base import NewToken
from ledger.access.grants import Role
from ledger.access.stores import open_access
from ledger.web import handlers  # noqa: F401 - each module declares its routes
from ledger.web.http.openapi import Example, story
from ledger.web.http.routing import JSON, PREFIX, ROUTES
from tests.patience import PATIENCE_S
from tests.web.crowd_of_clients import Server


class Running(NamedTuple):
    address: str
    ledger: Path
    process: subprocess.Popen[bytes]
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
        yield Running(f"http://127.0.0.1:{server.port}", path, server.process, server.log)
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
