"""Sends one answer: its headers, those that every answer has, and its body as a whole or piece by piece."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping
from contextlib import nullcontext, suppress
from typing import Any, Final, TypeAlias

from msgspec import json, structs

from ledger.web.http.request_log import Logged
from ledger.web.http.routing import Answer

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_SECURITY: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-robots-tag", b"noindex"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        b"manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
)
_FOR_DOCUMENTS: Final = ((b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),)
_FOR_TRUSTED_ORIGINS: Final = ((b"cross-origin-opener-policy", b"same-origin"),)
"""What browsers heed on https and on the machine itself; elsewhere they write on the console that they do not."""

_PARTS: Final = ("text/css", "text/javascript")
"""What a page loads twenty of: it opens no window, and asks for no camera."""

_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f]")
VARY: Final = (b"vary", b"Accept, Accept-Language, Authorization, Cookie")


class Telling:
    """Sends one answer."""

    def __init__(self, send: Send, *, is_head: bool, is_trusted: bool, logged: Logged) -> None:
        self._send = send
        self._is_head = is_head
        self._of_documents = (*_FOR_DOCUMENTS, *_FOR_TRUSTED_ORIGINS) if is_trusted else _FOR_DOCUMENTS
        self._logged = logged
        self.has_begun = False

    async def tell(self, answer: Answer, extra: Mapping[str, str]) -> None:
        answer = written_out(answer)
        content: bytes = answer.body or b""
        told = answer.headers.keys()
        of_documents = () if answer.media_type.startswith(_PARTS) else self._of_documents
        headers = [one for one in (VARY, *_SECURITY, *of_documents) if one[0].decode() not in told]
        headers += [header_line(name, value) for name, value in {**extra, **answer.headers}.items()]
        headers += [header_line("set-cookie", one) for one in answer.cookies]
        if answer.status not in (204, 304):
            headers.append((b"content-type", answer.media_type.encode()))
            if answer.pieces is None:
                headers.append((b"content-length", str(len(content)).encode()))
        self.has_begun = True
        self._logged.status = answer.status
        self._logged.size_bytes = len(content)
        try:
            await self._send({"type": "http.response.start", "status": answer.status, "headers": headers})
            if answer.pieces is not None and not self._is_head:
                with suppress(asyncio.CancelledError) if answer.ends_anywhere else nullcontext():
                    async for piece in answer.pieces:
                        self._logged.size_bytes += len(piece)
                        await self._send({"type": "http.response.body", "body": piece, "more_body": True})
                content = b""
        finally:
            await done_with(answer.pieces)
        await self._send({"type": "http.response.body", "body": b"" if self._is_head else content})


def header_line(name: str, value: str) -> tuple[bytes, bytes]:
    """A header as it is sent, what cannot stand in one as `?`: a line break would begin another header."""
    return name.encode(), _CONTROLS.sub("?", value).encode("latin-1", "replace")


async def done_with(pieces: AsyncIterator[bytes] | None) -> None:
    """Lets go of what stands behind pieces, also where nobody took them."""
    close = getattr(pieces, "aclose", None)
    if close is not None:
        await close()


def written_out(answer: Answer) -> Answer:
    """The answer with its body as bytes."""
    if answer.pieces is not None or answer.body is None or isinstance(answer.body, bytes):
        return answer
    return structs.replace(answer, body=json.encode(answer.body))
