"""Responses: Starlette's, written as JSON by msgspec, and the one for streams."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from typing import Any, Final

from msgspec import json
from starlette import responses
from starlette.types import Receive, Scope, Send

from ledger.web.http.routing import JSON

_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f]")
_WITHOUT_BODY: Final = (204, 304)


class Response(responses.Response):
    """Starlette's response, with any value as JSON, and the content type exactly as it is named.

    Several requests may be answered with one response: it is not changed once it is made. `cookies`: values of
    `Set-Cookie`, which Starlette would write in another order and in small letters.
    """

    media_type: str = JSON

    def __init__(
        self,
        content: Any = None,
        status_code: int = 200,
        headers: Mapping[str, str] | None = None,
        media_type: str | None = None,
        *,
        cookies: Sequence[str] = (),
    ) -> None:
        super().__init__(content, status_code, headers, media_type)
        self.raw_headers += [header_line("set-cookie", one) for one in cookies]

    def render(self, content: Any) -> bytes:
        if isinstance(content, bytes):
            return content
        return b"" if content is None else json.encode(content)

    def init_headers(self, headers: Mapping[str, str] | None = None) -> None:
        self.raw_headers = [header_line(name, value) for name, value in (headers or {}).items()]
        if self.status_code not in _WITHOUT_BODY:
            self.raw_headers.append((b"content-type", self.media_type.encode()))
            self.raw_headers.append((b"content-length", str(len(self.body)).encode()))

    def with_headers(self, headers: Mapping[str, str], cookies: Sequence[str] = ()) -> Response:
        """Return a copy with these headers besides its own, which go before them."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        own = dict(self.raw_headers)
        added = [header_line(name, value) for name, value in headers.items() if name.encode() not in own]
        other.raw_headers = added + self.raw_headers
        if cookies:
            other.raw_headers += [header_line("set-cookie", one) for one in cookies]
        return other

    async def aclose(self) -> None:
        """Let go of what stands behind the content, where it is not sent."""


class StreamResponse(Response):
    """A response piece by piece. Starlette's own never closes its iterator when the client goes, and reads `receive`,
    which a live stream watches itself.

    `ends_anywhere`: it may end when the service does; any other is whole or visibly broken off.
    """

    def __init__(
        self, pieces: AsyncIterator[bytes], headers: Mapping[str, str], media_type: str, *, ends_anywhere: bool = False
    ) -> None:
        self._pieces = pieces
        self._ends_anywhere = ends_anywhere
        super().__init__(None, 200, headers, media_type)

    def init_headers(self, headers: Mapping[str, str] | None = None) -> None:
        super().init_headers(headers)
        self.raw_headers.pop()  # how long it will be nobody knows

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            if scope["method"] != "HEAD":
                with suppress(asyncio.CancelledError) if self._ends_anywhere else nullcontext():
                    async for piece in self._pieces:
                        await send({"type": "http.response.body", "body": piece, "more_body": True})
        finally:
            await self.aclose()
        await send({"type": "http.response.body", "body": b""})

    async def aclose(self) -> None:
        close = getattr(self._pieces, "aclose", None)
        if close is not None:
            await close()


def header_line(name: str, value: str) -> tuple[bytes, bytes]:
    """Return a header as it is sent, what cannot stand in one as `?`: a line break would begin another header."""
    if not value.isprintable():
        value = _CONTROLS.sub("?", value)
    return name.encode(), value.encode("latin-1", "replace")
