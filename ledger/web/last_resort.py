"""Problems (RFC 9457) that are answered where no route can: of a request that is none, that came too slowly or too
large, or at which the app failed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from ledger.i18n import LANGUAGES
from ledger.web.words import label

LastCode: TypeAlias = Literal["not_http", "request_timeout", "headers_too_large", "busy", "closing", "internal"]
Header: TypeAlias = tuple[bytes, bytes]

_STATUSES: Final[dict[LastCode, int]] = {
    "not_http": 400,
    "request_timeout": 408,
    "headers_too_large": 431,
    "internal": 500,
    "busy": 503,
    "closing": 503,
}
_AGAIN: Final[tuple[Header, ...]] = ((b"retry-after", b"2"),)


class LastProblem(Struct, frozen=True, omit_defaults=True):
    """The members that every problem has, and the limit that was exceeded."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: LastCode
    limit: int | None = None


class LastAnswer(Struct, frozen=True):
    status: int
    headers: tuple[Header, ...]
    body: bytes

    def as_http(self, headers: Iterable[Header] = ()) -> bytes:
        """The answer as bytes of HTTP/1.1, with which the connection ends."""
        first = f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}\r\n".encode()
        lines = [name + b": " + value + b"\r\n" for name, value in (*headers, *self.headers)]
        return b"".join((first, *lines, b"\r\n", self.body))


def last_answer(code: LastCode, *, headers: Sequence[Header], path: str, limit: int | None = None) -> LastAnswer:
    """`headers`: those of the request, as far as they came; `path`: without what was asked there."""
    lang = _language(headers)
    status = _STATUSES[code]
    problem = LastProblem(
        type=f"/problems/{code}",
        title=label(lang, f"title.{code}"),
        status=status,
        detail=label(lang, f"detail.{code}"),
        instance=path or "/",
        code=code,
        limit=limit,
    )
    body = msgspec.json.encode(problem)
    return LastAnswer(
        status,
        (
            (b"content-type", b"application/problem+json"),
            (b"content-length", str(len(body)).encode()),
            (b"content-language", lang.encode()),
            (b"cache-control", b"no-store"),
            (b"x-content-type-options", b"nosniff"),
            (b"connection", b"close"),
            *(_AGAIN if status == 503 else ()),
        ),
        body,
    )


def _language(headers: Sequence[Header]) -> str:
    """The first language of `Accept-Language` that there is; its weights are left to routes."""
    wished = b",".join(value for name, value in headers if name == b"accept-language").decode("latin-1").lower()
    for part in wished.split(","):
        lang = part.split(";")[0].split("-")[0].strip()
        if lang in LANGUAGES:
            return lang
    return next(iter(LANGUAGES))
