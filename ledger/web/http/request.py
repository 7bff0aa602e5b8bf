"""Requests: Starlette's, with the query, the body and the rest as the route declares them."""

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
    """Starlette's, with a dictionary of the first of each name: most headers that are looked up are not there."""

    def __init__(self, raw: list[tuple[bytes, bytes]]) -> None:
        self._list = raw
        self._first = dict(reversed(raw))

    def get(self, key: str, default: Any = None) -> Any:
        value = self._first.get(key.encode())
        return default if value is None else value.decode("latin-1")

    def getlist(self, key: str) -> list[str]:
        return super().getlist(key) if key.encode() in self._first else []


class Request(requests.Request):
    """Starlette's request, as far as it has been understood. `peer`: the address that it comes from.

    `visible`: how far everybody may see; it stays the same for the whole answer. `rests_on`: the counts of what the
    answer changes with, as of that visible; empty where it has no entity tag. `query_lang`: the language that the query
    names. `lang`: that of the answer, empty until it is known. `data`: the body as the route declares it, of so many
    `data_bytes`.
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
        """The language that the client likes best of ours."""
        return language_of(self.headers.get("accept-language"))

    def replace(self, **changes: Any) -> Request:
        """Return the request with some of what has been understood changed."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__, **changes)
        return other


def query_of(route: Route, query_string: bytes) -> tuple[Any, str | None]:
    """The parameters as the route declares them, and the language asked for. Raises `WebError`, `MalformedError`."""
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


@cache  # the fields of a struct are worked out anew each time they are asked for, and routes are few
def _parameters_of(query: type[Struct]) -> tuple[dict[str, str], frozenset[str]]:
    """The names of a query's parameters, each with that of its field; and those that may stand there several times."""
    fields = structs.fields(query)
    lists = frozenset(field.encode_name for field in fields if get_origin(field.type) is tuple)
    return {field.encode_name: field.name for field in fields}, lists


async def read_data(request: Request) -> None:
    """Read the body as the route declares it. Raises `WebError`, and `MalformedError` for what it is not."""
    route, headers = request.route, request.headers
    if not route.takes:
        return
    check_content_type(route, headers.get("content-type"))
    check_not_packed(headers.get("content-encoding"))
    length = headers.get("content-length")
    if length is not None and length.isdecimal() and int(length) > route.body_bytes:
        raise _too_large(route.body_bytes)
    if route.body is None:
        return  # the handler takes it piece by piece
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
    """Yield the body piece by piece. Raises `WebError` where it is larger than may be."""
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
    """The body as the route declares it; raises `WebError` for what is no JSON, `MalformedError` for anything else."""
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
    """The fields of a form as the route declares them, and the token of the session. Raises `MalformedError`.

    Blanks around what somebody typed say nothing; a field that was left empty was not told. Several of one name, as
    boxes that are ticked, are told as lines.
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
    """The refusal of a body that is read only up to where it is wrong: what comes behind may be anything."""
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
    """Raises `WebError` where the body is of a type that the route does not take."""
    content_type = (header or "").partition(";")[0].strip().lower()
    if content_type not in route.takes:
        raise web_error(
            "unsupported_media_type", "unsupported_media_type", text=(header or "")[:200], known=tuple(route.takes)
        )


def check_not_packed(encoding: str | None) -> None:
    """Raises `WebError` for a body that is packed (`Content-Encoding`): how large it is would not be known."""
    if encoding is not None and encoding.strip().lower() not in ("", "identity"):
        raise web_error("unsupported_media_type", "packed_body", {"accept-encoding": "identity"}, text=encoding[:200])


def number_of(text: str, what: str) -> int:
    """A number of a path; what is none names nothing: raises `WebError` (not found)."""
    if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS):
        raise web_error("not_found", "no_number", where=what, text=text[:100])
    return int(text)


_NUMBER: Final = re.compile(r"[0-9](\.[0-9]*)?")


@lru_cache(maxsize=256)
def language_of(header: str | None) -> str:
    """The language that a client likes best of ours, by `Accept-Language`."""
    if header is None:
        return "en"
    best, language = 0.0, "en"
    for name, weight in _weighed(header):
        lang = name.partition("-")[0]
        if lang in LANGUAGES and weight > best:
            best, language = weight, lang
    return language


def media_of(media: Sequence[str], accept: str | None) -> str:
    """The form in which the client takes the answer; raises `WebError` where there is none that it takes."""
    if accept is None or accept == "*/*":
        return media[0]
    chosen = _chosen(tuple(media), accept)
    if chosen is None:
        raise web_error("not_acceptable", "not_acceptable", text=accept[:200], known=tuple(media))
    return chosen


def _weighed(header: str) -> Iterator[tuple[str, float]]:
    """What a client takes, in small letters, and how gladly: 1.0 unless a number is told.

    Taken apart without a pattern: one that goes back over blanks takes seconds for 16 kB of them.
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
    """The form that is liked best by an `Accept` header, the first of equals; None where none is taken."""
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
