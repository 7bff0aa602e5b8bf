"""Requests to an ASGI application in this process, and its complete answers; also for httpx.

`httpx.ASGITransport` looks for an event loop that is not installed in all of the path, at each request: an eighth of
the time of a test with thousands of requests.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

import httpx

Message = MutableMapping[str, Any]


class InProcess(httpx.AsyncBaseTransport):
    """A transport that raises the exceptions of the application."""

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self.app = app

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        status, headers, content = await answer_of(self.app, scope_of(request), await request.aread())
        content = b"" if request.method == "HEAD" else content
        return httpx.Response(status, headers=headers, stream=httpx.ByteStream(content))


async def answer_of(
    app: Callable[..., Awaitable[None]], scope: Mapping[str, Any], content: bytes
) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    """Return status, headers and body of the answer of an ASGI application to a request with this body."""
    incoming = [{"type": "http.request", "body": content, "more_body": False}]
    outgoing: list[Message] = []
    is_whole = asyncio.Event()

    async def receive() -> Message:
        if incoming:
            return incoming.pop()
        await is_whole.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        assert not is_whole.is_set(), "it goes on after its end"
        outgoing.append(message)
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            is_whole.set()

    await app(scope, receive, send)
    assert is_whole.is_set(), "the answer has no end"
    start, *parts = outgoing
    assert start["type"] == "http.response.start"
    return start["status"], start.get("headers", []), b"".join(part.get("body", b"") for part in parts)


def scope_of(request: httpx.Request) -> dict[str, Any]:
    url = request.url
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "scheme": url.scheme,
        "path": url.path,
        "raw_path": url.raw_path.partition(b"?")[0],
        "query_string": url.query,
        "server": (url.host, url.port),
        "client": ("127.0.0.1", 123),
        "root_path": "",
    }
