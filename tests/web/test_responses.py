"""Our replacements for parts of Starlette: the tree of routes, responses, and streams; no name is an address."""

import asyncio
import re
from collections.abc import AsyncIterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from starlette import datastructures
from starlette.types import Message

from ledger.recording.new_names import RESERVED_SLUGS
from ledger.text.site import files
from ledger.web import (
    handlers,  # noqa: F401 - it declares the routes
    pages,
)
from ledger.web.http.request import Headers
from ledger.web.http.response import Response, StreamResponse
from ledger.web.http.routing import PAGES, PREFIX, ROUTES
from tests.web.lists import rows_of
from tests.web.serving import DIRECTOR, OMBRE, VIEWER, Served, ledger_with, serving

STREAMS = 500
TEMPLATES = Path(files.__file__).parent / "templates"


def test_as_many_streams_as_come_and_go_leave_no_listener(tmp_path: Path) -> None:
    """One token may have 400: with Starlette's response, which keeps its iterator, the next one would get 429."""

    async def listen(served: Served) -> int:
        started, is_gone = asyncio.Event(), asyncio.Event()
        statuses: list[int] = []

        async def receive() -> Message:
            await is_gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            statuses.extend([message["status"]] if "status" in message else [])
            if message.get("body"):
                started.set()
            if is_gone.is_set():
                raise ConnectionResetError

        headers = [(b"host", b"127.0.0.1"), (b"authorization", f"Bearer {served._access.secret_of(VIEWER)}".encode())]
        path = f"{PREFIX}/live"
        scope = {
            "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b"",
            "headers": headers, "server": ("127.0.0.1", 80), "client": ("127.0.0.1", 1234), "scheme": "http",
        }  # fmt: skip
        listening = asyncio.create_task(served.app(scope, receive, send))
        await started.wait()
        assert served.service.hub.listening == 1
        is_gone.set()
        await asyncio.gather(listening, return_exceptions=True)
        return statuses[0]

    async def listen_often(served: Served) -> set[int]:
        return {await listen(served) for _ in range(STREAMS)}

    with serving(ledger_with(tmp_path, {"one": OMBRE})) as served:
        assert served.run(listen_often(served)) == {200}
        assert served.service.hub.listening == 0


@pytest.mark.parametrize(("path", "methods"), rows_of("methods of a path"))
def test_allow_names_all_methods_of_a_path(tmp_path: Path, path: str, methods: str) -> None:
    with serving(ledger_with(tmp_path, {"one": OMBRE})) as served:
        assert served.ask("PATCH", path, who=DIRECTOR).headers["allow"] == methods


def test_a_response_that_is_sent_with_other_headers_stays_as_it_is() -> None:
    response = Response({"a": 1}, headers={"link": "</x>"})
    sent = response.with_headers({"link": "</y>", "etag": '"1"'}, ["a=b; Path=/"])
    assert dict(response.headers) == {"link": "</x>", "content-type": "application/json", "content-length": "7"}
    assert dict(sent.headers) == {**response.headers, "etag": '"1"', "set-cookie": "a=b; Path=/"}
    assert sent.body == b'{"a":1}'


def test_what_cannot_stand_in_a_header_begins_no_other_one() -> None:
    assert Response(headers={"location": "/\r\nset-cookie: a=b"}).headers["location"] == "/??set-cookie: a=b"


def test_the_content_type_is_sent_as_it_is_named() -> None:
    assert Response(b"", media_type="text/csv").headers["content-type"] == "text/csv"
    assert "content-type" not in Response(status_code=204).headers


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_stream_that_nobody_takes_is_let_go(method: str) -> None:
    async def pieces(ended: list[bool]) -> AsyncIterator[bytes]:
        try:
            yield b"one"
            yield b"two"
        finally:
            ended.append(True)

    async def never() -> Any:
        raise AssertionError("only the stream itself may read")

    async def send(message: Message) -> None:
        if message.get("body"):
            raise ConnectionResetError

    async def work() -> list[bool]:
        ended: list[bool] = []
        stream = pieces(ended)
        await anext(stream)
        response = StreamResponse(stream, {}, "text/plain")
        await asyncio.gather(response({"type": "http", "method": method}, never, send), return_exceptions=True)
        return ended

    assert asyncio.run(work()) == [True]


def test_a_template_is_named_after_the_page_that_shows_it() -> None:
    """Parts are in folders, or included by other templates only."""
    shown = {
        (module.stem, name)
        for module in Path(pages.__file__).parent.glob("*.py")
        for name in re.findall(r'"([a-z_/]+)\.html"', module.read_text(encoding="utf-8"))
    }
    assert shown
    assert [(page, name) for page, name in sorted(shown) if "/" not in name and not name.startswith(page)] == []
    assert [name for _, name in sorted(shown) if not (TEMPLATES / f"{name}.html").is_file()] == []


def test_headers_are_looked_up_as_starlette_does_it() -> None:
    raw = [(b"host", b"one"), (b"cookie", b"a=1"), (b"cookie", b"b=2")]
    ours, starlettes = Headers(raw), datastructures.Headers(raw=raw)
    for name in ("host", "cookie", "accept"):
        assert ours.get(name) == starlettes.get(name)
        assert ours.getlist(name) == starlettes.getlist(name)
    assert list(ours) == list(starlettes)


_PARAMETER = re.compile(r"\{(\w+)\}(\.\w+)?")
NO_NAMES = {("step", "last"), ("step", "readings"), ("version", "close")}
"""Steps and versions are numbers."""


def _shared_address(path: str, other: str) -> set[tuple[str, str]]:
    """Return the parameters with which two paths have the same address; none if there are none."""
    values: set[tuple[str, str]] = set()
    segments, others = path.split("/"), other.split("/")
    if len(segments) != len(others):
        return set()
    for pair in zip(segments, others, strict=True):
        parameters = [_PARAMETER.fullmatch(segment) for segment in pair]
        if all(parameters) or pair[0] == pair[1]:
            continue
        (parameter, word) = (parameters[0], pair[1]) if parameters[0] else (parameters[1], pair[0])
        if parameter is None or not word.endswith(parameter[2] or ""):
            return set()
        values.add((parameter[1], word))
    return set() if values & NO_NAMES else values


def test_no_stream_and_no_player_has_the_address_of_another_page() -> None:
    matches: set[tuple[str, str]] = set()
    for routes in (ROUTES, PAGES):
        for path, other in combinations({one.path for one in routes}, 2):
            matches |= _shared_address(path, other)
    assert matches == {("table", slug) for slug in RESERVED_SLUGS}
