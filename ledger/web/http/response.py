"""Responses: Starlette's with JSON by msgspec, streams, `Link` headers (RFC 8288), and pages of lists."""

from __future__ import annotations

import asyncio
import re
from base64 import b64decode, urlsafe_b64encode
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from typing import Annotated, Any, Final, TypeVar
from urllib.parse import parse_qsl, quote, urlencode

from msgspec import Meta, Struct, json
from starlette import responses
from starlette.types import Receive, Scope, Send

from ledger.errors import MalformedError
from ledger.web.catalogue import phrase
from ledger.web.http.request import Request
from ledger.web.http.routing import JSON, PREFIX

_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f]")
_WITHOUT_BODY: Final = (204, 304)
_DESCRIPTION: Final = f"{PREFIX}/openapi.json"
_IN_QUERIES: Final = "=&%+-._~:/?,@"
_AS_OF: Final = "as_of"

Row = TypeVar("Row")


class Response(responses.Response):
    """Starlette's response with any value as JSON, and the content type exactly as named.

    One response may answer several requests, so it is never changed. `cookies`: values of `Set-Cookie`, which Starlette
    would write in another order and in lower case.
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
        """Return a copy with these headers added; headers of its own take precedence."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        own = dict(self.raw_headers)
        added = [header_line(name, value) for name, value in headers.items() if name.encode() not in own]
        other.raw_headers = added + self.raw_headers
        if cookies:
            other.raw_headers += [header_line("set-cookie", one) for one in cookies]
        return other

    async def aclose(self) -> None:
        """Release the source of the content if it is not sent."""


class StreamResponse(Response):
    """A response sent in pieces. Starlette's own never closes its iterator when the client goes, and reads `receive`,
    which a live stream watches itself.

    `ends_anywhere`: it may end with the service; any other is complete or visibly broken off.
    """

    def __init__(
        self, pieces: AsyncIterator[bytes], headers: Mapping[str, str], media_type: str, *, ends_anywhere: bool = False
    ) -> None:
        self._pieces = pieces
        self._ends_anywhere = ends_anywhere
        super().__init__(None, 200, headers, media_type)

    def init_headers(self, headers: Mapping[str, str] | None = None) -> None:
        super().init_headers(headers)
        self.raw_headers.pop()  # the length is unknown

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
    """Return a header as it is sent, with `?` for control characters: a line break would begin another header."""
    if not value.isprintable():
        value = _CONTROLS.sub("?", value)
    return name.encode(), value.encode("latin-1", "replace")


def linked(request: Request, *alternates: tuple[str, str], **relations: str | None) -> dict[str, str]:
    """Return the `Link` header with the answer itself, its description, `relations`, and alternates as address and
    media type.

    Relations without an address are left out; for an answer with `as_of`, `latest` is the same without it.
    """
    parameters = _parameters(request)
    if _AS_OF in parameters:
        now = {name: value for name, value in parameters.items() if name != _AS_OF}
        relations.setdefault("latest", _address(request.path, now))
    links = [_link(itself(request), "self")]
    links += [_link(address, relation) for relation, address in relations.items() if address is not None]
    links += [f'{_link(address, "alternate")}; type="{media}"' for address, media in alternates]
    links.append(_link(_DESCRIPTION, "describedby"))
    return {"link": ", ".join(links)}


def in_languages(*languages: str) -> dict[str, str]:
    """Return the `Content-Language` header of an answer that has texts in these languages, each named once."""
    return {"content-language": ", ".join(dict.fromkeys(languages))}


def itself(request: Request) -> str:
    """Return the requested address, quoted for a header."""
    path, query = quote(request.path), request.query_string
    return f"{path}?{quote(query, safe=_IN_QUERIES)}" if query else path


def related_address(request: Request, path: str, *, without: str = "") -> str:
    """Return the address of another path with the parameters of this request, without the one that it does not take."""
    parameters = _parameters(request)
    parameters.pop(without, None)
    return _address(PREFIX + path, parameters)


def further(request: Request, **parameters: object) -> str:
    """Return the address of the same path with these parameters added or changed."""
    return _address(request.path, _parameters(request) | {name: str(value) for name, value in parameters.items()})


def _parameters(request: Request) -> dict[str, str]:
    return dict(parse_qsl(request.query_string.decode("ascii"), keep_blank_values=True)) if request.query_string else {}


def _address(path: str, parameters: dict[str, str]) -> str:
    return f"{quote(path)}?{urlencode(parameters)}" if parameters else quote(path)


def _link(address: str, relation: str) -> str:
    return f'<{address}>; rel="{relation}"'


Limit = Annotated[int, Meta(ge=1, le=1_000)]


class Paging(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`limit`: the length of a page. `after`: the value in the link to the next page."""

    limit: Limit = 100
    after: str | None = None


def paged(request: Request, rows: Sequence[Row], key: Callable[[Row], str]) -> Response:
    """Return one page of a list, whose rows have different keys."""
    page, following = page_of(request, rows, key)
    return Response(list(page), headers=linked(request, next=following))


def page_of(request: Request, rows: Sequence[Row], key: Callable[[Row], str]) -> tuple[Sequence[Row], str | None]:
    """Return the rows of the requested page, and the address of the next page, if any.

    An `after` whose row is gone gives an empty page.
    """
    query = request.query
    first = 0
    if query.after is not None:
        try:
            last = b64decode(query.after + "=" * (-len(query.after) % 4), altchars=b"-_", validate=True).decode()
        except ValueError:
            raise MalformedError(phrase("not_after"), text=query.after[:200], field="after") from None
        first = next((place + 1 for place, row in enumerate(rows) if key(row) == last), len(rows))
    end = first + query.limit
    page = rows[first:end]
    if end >= len(rows):
        return page, None
    return page, further(request, after=urlsafe_b64encode(key(page[-1]).encode()).decode().rstrip("="))
