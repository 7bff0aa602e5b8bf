"""Requests: Starlette's request with query, body and other parts parsed as the route declares."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, Final, get_origin
from urllib.parse import parse_qsl

import msgspec
from msgspec import Struct, structs
from starlette import datastructures, requests
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope

from ledger.access.grants import Grant
from ledger.errors import MalformedError, listed
from ledger.i18n import LANGUAGES
from ledger.service.running import Service
from ledger.service.visibility import VisibleHead
from ledger.validation import malformed
from ledger.web.catalogue import phrase
from ledger.web.http.auth import CSRF_HEADER, check_csrf
from ledger.web.http.problems import WebError, web_error
from ledger.web.http.routing import JSON, NoQuery, Route

_LANGUAGE: Final = "lang"
_DIGITS: Final = 18
_NO_QUERY: Final = NoQuery()


class Headers(datastructures.Headers):
    """Starlette's headers with a dictionary of the first value of each name: most lookups find nothing."""

    def __init__(self, raw: list[tuple[bytes, bytes]]) -> None:
        self._list = raw
        self._first = dict(reversed(raw))

    def get(self, key: str, default: Any = None) -> Any:
        value = self._first.get(key.encode())
        return default if value is None else value.decode("latin-1")

    def getlist(self, key: str) -> list[str]:
        return super().getlist(key) if key.encode() in self._first else []


class Request(requests.Request):
    """Starlette's request with its parsed parts. `peer`: the address of the client.

    `visible`: the visible head, constant for the whole answer. `rests_on`: the counts of the answer's sources at that
    head; empty without an entity tag. `query_lang`: the language in the query. `lang`: that of the answer, empty until
    it is known. `data`: the parsed body, and `data_bytes` its size.
    """

    route: Route
    grant: Grant
    peer: str
    csrf: str | None = None
    query: Any = None
    query_lang: str | None = None
    lang = ""
    data: Any = None
    data_bytes = 0
    media = JSON
    rests_on = ""

    def __init__(self, scope: Scope, receive: Receive, service: Service) -> None:
        super().__init__(scope, receive)
        self._headers = Headers(scope["headers"])
        self.service = service
        self.path: str = scope["path"]
        self.query_string: bytes = scope["query_string"]
        self.visible: VisibleHead = service.visible

    @property
    def accepted_language(self) -> str:
        """The language that the client prefers among ours."""
        return language_of(self.headers.get("accept-language"))

    def replace(self, **changes: Any) -> Request:
        """Return a copy of the request with some parsed parts changed."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__, **changes)
        return other


def query_of(route: Route, query_string: bytes) -> tuple[Any, str | None]:
    """Return the query parameters as the route declares them, and the requested language.

    Raise `WebError` or `MalformedError`.
    """
    if not query_string and not route.query.__struct_fields__:
        return _NO_QUERY, None
    try:
        pairs = parse_qsl(
            query_string.decode("ascii"), keep_blank_values=True, strict_parsing=bool(query_string), errors="strict"
        )
    except ValueError:
        raise web_error("malformed", "query_unreadable", where="query") from None
    names, several = _parameters_of(route.query)
    values: dict[str, Any] = {}
    lang = None
    for name, value in pairs:
        if name == _LANGUAGE:
            if value not in LANGUAGES:
                raise MalformedError(_LANGUAGE, listed(list(LANGUAGES)), value)
            lang = value
        elif name not in names:
            known = (*sorted(names), _LANGUAGE)
            raise web_error("unknown_parameter", "unknown_parameter", where=name[:200], known=known)
        elif name in several:
            values.setdefault(name, []).append(value)
        elif name in values:
            raise MalformedError(phrase("twice", where=name), text=value, field=name)
        else:
            values[name] = value
    if not values and not route.query.__struct_fields__:
        return _NO_QUERY, lang
    try:
        query = msgspec.convert(values, route.query, strict=False)
    except msgspec.ValidationError as error:
        raise malformed(error, values, route.query) from None
    for parameter, name in names.items():
        if parameter in values and getattr(query, name) is None:
            raise MalformedError(phrase("null"), text=values[parameter], field=parameter)
    return query, lang


@cache  # msgspec computes the fields anew at each call, and routes are few
def _parameters_of(query: type[Struct]) -> tuple[dict[str, str], frozenset[str]]:
    """Return the names of a query's parameters with those of their fields, and the repeatable ones."""
    fields = structs.fields(query)
    lists = frozenset(field.encode_name for field in fields if get_origin(field.type) is tuple)
    return {field.encode_name: field.name for field in fields}, lists


async def read_data(request: Request) -> None:
    """Read the body as the route declares it. Raise `WebError`, or `MalformedError` for invalid content."""
    route, headers = request.route, request.headers
    if not route.takes:
        return
    check_content_type(route, headers.get("content-type"))
    check_not_packed(headers.get("content-encoding"))
    length = headers.get("content-length")
    if length is not None and length.isdecimal() and int(length) > route.body_bytes:
        raise _too_large(route.body_bytes)
    if route.body is None:
        return  # the handler reads it piece by piece
    async with aclosing(body_pieces(request, route.body_bytes)) as pieces:
        content = b"".join([piece async for piece in pieces])
    request.data_bytes = len(content)
    if route.is_page:
        csrf, request.data = form_of(route, content)
        if request.csrf is not None and route.who != "none":
            check_csrf(request.csrf, request, csrf or headers.get(CSRF_HEADER))
    else:
        request.data = body_of(route, content)


async def body_pieces(request: Request, limit: int) -> AsyncGenerator[bytes, None]:
    """Yield the body piece by piece. Raise `WebError` if it is larger than `limit` bytes."""
    size = 0
    try:
        async with aclosing(request.stream()) as pieces:
            async for piece in pieces:
                size += len(piece)
                if size > limit:
                    raise _too_large(limit)
                yield piece
    except ClientDisconnect:
        raise ConnectionResetError from None


def _too_large(limit: int) -> WebError:
    return web_error("too_large", "body_too_large", limit=limit)


def body_of(route: Route, content: bytes) -> Any:
    """Return the body as the route declares it. Raise `WebError` for invalid JSON, else `MalformedError`."""
    try:
        return msgspec.json.decode(content, type=route.body)
    except msgspec.ValidationError as error:
        refusal = _refused(error, content, route.body)
        if route.is_secret and isinstance(refusal, MalformedError):
            refusal = replace(refusal, text=None)
        raise refusal from None
    except _NOT_JSON as error:
        raise _not_json(error) from None


def form_of(route: Route, content: bytes) -> tuple[str | None, Any]:
    """Return the CSRF token and the fields of a form as the route declares them. Raise `MalformedError`.

    Surrounding blanks are ignored, and empty fields count as missing. Repeated fields, e.g. ticked boxes, are joined as
    lines.
    """
    try:
        pairs = parse_qsl(content.decode("ascii"), errors="strict")
    except ValueError:
        raise MalformedError(phrase("form_unreadable")) from None
    fields: dict[str, str] = {}
    for name, value in pairs:
        if value.strip():
            fields[name] = f"{fields[name]}\n{value.strip()}" if name in fields else value.strip()
    csrf = fields.pop("csrf", None)
    try:
        return csrf, msgspec.convert(fields, route.body, strict=False)
    except msgspec.ValidationError as error:
        refusal = malformed(error, fields, route.body)
        raise (replace(refusal, text=None) if route.is_secret else refusal) from None


def _refused(error: msgspec.ValidationError, content: bytes, kind: Any) -> MalformedError | WebError:
    """Return the refusal of a body that was parsed only up to its fault: the rest may not be JSON."""
    try:
        return malformed(error, msgspec.json.decode(content), kind)
    except _NOT_JSON as worse:
        return _not_json(worse)


_NOT_JSON: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def _not_json(error: Exception) -> WebError:
    if isinstance(error, RecursionError):
        return web_error("not_json", "too_deep")
    return web_error("not_json", "not_json", why=str(error))


def check_content_type(route: Route, header: str | None) -> None:
    """Raise `WebError` if the route does not take this type of body."""
    content_type = (header or "").partition(";")[0].strip().lower()
    if content_type not in route.takes:
        raise web_error(
            "unsupported_media_type", "unsupported_media_type", text=(header or "")[:200], known=tuple(route.takes)
        )


def check_not_packed(encoding: str | None) -> None:
    """Raise `WebError` for a compressed body (`Content-Encoding`): its size would be unknown."""
    if encoding is not None and encoding.strip().lower() not in ("", "identity"):
        raise web_error("unsupported_media_type", "packed_body", {"accept-encoding": "identity"}, text=encoding[:200])


def number_of(text: str, what: str) -> int:
    """Return a number in a path. Raise `WebError` (not found) for other text."""
    if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS):
        raise web_error("not_found", "no_number", where=what, text=text[:100])
    return int(text)


_NUMBER: Final = re.compile(r"[0-9](\.[0-9]*)?")


@lru_cache(maxsize=256)
def language_of(header: str | None) -> str:
    """Return the language that a client prefers among ours, by `Accept-Language`."""
    if header is None:
        return "en"
    best, language = 0.0, "en"
    for name, weight in _weighed(header):
        lang = name.partition("-")[0]
        if lang in LANGUAGES and weight > best:
            best, language = weight, lang
    return language


def media_of(media: Sequence[str], accept: str | None) -> str:
    """Return the media type of the answer that the client prefers. Raise `WebError` if it accepts none."""
    if accept is None or accept == "*/*":
        return media[0]
    chosen = _chosen(tuple(media), accept)
    if chosen is None:
        raise web_error("not_acceptable", "not_acceptable", text=accept[:200], known=tuple(media))
    return chosen


def _weighed(header: str) -> Iterator[tuple[str, float]]:
    """Yield the values of an `Accept` header in lower case, each with its weight, by default 1.0.

    No regular expression is used: backtracking over 16 kB of blanks takes seconds.
    """
    for one in header.split(","):
        name, *parameters = map(str.strip, one.split(";"))
        qualities = (
            value.strip() for key, _, value in (part.partition("=") for part in parameters) if key.strip() == "q"
        )
        quality = next(qualities, "")
        if name:
            yield name.lower(), float(quality) if _NUMBER.fullmatch(quality) else 1.0


@lru_cache(maxsize=1024)
def _chosen(media: tuple[str, ...], accept: str) -> str | None:
    """Return the media type that an `Accept` header prefers, the first of equals; None if it accepts none."""
    if not accept.strip():
        return media[0]
    ranges = dict(_weighed(accept))
    weights = [_weight(ranges, one) for one in media]
    return media[weights.index(max(weights))] if max(weights) else None


def _weight(ranges: Mapping[str, float], media: str) -> float:
    kind = media.partition(";")[0]
    for name in (kind, kind.partition("/")[0] + "/*", "*/*"):
        if name in ranges:
            return ranges[name]
    return 0.0
